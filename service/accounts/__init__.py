"""Who calls, and how much they can do: players, tokens, names, limits."""
