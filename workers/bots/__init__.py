"""Bots: a policy is a function of a view and a seed that returns an action, as a client would post it.

``think(asked) -> Thought`` (``policy.py``): the view is the one that a player in that seat gets over the API, nothing
more. Policies are in this package, from which neither the store nor any other part of the service can be imported, and
run in a process of their own.
"""
