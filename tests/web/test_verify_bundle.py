"""The second verifier, in JavaScript: it agrees with `plateau verify` on honest and on forged games of all rulesets."""

import hashlib
import json
import random
import re
import zlib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.audit.bundle import Bundle, Unreadable, read
from domain.audit.verifying import Known
from domain.chance import Chance
from domain.events import EVENTS
from domain.field_types import fields_of
from domain.game import aggregate, history, operating, seating, timeouts
from domain.game.forks import decision_at, position
from domain.laws.play import log_of
from domain.log import chain
from domain.log.record import Record
from domain.registry import BUILT_IN
from tests.clients import node
from tests.docs import sealed_parts
from tests.domain.audit.attacks import OPERATORS, OUTSIDERS
from tests.domain.audit.bundles import bundle_of as seen_by
from tests.domain.audit.bundles import copy_of, forged, judged, written
from tests.domain.audit.test_attacks import ATTACKS, GAMES, bundle_of
from tests.domain.audit.test_honest_games import Timed
from tests.domain.log import test_logs_with_take_backs as take_backs
from tests.domain.log.test_old_logs import LOG
from tests.domain.play import SMALLEST, VARIANTS, played
from tests.golden.logs import golden_log
from tests.golden.test_golden_games import GAMES as GOLDEN
from tests.golden.test_golden_games import game_name
from tests.web.verifier import exported, run, text_of, verdicts

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


def fault_of(told: dict[str, Any]) -> tuple[int | None, str] | None:
    return told["fault"] and (told["fault"]["version"], told["fault"]["field"])


def assert_agrees(folder: Path, bundles: dict[str, Bundle]) -> None:
    """Both verify whole games without a reservation, and warn of the same ones."""
    told = verdicts(folder, {name: text_of(bundle) for name, bundle in bundles.items()})
    for name, bundle in bundles.items():
        report = judged(bundle)
        assert (report.fault, told[name]["fault"]) == (None, None), name
        assert bool(report.unchecked) is bool(told[name]["unchecked"]), name
        assert told[name]["events"] == report.version


def test_honest_games_verify(tmp_path: Path) -> None:
    bundles = {name: bundle_of(name) for name in GAMES}
    bundles |= {f"{ruleset} {seats}": seen_by(played(ruleset, seats, 0)) for ruleset, seats in SMALLEST}
    bundles |= dict(eventful())
    assert_agrees(tmp_path, bundles)


def test_old_logs_verify(tmp_path: Path) -> None:
    logs = {name: take_backs.log_of(name) for name in ("take_backs_plateau", "take_backs_plute")} | {"0.1.0": LOG}
    told = verdicts(tmp_path, {name: written(history.fold(log), log) for name, log in logs.items()})
    assert {name: each["fault"] for name, each in told.items()} == dict.fromkeys(logs)


@pytest.mark.long
def test_every_golden_game_and_every_variant_verifies(tmp_path: Path) -> None:
    names = [game_name(path) for path in GOLDEN]
    texts = {name: written(*golden_log(name)) for name in names}
    for ruleset, seats, variant in VARIANTS:
        steps = played(ruleset, seats, 1, variant)
        texts[f"{ruleset} {seats} {variant}"] = written(steps[-1].game, log_of(steps))
    told = verdicts(tmp_path, texts)
    assert {name: (each["fault"], each["unchecked"]) for name, each in told.items()} == dict.fromkeys(texts, (None, []))


def test_running_games_verify_for_each_viewer_as_far_as_they_go(tmp_path: Path) -> None:
    bundles = {
        f"{ruleset} {seats} {viewer} {cut}": seen_by(played(ruleset, seats, 0)[:-cut], viewer)
        for ruleset, seats in SMALLEST
        for viewer in (None, 0, 1)
        for cut in (2, 9)
    }
    assert_agrees(tmp_path, bundles)


def eventful() -> Iterator[tuple[str, Bundle]]:
    """Games in which everything happens that can happen in any game."""
    game = Timed("plute", 6, "bot", bots=(3,))
    seat = game.late()
    game.do(timeouts.act_late(game.game, seat, "random", game.game.ruleset.legal_actions(game.game.state, seat)[0]), 0)
    game.do(timeouts.credit(game.game, [(game.now, game.now + 60_000)]))
    game.agree("pause", "PT5M")
    game.now += 5 * 60_000
    game.do(timeouts.resume(game.game, game.now), 0)
    game.agree("pause")
    game.agree("resume")
    game.act()
    game.agree("take_back", None, game.game.positions[0].version)
    game.do(seating.put_bot(game.game, "pl_1", 1, "random"))
    game.do(operating.replace(game.game, 2, "random", "gone for good"))
    game.agree("abort")
    yield "timeouts, pauses, take-backs, bots", read(written(game.game, game.records))
    game = Timed("plateau", 2, "wait", open_seats=(1,))
    game.do(seating.join(game.game, "pl_1", 1, "a seed of my own", game.game.head))
    (waiting,) = game.game.waiting_for
    game.late()
    game.do(timeouts.claim(game.game, 1 - waiting, game.now), 0)
    game.do(timeouts.resign_late(game.game, waiting), 0)
    yield "a claim", read(written(game.game, game.records))
    game = Timed("le-plateau", 3, "bot", open_seats=(1, 2))
    game.do(seating.join(game.game, "pl_1", 2, "a seed"))
    game.do(seating.leave(game.game, "pl_1", 2))
    game.do(operating.abort(game.game, "stuck"))
    yield "an operator who ends an open game", read(written(game.game, game.records))
    yield "a fork", fork()


def fork() -> Bundle:
    """A fork of a game of Plute, played to its end."""
    steps = played("plute", 6, 0)
    log = log_of(steps[: len(steps) // 2])
    at = position(log, decision_at(log, log[-1].version), 0)
    new = seating.NewGame(
        id="gm_fork",
        ruleset=at.game.ruleset,
        options=at.game.options,
        visibility="private",
        sandbox=True,
        creator="pl_0",
        sitters=("pl_0",) * 6,
        forked_from=at.origin,
    )
    secret, records, rng = bytes(range(32)), list[Record](), random.Random(0)
    story = tuple(at.story(Chance(secret, new.id, (None,) * 6)))
    decided = seating.create(replace(new, story=story), secret)
    game = None
    while True:
        more, game = history.record(game, decided, log[-1].at, "")
        records += more
        if game.is_over:
            return read(written(game, records))
        seat = game.waiting_for[0]
        decided = aggregate.act(game, seat, rng.choice([*game.ruleset.legal_actions(game.state, seat)]))


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


def test_attacks_are_found_and_named(tmp_path: Path) -> None:
    """Each on one game, chosen by the attack, that has something to change."""
    bundles = {}
    for attack in ATTACKS:
        start = zlib.crc32(attack.encode()) % len(GAMES)
        names = (*GAMES[start:], *GAMES[:start])
        game, bundle = next((name, found) for name in names if (found := attacked(name, attack)) is not None)
        bundles[attack, game] = bundle
    assert_found(tmp_path, bundles)


@pytest.mark.long
def test_attacks_on_any_game_are_found_and_named(tmp_path: Path) -> None:
    bundles = {(attack, name): attacked(name, attack) for attack in ATTACKS for name in GAMES}
    assert_found(tmp_path, {place: bundle for place, bundle in bundles.items() if bundle is not None})


def test_at_least_forty_kinds_of_attacks_are_found_without_the_rules() -> None:
    assert NEEDS_RULES.issubset(OPERATORS)
    assert len({*OUTSIDERS, *OPERATORS} - NEEDS_RULES) >= 60


FORMS = [
    (b'"format": 1', b'"format": 2'),
    (b'"format": 1', b'"format": true'),
    (b'"format": 1', b'"format": 1, "format": 1'),
    (b'"format": 1', b'"format": 1, "more": 1'),
    (b'"format": 1', b'"format": 1, "__proto__": 1'),
    (b'"version": 1,', b'"version": 1.0,'),
    (b'"version": 1,', b'"version": 1e0,'),
    (b'"version": 1,', b'"version": 01,'),
    (b'"version": 1,', b'"version": NaN,'),
    (b'"version": 1,', b'"version": 1,,'),
    (b'"version": 1,', b'"version": 1 "x": 1,'),
    (b'"version": 1,', b"'version': 1,"),
    (b'{"event": ', b'{"bundle": {}, "event": '),
    (b'{"event": ', b'{"bundle": '),
    (b'{"event": ', b'{"event": [], "": '),
    (b'{"event": ', b'\xef\xbb\xbf{"event": '),
    (b'{"event": ', b'{"event": \xff'),
    (b'{"event": ', b'["event", '),
    (b'{"event": ', b'{"event": ' + b"[" * 99_999),
    (b"}\n", b"},}\n"),
    (b"}\n", b"}}\n"),
    (b"\n", b""),
    (b"\n", b"\n\n"),
    (b"\n", b"\r\n\n"),
    (b"}\n", b"}\x0b\n"),
    (b"gm_", b"g\nm_"),
    (b"gm_", b"g\x01m_"),
    (b"gm_", b"\\x"),
    (b"gm_", b"\\ud83"),
]
HARMLESS = [
    (b"}\n", b"} \r\n"),
    (b'"event": ', b'"event"\t: '),
    (b"gm_", b"\\u0067m_"),
    (b'"version": 1,', b'"version":1 ,'),
]
"""What changes nothing: JSON can be written in several ways."""


def test_files_of_another_form_are_not_read_by_both(tmp_path: Path) -> None:
    text = written(*golden_log(GAMES[0]))
    texts = {f"{new!r}": text.replace(old, new, 1) for old, new in FORMS}
    texts |= {f"cut {count}": text[:-count] for count in (1, 2, 70, 1000)} | {"empty": b""}
    for each in texts.values():
        with pytest.raises(Unreadable):
            read(each)
    told = verdicts(tmp_path, texts)
    assert {name: each["code"] for name, each in told.items()} == dict.fromkeys(texts, 2)
    same = verdicts(tmp_path, {f"{new!r}": text.replace(old, new) for old, new in HARMLESS})
    assert {each["code"] for each in same.values()} == {0}


def test_a_flipped_bit_anywhere_is_judged_as_by_plateau_verify(tmp_path: Path) -> None:
    text, rng, texts, expected = written(*golden_log(GAMES[0])), random.Random(1), {}, {}
    for _ in range(60):
        place = rng.randrange(len(text))
        damaged = bytearray(text)
        damaged[place] ^= 1 << rng.randrange(7)
        name = f"byte {place}"
        texts[name] = bytes(damaged)
        try:
            report = judged(read(texts[name]))
            expected[name] = (report.fault.version, report.fault.field) if report.fault else "unchecked"
        except Unreadable:
            expected[name] = "unreadable"
    told = verdicts(tmp_path, texts)
    kinds = {2: "unreadable", 3: "unchecked"}
    assert {name: kinds.get(each["code"]) or fault_of(each) for name, each in told.items()} == expected


def test_what_somebody_knows_is_compared(tmp_path: Path) -> None:
    bundle = seen_by(played("plute", 6, 0))
    heads = [(event["version"], event["hash"]) for event in bundle.events]
    for mine, seen, after in (
        ((0, "seed 0"), heads[-1], heads[0]),
        ((0, "seed 1"), heads[-1], heads[0]),
        ((1, "nothing"), heads[3], heads[0]),
        ((2, "seed 2"), heads[3], heads[0]),
        ((2, "seed 2"), (3, "0" * 64), heads[0]),
        ((2, "seed 2"), (9999, "0" * 64), heads[0]),
        ((2, "seed 2"), heads[0], heads[8]),
    ):
        report = judged(bundle, Known((mine,), (seen,), (after,)))
        heads_given = ("--seen", f"{seen[0]}:{seen[1]}", "--joined-after", f"{after[0]}:{after[1]}")
        given = ("--mine", f"{mine[0]}={mine[1]}", *heads_given)
        told = verdicts(tmp_path, {"game": text_of(bundle)}, *given)["game"]
        assert fault_of(told) == (report.fault and (report.fault.version, report.fault.field))
        if report.fault is None:
            assert told["unchecked"] == [*report.unchecked]


def test_under_rules_that_it_does_not_know_the_draws_are_made_as_they_are_stated(tmp_path: Path) -> None:
    name = "french-tarot/3-petite"
    bundle = copy_of(bundle_of(name))
    bundle.header["rules_version"] = bundle.events[0]["data"]["rules_version"] = 99  # type: ignore[index]
    honest = forged(bundle, golden_log(name)[0])
    cheat = copy_of(honest)
    dealt = next(event for event in cheat.events if event["type"] == "cards_dealt")
    one, other = dealt["data"]["hands"][:2]
    one["cards"], other["cards"] = other["cards"], one["cards"]
    told = verdicts(tmp_path, {"honest": text_of(honest), "cheat": text_of(forged(cheat, golden_log(name)[0]))})
    assert (told["honest"]["code"], len(told["honest"]["unchecked"])) == (3, 1)
    assert fault_of(told["cheat"]) in [(dealt["version"], f"/data/hands/{seat}/cards") for seat in (0, 1)]


def test_it_knows_every_type_of_event_and_what_is_sealed_in_it() -> None:
    types, sealed = exported("TYPES", "SEALED")
    for name, events in (("all", EVENTS), *((ruleset.id, ruleset.events) for ruleset in BUILT_IN)):
        for each, cls in events.items():
            kind = "bySeat" if any(part.key == "seat" for part in fields_of(cls)) else "forced"
            assert each in types[name][kind]
    assert {*types} == {"all", *(ruleset.id for ruleset in BUILT_IN)}
    names = {"all": "all", **{ruleset.name: ruleset.id for ruleset in BUILT_IN}}
    rows = re.findall(r"^\| ([^|]+) \| `(\w+)` \| `([^`]+)`", "\n".join(sealed_parts.lines()), re.MULTILINE)
    known = [(game, kind, at) for game, kinds in sealed.items() for kind, parts in kinds.items() for at in parts]
    assert sorted(known) == sorted((names[game], kind, at) for game, kind, at in rows)


def test_the_program_prints_one_line_for_a_file_and_one_for_each_warning(tmp_path: Path) -> None:
    text = written(*golden_log(GAMES[0]))
    good, bad, torn, open_ = (tmp_path / f"{name}.jsonl" for name in ("good", "bad", "torn", "open"))
    good.write_bytes(text)
    bad.write_bytes(text.replace(b'"seat": 1', b'"seat": 0', 1))
    torn.write_bytes(text[:-1])
    open_.write_bytes(text + b'{"witness": {}}\n')
    assert (run(good).returncode, run(good).stdout.count("\n")) == (0, 1)
    assert ": verified, " in run(good).stdout
    assert (run(bad).returncode, run(bad).stdout) == (1, "")
    assert ": WRONG: version 3, /hash: expected " in run(bad).stderr
    assert (run(torn).returncode, run(tmp_path / "nothing").returncode) == (2, 2)
    assert (run(open_).returncode, run(open_).stdout.count("warning: 1 lines of the unknown kind")) == (3, 1)
    assert [run(good, open_, torn).returncode, run(torn, bad).returncode] == [2, 1]
    for wrong in ((), ("--mine", "seed", good), ("--seen", "x:1", good), ("--other", good)):
        assert (run(*wrong).returncode, run(*wrong).stderr.count("usage")) == (2, 1)


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
    model: dict[str, Any] = {**seats[1], "seat": None, "sealed": {}, "salts": {}}
    phase = [
        {**model, "type": "seeds_awaited", "data": {"seats": [*awaited], "until": None}},
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
