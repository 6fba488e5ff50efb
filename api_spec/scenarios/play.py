"""Playing: views, actions, events, and what players agree on."""

from api_spec.world import Exchange, World


def show_view(world: World) -> Exchange:
    """See the game as the seat that is to act."""
    ada, _, game = world.two()
    return ada.get(f"{game}/view")


def show_board(world: World) -> Exchange:
    """See the game as a picture."""
    ada, _, game = world.two()
    return ada.get(f"{game}/board.svg?as=0")


def create_board_link(world: World) -> Exchange:
    """Create a link that shows one's own board in a browser."""
    ada, _, game = world.two()
    return ada.post(f"{game}/board-links", {})


def list_legal_actions(world: World) -> Exchange:
    """List the first three legal actions."""
    ada, _, game = world.two()
    return ada.get(f"{game}/legal-actions?limit=3")


def act(world: World) -> Exchange:
    """Carry out a legal action, decided on at the version that the ETag named."""
    ada, _, game = world.two()
    listed = ada.get(f"{game}/legal-actions?limit=1")
    version = listed.response["headers"]["ETag"]
    return ada.post(f"{game}/actions", listed.json["actions"][0], If_Match=version, Idempotency_Key="turn-1")


def list_events(world: World) -> Exchange:
    """Read on after version 2, as a spectator, with sentences in English."""
    _, _, game = world.two()
    return world.anyone.get(f"{game}/events?after=2&limit=3&lang=en")


def export(world: World) -> Exchange:
    """Write the game as text."""
    ada, _, game = world.two()
    return ada.get(f"{game}/export?format=text")


def propose(world: World) -> Exchange:
    """Propose a pause of three days."""
    ada, _, game = world.two()
    return ada.post(f"{game}/proposals", {"kind": "pause", "duration": "P3D"})


def vote(world: World) -> Exchange:
    """Accept that pause."""
    ada, bob, game = world.two()
    ada.post(f"{game}/proposals", {"kind": "pause", "duration": "P3D"})
    (proposal,) = bob.get(f"{game}/view").json["proposals"]
    return bob.post(f"{game}/proposals/{proposal['id']}/votes", {"accept": True})


def resign(world: World) -> Exchange:
    """Give up."""
    _, bob, game = world.two()
    return bob.post(f"{game}/resign", {"confirm": True})


def claim(world: World) -> Exchange:
    """Claim that the other seat's hour is up."""
    _, bob, game = world.two(clock={"per_move": "PT1H", "on_timeout": "wait"})
    world.wait(hours=2)
    return bob.post(f"{game}/claim", {})
