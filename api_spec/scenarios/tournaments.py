"""Tournaments: one is created, entered and left, its director acts, and anyone can read it."""

from api_spec.world import Caller, Exchange, World

_WISH = {
    "name": "Club evening",
    "ruleset": "plute",
    "seats": 6,
    "deals": 4,
    "rounds": 3,
    "clock": {"per_move": "PT2M"},
    "round_time": "PT1H",
    "starts": "2026-01-02T19:00:00.000Z",
}


def _announced(world: World) -> tuple[Caller, str]:
    """Let Dora create a tournament; return also its path."""
    dora = world.operator("Dora", "tournaments")
    return dora, f"/v1/tournaments/{dora.post('/v1/tournaments', _WISH).json['id']}"


def list_tournaments(world: World) -> Exchange:
    """List a tournament that can be entered."""
    _announced(world)
    return world.anyone.get("/v1/tournaments")


def create_tournament(world: World) -> Exchange:
    """Create a tournament of three rounds for an evening."""
    return world.operator("Dora", "tournaments").post("/v1/tournaments", _WISH, Idempotency_Key="club-evening")


def show_tournament(world: World) -> Exchange:
    """Show a tournament that Ada has entered."""
    _, path = _announced(world)
    world.guest("Ada").put(f"{path}/entry", {})
    return world.anyone.get(path)


def list_tournament_events(world: World) -> Exchange:
    """List the event with which a player entered."""
    _, path = _announced(world)
    world.guest("Ada").put(f"{path}/entry", {})
    return world.anyone.get(f"{path}/events?after=1")


def enter_tournament(world: World) -> Exchange:
    """Enter a tournament."""
    _, path = _announced(world)
    return world.guest("Ada").put(f"{path}/entry", {})


def withdraw_from_tournament(world: World) -> Exchange:
    """Withdraw from a tournament."""
    _, path = _announced(world)
    ada = world.guest("Ada")
    ada.put(f"{path}/entry", {})
    return ada.delete(f"{path}/entry")


def act_as_director(world: World) -> Exchange:
    """Withdraw a player who cannot come."""
    dora, path = _announced(world)
    ada = world.guest("Ada")
    ada.put(f"{path}/entry", {})
    wish = {"act": "withdraw", "player": ada.id, "reason": "asked for by mail"}
    return dora.post(f"{path}/acts", wish, Idempotency_Key="withdraw-ada")
