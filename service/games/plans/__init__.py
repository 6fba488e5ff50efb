"""Plans: a player's next actions, decided beforehand; what a plan is, who makes it, and how it is carried out.

Plans affect the rest of the service in four places: the append queues work if a seat to act has a plan
(``append.lua``), the turn worker carries the plan out (``planned_moves``), the append of that move changes the plan
(``Act.by_plan``), and a view shows that the plan plays the turn (``Planning.takes_turn``).
"""
