"""Plans: the next actions of a player, decided beforehand; what a plan is, who makes it, and how it is carried out.

A plan meets the rest of the service in four places: ``append`` finds a plan of the seats to act and makes it work
(``append.lua``), the turn worker carries it out (``planned_moves``), the append of that move changes it
(``Act.by_plan``), and a view says that it plays the turn (``Planning.takes_turn``).
"""
