"""Streams: what happens, sent to clients as it happens, without a thread for each.

A request is checked as always, and leaves a ``Source`` for what the client follows. ``Streams`` takes over from there
on the event loop: the ``listener`` receives the topics that have news, the ``hub`` reads them for all who follow, and
``forms`` writes what was read. A follower keeps nothing but the place up to which it has sent, so a slow client costs
no memory and delays no other.
"""
