"""What each game writes into the tensor of an observation, from the view of a seat alone.

Each module has ``BLOCKS``, and ``write(sheet, view, seat, seats)``. Seats are counted from the observing one: 0 is its
own, 1 the next.
"""
