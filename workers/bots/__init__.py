"""Bots: a policy is a function that takes a view and a source of chance, and returns an action as clients post it.

``policy(view, rng) -> action``: the view is the one that a player in that seat gets over the API, nothing more.
Policies live here, where neither the store nor any other part of the service can be imported, and run in a process of
their own.
"""
