"""The second verifier names the fault that `plateau verify` names in forged games of all rulesets."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache, partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from domain.audit.bundle import Bundle, read
from domain.audit.verifying import Known
from domain.game import aggregate, operating
from domain.laws.play import log_of, starting
from domain.laws.play import written as step_of
from domain.le_plateau.actions import Bid, Pass
from domain.log import chain
from domain.registry import RULESETS
from tests.domain.audit import seed_lies as seeded
from tests.domain.audit.attacks import ATTACKS, GAMES, OPERATORS, bundle_of
from tests.golden.logs import golden_log
from tests.support import node
from tests.support.bundles import Timed, bundle_of_game, copy_of, forged, judged, text_of, written
from tests.support.sampling import GAMES as SHARE
from tests.web.eventful_games import eventful
from tests.web.verifier import fault_of, verdicts

NEEDS_RULES = {
    "the data of another action",
    "an action by another seat",
    "an action twice",
    "an action left out",
    "what follows left out",
    "what follows in another order",
    "another number in what follows",
    "true for a number",
    "other scores",
    "another winner",
    "another reason of the end",
    "an option that makes the game longer",
    "an option that does not exist",
    "a clock that makes no sense",
    "the end too early",
}
"""Attacks that a verifier without the rules does not find: the list in docs/verification.md, in javascript."""


@pytest.fixture(autouse=True)
def _node() -> None:
    node.needed()


def attacked(name: str, attack: str) -> Bundle | None:
    """Attack a game; return None if it has nothing that the attack could change."""
    changed = copy_of(bundle_of(name))
    try:
        ATTACKS[attack](changed, random.Random(f"{attack} 0"))
    except (LookupError, StopIteration, ValueError):
        return None
    return forged(changed, golden_log(name)[0]) if attack in OPERATORS else changed


def assert_found(folder: Path, bundles: dict[tuple[str, str], Bundle]) -> None:
    """Each attack is found in the place where `plateau verify` finds it, unless that needs the rules."""
    told = verdicts(folder, {f"{attack}: {game}": text_of(bundle) for (attack, game), bundle in bundles.items()})
    missed = set()
    for ((attack, _), bundle), (name, verdict) in zip(bundles.items(), told.items(), strict=True):
        fault = judged(bundle).fault
        assert fault is not None
        if verdict["code"] == 2:
            assert isinstance(bundle.header["version"], float), name
        elif verdict["code"] != 1:
            missed.add(attack)
        elif verdict["fault"]["version"] == fault.version:
            assert fault_of(verdict) == (fault.version, fault.field), name
        else:
            assert fault.version is not None, name
            assert verdict["fault"]["version"] > fault.version, name
    assert missed == NEEDS_RULES


def test_attacks_on_any_game_are_found_and_named(tmp_path: Path) -> None:
    """``make long`` attacks every game in each way, and ``make test`` one that has what the attack changes."""
    bundles: dict[tuple[str, str], Bundle] = {}
    for number, attack in enumerate(ATTACKS):
        turned = [GAMES[(number + place) % len(GAMES)] for place in range(len(GAMES))]
        found = ((name, bundle) for name in turned if (bundle := attacked(name, attack)) is not None)
        bundles |= {(attack, name): bundle for name, bundle in islice(found, None if SHARE >= 1 else 1)}
    assert_found(tmp_path, bundles)


SHAPES = ("plute/hand-claimed-set", "plateau/forfeit")


def changed_fields(name: str) -> Iterator[tuple[str, int, str, Bundle]]:
    """Take a field from the first event of each type, and from an object in it, or add one; name where this is."""
    kinds = {event["type"]: place for place, event in enumerate(bundle_of(name).events)}
    for kind, place in sorted(kinds.items()):
        for inner in (False, True):
            for change in ("added", "removed"):
                changed = copy_of(bundle_of(name))
                event: Any = changed.events[place]
                at, part = inside(event["data"]) if inner else ("/data", event["data"])
                public = [key for key in part or () if f"{at}/{key}".removeprefix("/data") not in event["sealed"]]
                if part is None or (change == "removed" and not public):
                    continue
                key = "more" if change == "added" else public[0]
                part.update(more=1) if change == "added" else part.pop(key)
                try:
                    made = forged(changed, golden_log(name)[0])
                except KeyError:
                    continue  # without this field, the log cannot be made consistent again
                yield f"{kind}: {change} {at}/{key}", place + 1, f"{at}/{key}", made


def inside(data: Any) -> tuple[str, Any]:
    """Return the first object within the data of an event, with its place; None if there is none."""
    for key, value in data.items():
        if isinstance(value, dict) and key != "options":
            return f"/data/{key}", value
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return f"/data/{key}/0", value[0]
    return "", None


@pytest.mark.sampled
@pytest.mark.parametrize("name", SHAPES)
def test_an_event_with_a_field_less_or_more_is_found_by_both_verifiers(tmp_path: Path, name: str) -> None:
    forgeries = {what: (version, field, made) for what, version, field, made in changed_fields(name)}
    told = verdicts(tmp_path, {what: text_of(made) for what, (_, _, made) in forgeries.items()})
    assert len(forgeries) > 30
    for what, (version, field, made) in forgeries.items():
        fault = judged(made).fault
        assert fault is not None, what
        assert (fault.version, fault_of(told[what])) == (version, (version, field)), what


# -- seeds that are committed at joining, and opened ------------------------------------------------------------------


def test_whole_games_with_opened_seeds_are_judged_as_by_plateau_verify(tmp_path: Path) -> None:
    bundles = {
        "opened": seeded.honest(),
        "left out": seeded.left_out(),
        "ended": bundle_of_game(seeded.with_one_missing(chosen=("PT1M", "abort"))),
        "over before it begins": bundle_of_game(seeded.over_before_it_begins()),
        "ended before it begins": bundle_of_game(seeded.over_before_it_begins("abort")),
        "more time": bundle_of_game(seeded.complete(chosen=("P3D", "abort"))),
    }
    for name in (
        "opened wrongly", "opened twice", "too few awaited", "phase left out", "longer than the table chose",
        "shorter than the table chose", "no time at all",
    ):  # fmt: skip
        changed = copy_of(seeded.honest())
        seeded.LIES[name](changed)
        bundles[name] = forged(changed, seeded.complete().game)
    for missing in ([], [1]):
        changed = copy_of(seeded.left_out())
        first(changed.events, "seeds_closed")["data"]["missing"] = missing
        bundles[f"{missing} missing"] = forged(changed, seeded.with_one_missing().game)
    told = verdicts(tmp_path, {name: text_of(bundle) for name, bundle in bundles.items()})
    for name, bundle in bundles.items():
        report = judged(bundle)
        assert fault_of(told[name]) == (report.fault and (report.fault.version, report.fault.field)), name
        assert report.fault or len(told[name]["unchecked"]) == len(report.unchecked), name
    for mine in ("seed 0", "x"):
        fault = judged(seeded.honest(), Known(seeds=((0, mine),))).fault
        told = verdicts(tmp_path, {"game": text_of(seeded.honest())}, "--mine", f"0={mine}")
        assert fault_of(told["game"]) == (fault and (fault.version, fault.field))
        assert (fault is None) is (mine == "seed 0")


# -- what the operator, clocks and bots do ----------------------------------------------------------------------------


@cache
def eventful_games() -> dict[str, Bundle]:
    return dict(eventful())


def changed_game(name: str, change: Callable[[list[Any]], object]) -> Bundle:
    """Change a game, and make everything else consistent again."""
    bundle = copy_of(eventful_games()[name])
    change(bundle.events)  # type: ignore[arg-type]
    created = bundle.events[0]["data"]
    ruleset = RULESETS[created["ruleset"]]
    options = ruleset.options.complete(created["options"], created["seats"])
    secret, sitters = bytes.fromhex(created["secret"]), (None,) * created["seats"]
    game: Any = SimpleNamespace(ruleset=ruleset, options=options, sitters=sitters, secret=secret)
    return forged(bundle, game)


def first(events: list[Any], kind: str, number: int = 0) -> Any:
    return [event for event in events if event["type"] == kind][number]


def without_its_result(events: list[Any], act: str) -> None:
    acted = next(event for event in events if event["type"] == "operator_acted" and event["data"]["act"] == act)
    acted["data"]["act"] = "abort" if act == "replace" else "replace"


def exchanged(events: list[Any], one: int, other: int) -> None:
    for part in ("seat", "data"):
        events[one][part], events[other][part] = events[other][part], events[one][part]


def proposal(events: list[Any], kind: str) -> Any:
    return next(event for event in events if event["type"] == "proposal_made" and event["data"]["kind"] == kind)


def marked(events: list[Any]) -> Any:
    """Return the first event of what a bot did in its own seat."""
    return next(event for event in events if "bot" in event and event["type"] != "turn_timed_out")


def mark(event: Any, model: Any) -> None:
    """Note the move of a bot at an event."""
    event["bot"] = deepcopy(model["bot"])
    event["sealed"][chain.THOUGHT] = ""


def unmark(event: Any) -> None:
    del event["bot"]
    del event["sealed"][chain.THOUGHT]


def by_a_person(events: list[Any], *types: str) -> Any:
    return next(
        event for event in events if event["seat"] in {0, 1, 2, 5} and event["type"] in types and "bot" not in event
    )


def of_bot(parts: dict[str, Any], events: list[Any]) -> None:
    marked(events)["bot"].update(parts)


def of_thought(parts: dict[str, Any], events: list[Any]) -> None:
    marked(events)["bot"]["thought"].update(parts)


BOTS = "bots in seats and for a late player"
MOVES = ("passed", "bid_made")
ON_BOTS: dict[str, Callable[[list[Any]], object]] = {
    "a person's move as a bot's": lambda events: mark(by_a_person(events, *MOVES), marked(events)),
    "a join as a bot's": lambda events: mark(first(events, "seat_taken"), marked(events)),
    "a proposal as a bot's": lambda events: mark(first(events, "proposal_made"), marked(events)),
    "the seating of a bot as its own": lambda events: mark(first(events, "bot_seated"), marked(events)),
    "what follows as a bot's": lambda events: mark(first(events, "phase_began"), marked(events)),
    "the creation as a bot's": lambda events: mark(events[0], marked(events)),
    "the move after a timeout as another one of the bot": lambda events: mark(
        events[first(events, "turn_timed_out")["version"]], marked(events)
    ),
    "a bot's move without a mark": lambda events: unmark(
        next(
            event
            for event in events
            if "bot" in event and event["seat"] != marked(events)["seat"] and event["type"] != "turn_timed_out"
        )
    ),
    "a bot's move for a late player without a mark": lambda events: unmark(first(events, "turn_timed_out")),
    "another bot for a late player": lambda events: first(events, "turn_timed_out")["bot"].update(name="greedy"),
    **{
        f"a bot with {part} {content!r}": partial(of_bot, {part: content})
        for part, contents in {
            "name": ["greedy", None],
            "version": [2, -1, "1"],
            "playouts": [-1, True],
            "more": [1],
        }.items()
        for content in contents
    },
    **{
        f"a thought with {part} {content!r}": partial(of_thought, {part: content})
        for part, contents in (("done", [1, -1, None]), ("seed", [5, "5"]), ("chosen", ["me"]), ("more", [1]))
        for content in contents
    },
    "playouts of a bot that failed": lambda events: (
        of_bot({"playouts": 9}, events),
        of_thought({"done": 1, "chosen": "any_legal"}, events),
    ),
}


ALL, CLAIM, OPEN, FORK = "timeouts, pauses, take-backs, bots", "a claim", "an operator who ends an open game", "a fork"
FORGERIES: dict[str, tuple[str, Callable[[list[Any]], object]]] = {
    "an abort that ends nothing": (ALL, lambda events: without_its_result(events, "replace")),
    "a replacement that ends a game": (OPEN, lambda events: without_its_result(events, "abort")),
    "another act of the operator": (ALL, lambda events: first(events, "operator_acted")["data"].update(act="x")),
    "an end by agreement at another time": (ALL, lambda events: events[-1].update(at="2031-01-01T00:00:00.000Z")),
    "an end by the operator at another time": (OPEN, lambda events: events[-1].update(at="2031-01-01T00:00:00.000Z")),
    "a timeout of a bot": (ALL, lambda events: first(events, "turn_timed_out").update(seat=3)),
    "a claim of nobody's time": (CLAIM, lambda events: first(events, "timeout_claimed")["data"].update(late=None)),
    "a claim of a seat that is none": (CLAIM, lambda events: first(events, "timeout_claimed")["data"].update(late=2)),
    "a claim without who is late": (CLAIM, lambda events: first(events, "timeout_claimed")["data"].pop("late")),
    "a bot over a bot": (ALL, lambda events: events.insert(47, {**first(events, "bot_seated", 1), "salts": {}})),
    "a pause that ends by agreement": (
        ALL,
        lambda events: first(events, "game_resumed")["data"].update(reason="agreed"),
    ),
    "an agreement that is a pause over": (
        ALL,
        lambda events: first(events, "game_resumed", 1)["data"].update(reason="over"),
    ),
    "a take-back with a duration": (ALL, lambda events: proposal(events, "take_back")["data"].update(duration="PT5M")),
    "an end with a duration": (ALL, lambda events: proposal(events, "abort")["data"].update(duration="PT5M")),
    "an end with a version": (ALL, lambda events: proposal(events, "abort")["data"].update(to_version=3)),
    "a pause without a duration": (ALL, lambda events: proposal(events, "pause")["data"].update(duration=None)),
    "seats of a fork in another order": (FORK, lambda events: exchanged(events, 1, 2)),
    **{
        f"a seed of another form, {str(seed)[:7]}": (
            CLAIM,
            lambda events, seed=seed: events[2]["data"].update(client_seed=seed),
        )
        for seed in (True, 7, {}, ["x"], "", "x" * 65)
    },
    **{
        f"a commitment of another form, {made}": (
            OPEN,
            lambda events, made=made: events[2]["data"].update(client_seed=None, seed_commitment=made),
        )
        for made in ("2", "start", 7, {})
    },
}


def test_what_needs_no_rules_is_found_and_named_by_both_verifiers(tmp_path: Path) -> None:
    bundles = {name: changed_game(*place) for name, place in FORGERIES.items()}
    told = verdicts(tmp_path, {name: text_of(bundle) for name, bundle in bundles.items()})
    expected = {name: judged(bundle).fault for name, bundle in bundles.items()}
    assert {name for name, fault in expected.items() if fault is None} == set()
    found = {name: (each["fault"] or {}).get("version") for name, each in told.items()}
    assert found == {name: fault and fault.version for name, fault in expected.items()}


def test_what_a_log_says_of_bots_is_checked_by_both_verifiers(tmp_path: Path) -> None:
    bundles = {name: changed_game(BOTS, change) for name, change in ON_BOTS.items()}
    told = verdicts(tmp_path, {name: text_of(bundle) for name, bundle in bundles.items()})
    for name, bundle in bundles.items():
        fault = judged(bundle).fault
        assert fault is not None, name
        assert fault_of(told[name]) == (fault.version, fault.field), name


def test_a_log_that_notes_no_bots_is_named_by_both_verifiers(tmp_path: Path) -> None:
    bundle = changed_game(BOTS, lambda events: [unmark(event) for event in events if "bot" in event])
    report = judged(bundle)
    told = verdicts(tmp_path, {"game": text_of(bundle)})["game"]
    assert (report.fault, told["code"], len(report.unchecked)) == (None, 3, 1)
    assert told["unchecked"] == [*report.unchecked]


def test_of_two_gifts_of_a_bot_the_first_alone_has_a_mark(tmp_path: Path) -> None:
    game = Timed("le-plateau", 6, "bot", bots=range(1, 6), first_dealer=0)
    game.do(aggregate.act(game.game, 1, Bid(objective="y", team="trio", exchange=True)))
    for _ in range(5):
        game.do(aggregate.act(game.game, game.game.waiting_for[0], Pass()))
    while not (gifts := [record.version - 1 for record in game.records if record.type == "card_given"]):
        game.act(minutes=0)  # so that no time tells the gifts from what was before
    game.agree("abort")
    text = written(game.game, game.records)
    first, second = gifts
    forgeries: dict[str, tuple[int, Callable[[list[Any]], object]]] = {
        "without": (first, lambda events: unmark(events[first])),
        "both": (second, lambda events: mark(events[second], events[first])),
        "the other": (first, lambda events: (mark(events[second], events[first]), unmark(events[first]))),
    }
    bundles = {"honest": read(text)}
    for name, (_, change) in forgeries.items():
        changed = copy_of(bundles["honest"])
        change(changed.events)  # type: ignore[arg-type]
        bundles[name] = forged(changed, game.game)
    told = verdicts(tmp_path, {name: text_of(bundle) for name, bundle in bundles.items()})
    assert (judged(bundles["honest"]).fault, told["honest"]["fault"]) == (None, None)
    for name, (place, _) in forgeries.items():
        fault = judged(bundles[name]).fault
        assert fault is not None
        assert fault_of(told[name]) == (fault.version, fault.field) == (place + 1, "/bot")


@pytest.mark.parametrize("version", [4, 5, 6])
def test_a_head_seen_before_opening_must_show_that_all_seeds_were_fixed(tmp_path: Path, version: int) -> None:
    bundle = seeded.honest()
    head = (version, bundle.events[version - 1]["hash"])
    fault = judged(bundle, Known(opened_after=(head,))).fault
    given = ("--opened-after", f"{head[0]}:{head[1]}")
    told = verdicts(tmp_path, {"game": text_of(bundle)}, *given)["game"]
    assert fault_of(told) == (fault and (fault.version, fault.field))
    assert (fault is None) is (version >= 5)


def test_the_same_dealer_deals_again_while_nobody_takes(tmp_path: Path) -> None:
    options = {"five_player_mode": "dead_dealer", "deals": 5}
    steps = [*starting(RULESETS["french-tarot"], 5, 0, options)]
    for _ in range(12):
        game = steps[-1].game
        (seat,) = game.pending
        action = next(each for each in game.ruleset.legal_actions(game.state, seat) if type(each).__name__ == "Pass")
        steps.append(step_of(game, seat, action, aggregate.act(game, seat, action)))
    decided = operating.abort(steps[-1].game, "stuck")
    steps.append(step_of(steps[-1].game, None, None, decided))
    bundle = read(written(steps[-1].game, log_of(steps)))
    assert judged(bundle).fault is None
    assert fault_of(verdicts(tmp_path, {"game": text_of(bundle)})["game"]) is None
