"""The command ``plateau play``. It knows the games only by what the service says of them."""
