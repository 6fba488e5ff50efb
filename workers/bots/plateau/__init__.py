"""The bots of Plateau: a kernel in plain integers, an evaluation, a greedy policy and a searcher."""
