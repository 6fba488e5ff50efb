"""News by topic: one channel on which those who write say what has something new, for those who follow it.

A topic is the id of a game or of a player. A message is ``<topic> <cursor>``, the cursor of the latest that is there.
Messages can get lost, so they only ever wake; what is new is read from the store. ``append.lua`` publishes the game and
its version.
"""

from typing import Any

from service.store import keys


def publish(client: Any, topic: str, cursor: str) -> None:
    """Publish that a topic has something new; ``client`` can be a pipeline, so that this is part of its atomic step."""
    client.publish(keys.TOPICS, f"{topic} {cursor}")
