"""Webhooks and their deliveries."""

from api_spec.world import Caller, Exchange, World

URL = "https://ada.example/plateau"


def _webhook(world: World) -> tuple[Caller, str]:
    """Let Ada make a webhook; return its path."""
    ada = world.guest("Ada")
    return ada, f"/v1/webhooks/{ada.post('/v1/webhooks', {'url': URL, 'types': ['your_turn']}).json['id']}"


def create_webhook(world: World) -> Exchange:
    """Have two kinds of notices sent."""
    return world.guest("Ada").post("/v1/webhooks", {"url": URL, "types": ["invited", "your_turn"]})


def list_webhooks(world: World) -> Exchange:
    """List the only webhook."""
    return _webhook(world)[0].get("/v1/webhooks")


def show_webhook(world: World) -> Exchange:
    """Look at a webhook whose secret was just rotated."""
    ada, hook = _webhook(world)
    ada.post(f"{hook}/secret", {})
    return ada.get(hook)


def change_webhook(world: World) -> Exchange:
    """Have all notices sent."""
    ada, hook = _webhook(world)
    return ada.patch(hook, {"types": None, "enabled": True})


def delete_webhook(world: World) -> Exchange:
    """Delete a webhook."""
    ada, hook = _webhook(world)
    return ada.delete(hook)


def rotate_webhook_secret(world: World) -> Exchange:
    """Rotate the secret."""
    ada, hook = _webhook(world)
    return ada.post(f"{hook}/secret", {})


def list_webhook_deliveries(world: World) -> Exchange:
    """Look at a delivery that waits for its first attempt."""
    ada, hook = _webhook(world)
    ada.post(f"{hook}/test", {})
    return ada.get(f"{hook}/deliveries")


def redeliver(world: World) -> Exchange:
    """Have a delivery made at once."""
    ada, hook = _webhook(world)
    ada.post(f"{hook}/test", {})
    return ada.post(f"{hook}/deliveries/1/redeliver", {})


def try_webhook(world: World) -> Exchange:
    """Send a message of the type `test`."""
    ada, hook = _webhook(world)
    return ada.post(f"{hook}/test", {})
