"""Streams: what happens, sent to clients as it happens, without a thread for each.

A request thread checks a request as always, and leaves a ``Source`` for what the client follows. ``Streams`` goes on
from there on the event loop: the ``listener`` hears of topics that have news, the ``hub`` knows who follows them,
``readers`` read for all who wait, in threads of their own, and ``forms`` writes what they found. A follower keeps
nothing but the place up to which it has sent, so a slow client costs no memory and delays nobody.
"""
