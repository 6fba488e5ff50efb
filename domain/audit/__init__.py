"""The audit of a game: what its bundle claims is checked again, by the chain, the seals, the draws and the rules."""
