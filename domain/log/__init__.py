"""The log of a game: how events become records, are chained and sealed, and are shown in part to each viewer."""
