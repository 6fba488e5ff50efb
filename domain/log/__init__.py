"""The log of a game: how events become records, how they are chained and sealed, and who can read which part."""
