"""Streams: updates that are sent to clients as they happen, without a thread for each.

A request is checked as usual, and leaves a ``Source`` of what the client follows. ``Streams`` then continues on the
event loop: the ``listener`` receives messages of topics, the ``hub`` reads the new items once for all followers, and
``forms`` writes them. A follower stores only the cursor up to which it has sent, so a slow client costs no memory and
delays no other.
"""
