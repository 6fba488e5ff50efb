"""Streams: what happens, sent to clients as it happens, without a thread for each.

A request thread checks a request as always, and leaves a ``Source`` for what the client follows. ``Streams`` goes on
from there on the event loop: when a topic has news, the ``hub`` has ``readers`` read for all who wait for it, in a few
threads of their own, which hand over to the loop once; and ``forms`` writes what they found. A follower keeps nothing
but the place up to which it has sent, so a slow client costs no memory and delays nobody.
"""
