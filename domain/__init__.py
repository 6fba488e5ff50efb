"""The rules of the games and the game aggregate: pure functions over frozen data, standard library only."""
