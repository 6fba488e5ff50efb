"""Games: commands change them, representations show them."""
