"""How each game is made of deals, for what plays a single one or weighs scores: in each module, ``DEALS``."""
