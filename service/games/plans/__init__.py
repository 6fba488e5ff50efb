"""Plans: the next actions of a player, decided beforehand."""
