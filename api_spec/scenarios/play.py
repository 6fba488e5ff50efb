"""Playing: views, actions, events, and what players agree on."""

import json
from typing import Any

from api_spec.world import Caller, Exchange, World


def show_view(world: World) -> Exchange:
    """See the game as the seat that is to act."""
    ada, _, game = world.two()
    return ada.get(f"{game}/view")


def show_board(world: World) -> Exchange:
    """See the game as a picture."""
    ada, _, game = world.two()
    return ada.get(f"{game}/board.svg?as=0")


def show_scene(world: World) -> Exchange:
    """See the game in words and drawn, for a client that does not know it."""
    ada, _, game = world.two()
    return ada.get(f"{game}/scene?as=0&lang=en")


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


def verify_receipt(world: World) -> Exchange:
    """Verify the receipt for the view of a game."""
    ada, _, game = world.two()
    receipt = json.loads(ada.get(f"{game}/view").response["headers"]["Plateau-Receipt"])
    return ada.post("/v1/verify-receipt", receipt)


def list_events(world: World) -> Exchange:
    """Read on after version 2, as a spectator, with sentences in English."""
    _, _, game = world.two()
    return world.anyone.get(f"{game}/events?after=2&limit=3&lang=en")


def show_audit(world: World) -> Exchange:
    """Look up what the game will be verified with."""
    ada, _, game = world.two()
    return ada.get(f"{game}/audit")


def export(world: World) -> Exchange:
    """Write the log with its draws, to verify the game."""
    ada, _, game = world.two()
    return ada.get(f"{game}/export?format=audit")


def propose(world: World) -> Exchange:
    """Propose a pause of three days."""
    ada, _, game = world.two()
    return ada.post(f"{game}/proposals", {"kind": "pause", "duration": "P3D"})


def vote(world: World) -> Exchange:
    """Accept that the other player takes a move back."""
    ada, bob, game = world.two()
    two_mutes = [{"piece": "M", "up": "x"}] * 2
    for person, square in ((ada, "a1"), (bob, "d4")):
        person.post(f"{game}/actions", {"type": "open", "square": square, "pieces": two_mutes})
    ada.post(f"{game}/actions", {"type": "move", "from": "a1", "flip": False, "lift": 2, "to": "b1"})
    ada.post(f"{game}/proposals", {"kind": "take_back"})
    (proposal,) = bob.get(f"{game}/view").json["proposals"]
    return bob.post(f"{game}/proposals/{proposal['id']}/votes", {"accept": True})


def say_phrase(world: World) -> Exchange:
    """Wish the other player good luck."""
    ada, _, game = world.two()
    return ada.post(f"{game}/phrases", {"phrase": "good_luck"}, Idempotency_Key="phrase-1")


def list_phrases(world: World) -> Exchange:
    """Read what the other player said, in French."""
    ada, bob, game = world.two()
    ada.post(f"{game}/phrases", {"phrase": "good_luck"})
    return bob.get(f"{game}/phrases?lang=fr")


def resign(world: World) -> Exchange:
    """Give up."""
    _, bob, game = world.two()
    return bob.post(f"{game}/resign", {"confirm": True})


def claim(world: World) -> Exchange:
    """Claim that the other seat's hour is up."""
    _, bob, game = world.two(clock={"per_move": "PT1H", "on_timeout": "wait"})
    world.wait(hours=2)
    return bob.post(f"{game}/claim", {})


def _plan() -> dict[str, Any]:
    taken = {"path": "/state/board/a1", "op": "exists"}
    pieces = [{"piece": "A", "up": "r"}, {"piece": "TW", "up": "o"}]
    corners = [{"type": "open", "square": square, "pieces": pieces} for square in ("a1", "d4")]
    return {"steps": [{"when": {"not": taken}, "action": corners[0]}, {"action": corners[1]}], "forced": True}


def put_plan(world: World) -> Exchange:
    """Plan to open in the corner that the opponent leaves free, and to have forced moves played."""
    _, bob, game = world.two()
    return bob.put(f"{game}/plan", _plan())


def show_plan(world: World) -> Exchange:
    """See that plan."""
    _, bob, game = world.two()
    bob.put(f"{game}/plan", _plan())
    return bob.get(f"{game}/plan")


def remove_plan(world: World) -> Exchange:
    """Remove it, if it is still the one that the ETag names."""
    _, bob, game = world.two()
    made = bob.put(f"{game}/plan", _plan())
    return bob.delete(f"{game}/plan", If_Match=made.response["headers"]["ETag"])


def give_hint(world: World) -> Exchange:
    """Ask what a bot would bid in the seat to act of a sandbox."""
    ada = world.guest("Ada")
    wish = {"ruleset": "french-tarot", "seats": [{"player": "me"}] * 4, "sandbox": True}
    game = f"/v1/games/{ada.post('/v1/games', wish).json['id']}"
    world.answer(
        game,
        {
            "method": "POST",
            "path": f"{game}/hints",
            "headers": {**ada.sent, "Content-Type": "application/json"},
            "body": {},
        },
    )
    return ada.post(f"{game}/hints", {})


def analyse(world: World) -> Exchange:
    """Have a game analysed that has just ended."""
    ada, game = _ended(world)
    return ada.post(f"{game}/analysis", {})


def show_analysis(world: World) -> Exchange:
    """See the move of a game that cost most."""
    ada, game = _ended(world)
    ada.post(f"{game}/analysis", {})
    world.answer(game)
    return ada.get(f"{game}/analysis?limit=1")


def show_luck(world: World) -> Exchange:
    """Ask what the deals of a game were worth that has just ended; the workers begin to work it out."""
    ada = world.guest("Ada")
    wish = {"ruleset": "le-plateau", "sandbox": True, "seats": [{"player": "me"}, {"player": "me"}]}
    game = f"/v1/games/{ada.post('/v1/games', wish).json['id']}"
    for _ in range(4):
        ada.post(f"{game}/actions", {"type": "pass"})
    return ada.get(f"{game}/luck")


def _ended(world: World) -> tuple[Caller, str]:
    """Let Ada make a move that is not good, and Bob resign; return Ada and the path of the game."""
    ada, bob, game = world.two()
    two_mutes = [{"piece": "M", "up": "x"}] * 2
    for person, square in ((ada, "a1"), (bob, "d4")):
        person.post(f"{game}/actions", {"type": "open", "square": square, "pieces": two_mutes})
    ada.post(f"{game}/actions", {"type": "onboard", "square": "a2", "height": 0, "piece": "M", "up": "x"})
    bob.post(f"{game}/resign", {"confirm": True})
    return ada, game
