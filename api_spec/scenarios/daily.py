"""The deal of the day: what is open, a deal, results, a card, and the log of a set."""

from api_spec.world import Caller, Exchange, World


def _today(world: World) -> tuple[Caller, str]:
    """Let Ada come the day before; return the path of today's set."""
    ada = world.guest("Ada")
    world.wait(days=1)
    return ada, world.keep_sets()


def show_daily(world: World) -> Exchange:
    """Show a set of which Ada has opened a deal."""
    ada, path = _today(world)
    ada.post(f"{path}/deals", {})
    shown = ada.get("/v1/daily")
    shown.response["body"]["items"] = [each for each in shown.response["body"]["items"] if each["ruleset"] == "plute"]
    return shown


def open_deal(world: World) -> Exchange:
    """Open the first deal of a day."""
    ada, path = _today(world)
    return ada.post(f"{path}/deals", {}, Idempotency_Key="my-first-deal")


def list_results(world: World) -> Exchange:
    """List the results of a day on which Ada opened a deal and did not finish it."""
    ada, path = _today(world)
    ada.post(f"{path}/deals", {})
    world.wait(days=2)
    world.keep_sets()
    shown = world.anyone.get(f"{path}/results")
    del shown.response["body"]["deals"][1:]
    return shown


def show_card(world: World) -> Exchange:
    """Show the card of a day that has just begun."""
    ada, path = _today(world)
    ada.post(f"{path}/deals", {})
    return ada.get(f"{path}/card")


def list_set_events(world: World) -> Exchange:
    """List the first event of a set that is open."""
    ada, _ = _today(world)
    set_id = ada.get("/v1/daily").json["items"][0]["id"]
    return world.anyone.get(f"/v1/sets/{set_id}/events?limit=1")
