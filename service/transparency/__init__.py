"""The log of heads: a Merkle tree of what the service said that the logs of its games were, with signed roots."""
