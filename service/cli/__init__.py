"""The command ``plateau``: one module a subcommand."""
