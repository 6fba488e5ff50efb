"""News by topic: a channel for each, on which those who write something new say so, for those who follow it.

A topic is the id of a game or of a player. A message is the cursor of the latest that is there. Messages can get lost,
so they only ever wake; what is new is read from the store. ``append.lua`` publishes the version of the game.
"""

from typing import Any

from service.store import keys


def publish(client: Any, topic: str, cursor: str) -> None:
    """Publish that a topic has something new; ``client`` can be a pipeline, so that this is part of its atomic step."""
    client.publish(keys.topic(topic), cursor)


def of_channel(channel: bytes) -> str:
    return channel.decode().removeprefix(keys.topic(""))
