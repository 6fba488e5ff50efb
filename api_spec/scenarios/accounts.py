"""Players and tokens."""

from api_spec.world import Exchange, World


def create_player(world: World) -> Exchange:
    """Make a guest."""
    return world.anyone.post("/v1/players", {"name": "Ada"})


def show_player(world: World) -> Exchange:
    """Look up another player."""
    bob = world.guest("Bob")
    return world.anyone.get(f"/v1/players/{bob.id}")


def show_me(world: World) -> Exchange:
    """Look at oneself."""
    return world.guest("Ada").get("/v1/me")


def change_me(world: World) -> Exchange:
    """Take another name, and show a language."""
    change = {"name": "Ada Lovelace", "language": "en-GB", "shows": {"language": True, "seen": True}}
    return world.guest("Ada").patch("/v1/me", change)


def delete_me(world: World) -> Exchange:
    """Delete oneself."""
    ada = world.guest("Ada")
    return ada.delete(f"/v1/me?confirm={ada.id}")


def export_me(world: World) -> Exchange:
    """Read all that is kept of oneself."""
    ada = world.guest("Ada")
    ada.post("/v1/webhooks", {"url": "https://ada.example/plateau"})
    ada.put("/v1/me/mail", {"address": "ada@example.org"})
    ada.post("/v1/games", {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]})
    return ada.get("/v1/me/export")


def create_token(world: World) -> Exchange:
    """Make a token that can only read."""
    return world.guest("Ada").post("/v1/me/tokens", {"label": "kitchen display", "scopes": ["games:read"]})


def create_stream_ticket(world: World) -> Exchange:
    """Make a ticket for an EventSource."""
    return world.guest("Ada").post("/v1/me/stream-tickets", {})


def list_tokens(world: World) -> Exchange:
    """List the first two of three tokens."""
    ada = world.guest("Ada")
    for label in ("telephone", "laptop"):
        ada.post("/v1/me/tokens", {"label": label})
    return ada.get("/v1/me/tokens?limit=2")


def revoke_token(world: World) -> Exchange:
    """Revoke the token of a lost device."""
    ada = world.guest("Ada")
    lost = ada.post("/v1/me/tokens", {"label": "telephone"}).json
    return ada.delete(f"/v1/me/tokens/{lost['id']}")
