"""The league: bots play the same deals against each other, in each other's seats, with the domain alone.

A deal is the unit. Its cards follow from the seed of the league and the number of the deal, and it is played several
times: one bot sits in every seat in turn against the others, then the other way round. So both bots have the same luck
with the cards. Bots get the view that the API would give their seat, and their answers are read like those of players.
"""
