"""Names of players: which are allowed, which look alike, who has which."""
