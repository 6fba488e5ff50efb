"""Invitations."""

from api_spec.world import Caller, Exchange, World

_PRIVATE = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}], "visibility": "private"}


def _begun(world: World) -> tuple[Caller, str]:
    """Let Ada create a private game; return also its path."""
    ada = world.guest("Ada")
    return ada, f"/v1/games/{ada.post('/v1/games', _PRIVATE).json['id']}"


def _linked(world: World) -> tuple[Caller, str, str]:
    """Let Ada make a link to a private game; return also the paths of the game and of the link."""
    ada, game = _begun(world)
    return ada, game, ada.post(f"{game}/invitations", {"link": True}).json["url"]


def invite(world: World) -> Exchange:
    """Make a link that opens seat 1 for three days."""
    ada, game = _begun(world)
    return ada.post(f"{game}/invitations", {"link": True, "seat": 1, "expires_in": "P3D"})


def list_invitations(world: World) -> Exchange:
    """See who is invited: Bob, and anyone who has the link."""
    bob = world.guest("Bob")
    ada, game, _ = _linked(world)
    ada.post(f"{game}/invitations", {"player": bob.id})
    return ada.get(f"{game}/invitations")


def end_invitation(world: World) -> Exchange:
    """Decline."""
    bob = world.guest("Bob")
    ada, game = _begun(world)
    made = ada.post(f"{game}/invitations", {"player": bob.id}).json
    return bob.delete(f"{game}/invitations/{made['id']}")


def list_my_invitations(world: World) -> Exchange:
    """See what one is invited to."""
    bob = world.guest("Bob")
    ada, game = _begun(world)
    ada.post(f"{game}/invitations", {"player": bob.id, "seat": 1})
    return bob.get("/v1/me/invitations?limit=3")


def show_invitation(world: World) -> Exchange:
    """See what a link leads to."""
    _, _, link = _linked(world)
    return world.anyone.get(link)


def draw_invitation(world: World) -> Exchange:
    """Show a link to the camera of a phone."""
    _, _, link = _linked(world)
    return world.anyone.get(f"{link}/qr.svg")


def take_seat_by_link(world: World) -> Exchange:
    """Take the seat that a link opens, without an account."""
    _, _, link = _linked(world)
    return world.anyone.post(f"{link}/seat", {"name": "Zoë"})
