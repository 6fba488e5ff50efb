"""The league: bots play the same deals against each other, in each other's seats, over the domain alone.

A deal is the unit. Its cards follow from the seed of the league and the number of the deal, and it is played several
times: one bot sits in every seat in turn against the others, then the other way round. What luck the cards hold, both
have alike. Bots get the view that the API would give their seat, and their answers are read as those of players are.
"""
