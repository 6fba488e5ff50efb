"""``python -m workers worker`` and ``… dispatch``: the commands of ``plateau``, without loading a web server."""

import click

from service.cli.workers import dispatch, worker


@click.group()
def main() -> None:
    """Run the commands."""


main.add_command(worker)
main.add_command(dispatch)

if __name__ == "__main__":
    main()
