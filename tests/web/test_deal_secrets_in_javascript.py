"""The second verifier checks the secrets of deals, in games that are over and in games that still run."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.audit.bundle import Bundle
from domain.game.aggregate import Game
from domain.laws.play import random_game
from domain.registry import RULESETS
from tests.support import node
from tests.support.bundles import bundle_of, copy_of, forged, judged, text_of
from tests.support.random_games import played
from tests.web.verifier import fault_of, verdicts

Change = Callable[[list[Any]], object]


@pytest.fixture(autouse=True)
def _node() -> None:
    node.needed()


@cache
def games() -> dict[str, tuple[Bundle, Game]]:
    """A game of some deals that is over, and games of all rulesets with deals in their third one."""
    steps = played("plute", 6, 0)
    return {
        "over": (bundle_of(steps), steps[-1].game),
        "running": (bundle_of(steps[:-9]), steps[-10].game),
        "running french-tarot": in_its_third_deal("french-tarot", 3, {"deals": 4}),
        "running le-plateau": in_its_third_deal("le-plateau", 2, {"hands": 4}),
    }


def in_its_third_deal(ruleset_id: str, seats: int, options: dict[str, Any]) -> tuple[Bundle, Game]:
    steps = [*random_game(RULESETS[ruleset_id], seats, 0, options)]
    third = next(index for index, step in enumerate(steps) if step.game.dealt == 3)
    return bundle_of(steps[: third + 3]), steps[third + 2].game


def revealed(events: list[Any], number: int = 0) -> Any:
    return [event for event in events if event["type"] == "secret_revealed"][number]


def second_deal(events: list[Any]) -> Any:
    return [event for event in events if event["type"] in {"hand_dealt", "cards_dealt"}][1]


def swapped(one: dict[str, Any], other: dict[str, Any], key: str) -> None:
    one[key], other[key] = other[key], one[key]


def moved(events: list[Any], by: int) -> None:
    place = events.index(revealed(events))
    events.insert(place + by, events.pop(place))


CHANGES: dict[str, Change] = {
    "a secret that is left out": lambda events: events.remove(revealed(events)),
    "another secret": lambda events: revealed(events)["data"].update(secret="0" * 64),
    "no secret": lambda events: revealed(events)["data"].update(secret=None),
    "the secret of another deal": lambda events: swapped(
        revealed(events)["data"], revealed(events, 1)["data"], "secret"
    ),
    "another number": lambda events: revealed(events)["data"].update(deal=2),
    "a secret that comes too early": lambda events: moved(events, -1),
    "a secret that comes too late": lambda events: moved(events, 1),
    "a secret twice": lambda events: events.insert(
        events.index(revealed(events)), {**revealed(events), "sealed": {}, "salts": {}}
    ),
    "another anchor": lambda events: events[0]["data"].update(deal_anchor="0" * 64),
    "an anchor that is none": lambda events: events[0]["data"].update(deal_anchor="anchor"),
    "another dealer": lambda events: second_deal(events)["data"].update(
        dealer=(second_deal(events)["data"]["dealer"] + 1) % 2
    ),
    "another number of a deal": lambda events: second_deal(events)["data"].update(
        {key: 7 for key in ("hand_number", "deal_number") if key in second_deal(events)["data"]}
    ),
    "two hands swapped": lambda events: swapped(*second_deal(events)["data"]["hands"][:2], "cards"),
}


def test_the_secrets_of_deals_are_checked(tmp_path: Path) -> None:
    bundles = {}
    for state, (honest, game) in games().items():
        bundles[state] = honest
        for name, change in CHANGES.items():
            bundle = copy_of(honest)
            change(bundle.events)  # type: ignore[arg-type]
            bundles[f"{state}: {name}"] = forged(bundle, game)
    told = verdicts(tmp_path, {name: text_of(bundle) for name, bundle in bundles.items()})
    expected = {name: judged(bundle).fault for name, bundle in bundles.items()}
    assert {name for name, fault in expected.items() if fault is None} == {*games()}
    assert {name: fault_of(each) for name, each in told.items()} == {
        name: fault and (fault.version, fault.field) for name, fault in expected.items()
    }


def test_what_is_over_of_a_running_game_is_open_and_verified(tmp_path: Path) -> None:
    bundle, _ = games()["running"]
    last = revealed([*bundle.events], -1)["version"]
    (told,) = verdicts(tmp_path, {"game": text_of(bundle)}).values()
    assert told["unchecked"] == [
        f"the game is not over: its secret, and the draws after version {last}, were not checked"
    ]
    closed = copy_of(bundle)
    dealt = next(event for event in closed.events if event["type"] == "hand_dealt")
    del dealt["salts"]["/hands/2/cards"], dealt["data"]["hands"][2]["cards"]
    assert fault_of(verdicts(tmp_path, {"game": text_of(closed)})["game"]) == (dealt["version"], "/salts/hands/2/cards")
