"""Bots for Le Plateau: ``greedy`` counts cards and weighs spaces, ``searcher`` plays hands out."""
