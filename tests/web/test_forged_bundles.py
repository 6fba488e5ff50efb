"""The second verifier names the fault that `plateau verify` names in forged games of all rulesets."""

import hashlib
import json
import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from domain.audit.bundle import Bundle
from domain.audit.verifying import Known
from domain.log import chain
from tests.clients import node
from tests.domain.audit import test_seeds as seeded
from tests.domain.audit.attacks import OPERATORS, OUTSIDERS
from tests.domain.audit.bundles import copy_of, forged, judged, text_of
from tests.domain.audit.test_attacks import ATTACKS, GAMES, bundle_of
from tests.golden.logs import golden_log
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
    "an event of another shape",
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
    bundles = {(attack, name): attacked(name, attack) for attack in ATTACKS for name in GAMES}
    assert_found(tmp_path, {place: bundle for place, bundle in bundles.items() if bundle is not None})


def test_at_least_forty_kinds_of_attacks_are_found_without_the_rules() -> None:
    assert NEEDS_RULES.issubset(OPERATORS)
    assert len({*OUTSIDERS, *OPERATORS} - NEEDS_RULES) >= 60


# -- seeds that are committed at joining, and opened ------------------------------------------------------------------


def commitment(game_id: str, player: str, seed: str) -> str:
    return hashlib.sha256(chain.canonical(["seed", game_id, player, seed])).hexdigest()


def with_commitments(
    *opened: tuple[int, str], missing: tuple[int, ...] = (), awaited: tuple[int, ...] = (0, 1)
) -> Bundle:
    """A game of Plateau, which draws nothing, whose two players have committed to the seeds "a" and "b"."""
    bundle = copy_of(bundle_of("plateau/forfeit"))
    seats = [event for event in bundle.events if event["type"] == "seat_taken"]
    for event, seed in zip(seats, "ab", strict=True):
        event["data"] |= {
            "client_seed": None,
            "seed_commitment": commitment(event["game_id"], event["data"]["player"], seed),
        }
    bundle.events[0]["data"]["opening"] = {"within": "PT0S", "unopened": "start"}
    model: dict[str, Any] = {**seats[1], "seat": None, "sealed": {}, "salts": {}}
    phase = [
        {**model, "type": "seeds_awaited", "data": {"seats": [*awaited], "until": seats[1]["at"]}},
        *({**model, "type": "seed_opened", "seat": seat, "data": {"seed": seed}} for seat, seed in opened),
        {**model, "type": "seeds_closed", "data": {"missing": [*missing]}},
    ]
    place = bundle.events.index(seats[1]) + 1
    bundle.events[place:place] = deepcopy(phase)  # type: ignore[index]
    return forged(bundle, golden_log("plateau/forfeit")[0])


def test_committed_seeds_are_opened_or_left_out_visibly(tmp_path: Path) -> None:
    texts = {
        "both": with_commitments((1, "b"), (0, "a")),
        "one missing": with_commitments((1, "b"), missing=(0,)),
        "wrong": with_commitments((1, "b"), (0, "x")),
        "twice": with_commitments((1, "b"), (1, "b"), (0, "a")),
        "hidden": with_commitments((1, "b"), missing=()),
        "another missing": with_commitments((1, "b"), missing=(1,)),
        "not awaited": with_commitments((1, "b"), (0, "a"), awaited=(1,)),
    }
    told = verdicts(tmp_path, {name: text_of(bundle) for name, bundle in texts.items()})
    first = 1 + next(event["version"] for event in texts["both"].events if event["type"] == "seeds_awaited")
    assert {name: fault_of(each) for name, each in told.items()} == {
        "both": None,
        "one missing": None,
        "wrong": (first + 1, "/data/seed"),
        "twice": (first + 1, "/type"),
        "hidden": (first + 1, "/data/missing"),
        "another missing": (first + 1, "/data/missing/0"),
        "not awaited": (first - 1, "/data/seats"),
    }
    whole = {"game": text_of(texts["both"])}
    assert verdicts(tmp_path, whole, "--mine", "0=a")["game"]["code"] == 0
    assert fault_of(verdicts(tmp_path, whole, "--mine", "0=x")["game"]) == (2, "/data/seed_commitment")
    skipped = copy_of(texts["both"])
    gone = ("seeds_awaited", "seed_opened", "seeds_closed")
    kept = [event for event in skipped.events if event["type"] not in gone]
    left_out = forged(Bundle(skipped.header, kept, skipped.draws), golden_log("plateau/forfeit")[0])
    assert fault_of(verdicts(tmp_path, {"game": text_of(left_out)})["game"]) == (first - 1, "/type")
    assert json.loads(text_of(left_out).splitlines()[0])["bundle"]["version"] == len(kept)


def test_whole_games_with_opened_seeds_are_judged_as_by_plateau_verify(tmp_path: Path) -> None:
    bundles = {
        "opened": seeded.honest(),
        "left out": seeded.left_out(),
        "ended": seeded.bundle_of(seeded.with_one_missing(chosen=("PT1M", "abort"))),
        "more time": seeded.bundle_of(seeded.complete(chosen=("P3D", "abort"))),
    }
    changes = [seeded.opened_wrongly, seeded.opened_twice, seeded.too_few_awaited, seeded.phase_left_out]
    changes += [seeded.longer_than_the_table_chose, seeded.shorter_than_the_table_chose, seeded.no_time_at_all]
    for change in changes:
        changed = copy_of(seeded.honest())
        change(changed)
        bundles[change.__name__] = forged(changed, seeded.complete().game)
    told = verdicts(tmp_path, {name: text_of(bundle) for name, bundle in bundles.items()})
    for name, bundle in bundles.items():
        report = judged(bundle)
        assert fault_of(told[name]) == (report.fault and (report.fault.version, report.fault.field)), name
        assert report.fault or len(told[name]["unchecked"]) == len(report.unchecked), name


@pytest.mark.parametrize("version", [4, 5, 6])
def test_a_head_seen_before_opening_must_show_that_all_seeds_were_fixed(tmp_path: Path, version: int) -> None:
    bundle = seeded.honest()
    head = (version, bundle.events[version - 1]["hash"])
    fault = judged(bundle, Known(opened_after=(head,))).fault
    given = ("--opened-after", f"{head[0]}:{head[1]}")
    told = verdicts(tmp_path, {"game": text_of(bundle)}, *given)["game"]
    assert fault_of(told) == (fault and (fault.version, fault.field))
    assert (fault is None) is (version >= 5)
