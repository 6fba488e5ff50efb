"""What each game writes into the tensor of an observation, from the view of a seat and nothing else.

Each module has ``BLOCKS``, and ``write(sheet, view, seat, seats)``. Seats are counted from the one that looks: 0 is its
own, 1 the next.
"""
