"""Games and seats."""

from api_spec.world import Exchange, World
from domain.game.seeds import commitment_to

_OF_TWO = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}


def create_game(world: World) -> Exchange:
    """Create a game with an own seat, an open one and a bot; send it again safely if no response arrives."""
    wish = {
        "ruleset": "le-plateau",
        "options": {"hands": 6},
        "seats": [{"player": "me"}, {"open": True}, {"bot": "random"}],
        "visibility": "public",
        "clock": {"per_move": "P1D", "on_timeout": "bot"},
    }
    return world.guest("Ada").post("/v1/games", wish, Idempotency_Key="tuesday-evening")


def list_games(world: World) -> Exchange:
    """List games of a ruleset that have an open seat."""
    ada = world.guest("Ada")
    for _ in range(2):
        ada.post("/v1/games", _OF_TWO)
    return world.anyone.get("/v1/games?ruleset=plateau&open=true&limit=1")


def list_my_events(world: World) -> Exchange:
    """Hear that the game has started, and that it is one's turn."""
    ada, _, _ = world.two()
    world.pass_notices_on()
    return ada.get("/v1/me/events")


def list_my_games(world: World) -> Exchange:
    """List the games in which it is one's turn."""
    ada, _, _ = world.two()
    return ada.get("/v1/me/games?to_act=true&limit=3")


def show_game(world: World) -> Exchange:
    """Show a game that has begun."""
    _, _, game = world.two()
    return world.anyone.get(game)


def take_seat(world: World) -> Exchange:
    """Take the last open seat; the game begins."""
    ada, bob = world.guest("Ada"), world.guest("Bob")
    game = ada.post("/v1/games", _OF_TWO).json
    seen = f'"{game["head"]}"'
    return bob.post(f"/v1/games/{game['id']}/seats", {"seat": 1, "client_seed": "three blind mice"}, If_Match=seen)


def open_seed(world: World) -> Exchange:
    """Open the last seed that is awaited; the game begins."""
    ada, bob = world.guest("Ada"), world.guest("Bob")
    path = f"/v1/games/{ada.post('/v1/games', _OF_TWO).json['id']}"
    head, seed = bob.get(path).json["head"], "three blind mice"
    committed = commitment_to(seed, path.rpartition("/")[2], bob.get("/v1/me").json["id"])
    bob.post(f"{path}/seats", {"seed_commitment": committed}, If_Match=f'"{head}"')
    return bob.post(f"{path}/seeds", {"client_seed": seed}, Idempotency_Key="my-seed")


def leave_seat(world: World) -> Exchange:
    """Leave a seat before the game begins."""
    ada = world.guest("Ada")
    game = ada.post("/v1/games", _OF_TWO).json
    return ada.delete(f"/v1/games/{game['id']}/seats/0")


def hand_over_seat(world: World) -> Exchange:
    """Let a bot have the last open seat; the game begins."""
    ada = world.guest("Ada")
    game = ada.post("/v1/games", _OF_TWO).json
    return ada.put(f"/v1/games/{game['id']}/seats/1", {"bot": "random"})


def cancel_game(world: World) -> Exchange:
    """Cancel a game that nobody has joined."""
    ada = world.guest("Ada")
    game = ada.post("/v1/games", _OF_TWO).json
    return ada.delete(f"/v1/games/{game['id']}")


def create_seat_token(world: World) -> Exchange:
    """Make a token for one's seat, to play on from a phone."""
    ada, _, game = world.two()
    return ada.post(f"{game}/seats/0/tokens", {"label": "phone"})


def meet_again(world: World) -> Exchange:
    """Propose a rematch of a game that is over."""
    ada, bob, game = world.two()
    bob.post(f"{game}/resign", {"confirm": True})
    return ada.post(f"{game}/rematch", {})


def fork_game(world: World) -> Exchange:
    """Continue against a bot from what one knows of a running game."""
    _, bob, game = world.two()
    wish = {"seats": [{"bot": "random"}, {"player": "me"}]}
    return bob.post(f"{game}/forks", wish, Idempotency_Key="what-if")
