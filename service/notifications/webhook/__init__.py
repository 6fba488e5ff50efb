"""Webhooks: a player's notices, sent to an address of theirs after Standard Webhooks."""
