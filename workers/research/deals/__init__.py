"""How each game consists of deals, for tools that play a single deal or compare scores: ``DEALS`` in each module."""
