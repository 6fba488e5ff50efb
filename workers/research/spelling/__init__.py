"""The spelling of each game's actions: words from a fixed list, entered one after the other.

Each module has the list, ``NAMES``, and ``spell(action, seat, seats)``. Every action has one spelling. No legal action
is the beginning of another one. A set of cards is spelled in the order of the pack.
"""
