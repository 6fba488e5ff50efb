"""Push messages to browsers."""

from typing import Any

from api_spec.world import Caller, Exchange, World

_SUBSCRIPTION: dict[str, Any] = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}


def _subscribed(world: World) -> tuple[Caller, str]:
    """Let Ada subscribe a browser; return also the path of the subscription."""
    ada = world.guest("Ada")
    made = ada.post("/v1/me/push-subscriptions", _SUBSCRIPTION).json
    return ada, f"/v1/me/push-subscriptions/{made['id']}"


def show_push_key(world: World) -> Exchange:
    """Get the key that a browser needs."""
    return world.anyone.get("/v1/push-key")


def subscribe_push(world: World) -> Exchange:
    """Subscribe a browser, but not for the night."""
    choices = {"types": ["your_turn"], "quiet_hours": {"start": "23:00", "end": "08:00"}}
    return world.guest("Ada").post("/v1/me/push-subscriptions", {**_SUBSCRIPTION, **choices})


def list_push_subscriptions(world: World) -> Exchange:
    """See which browsers get messages."""
    ada, _ = _subscribed(world)
    return ada.get("/v1/me/push-subscriptions")


def end_push_subscription(world: World) -> Exchange:
    """End the messages to a browser."""
    ada, path = _subscribed(world)
    return ada.delete(path)
