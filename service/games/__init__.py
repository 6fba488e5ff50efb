"""Games: commands in, representations out, and what lies between."""
