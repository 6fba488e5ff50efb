"""The second verifier, in JavaScript: it agrees with `plateau verify` on honest and on forged games of all rulesets."""

import hashlib
import json
import random
import re
from pathlib import Path

import pytest

from domain.audit.bundle import Bundle, Unreadable, read
from domain.audit.verifying import Known
from domain.events import EVENTS, GameAborted
from domain.field_types import fields_of
from domain.game import history
from domain.game.aggregate import MOST_EVENTS, settled
from domain.laws.play import log_of
from domain.log import chain
from domain.registry import BUILT_IN, RULESETS
from service.games.projections.auditing import audit
from tests.docs import sealed_parts
from tests.domain.audit.attacks import GAMES, bundle_of
from tests.golden import stored_logs
from tests.golden.logs import GAMES as GOLDEN
from tests.golden.logs import game_name, golden_log
from tests.support import node
from tests.support.bundles import Timed, copy_of, forged, judged, text_of, written
from tests.support.bundles import bundle_of as seen_by
from tests.support.random_games import played
from tests.support.sampling import LARGEST, SMALLEST, VARIANTS
from tests.support.server import ROOT
from tests.web.eventful_games import eventful
from tests.web.verifier import VERIFIER, evaluated, fault_of, run, verdicts


@pytest.fixture(autouse=True)
def _node() -> None:
    node.needed()


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


@pytest.mark.parametrize("reason", ["idle", "endless"])
def test_a_game_that_cannot_have_ended_so_is_named(tmp_path: Path, reason: str) -> None:
    assert f"const MOST_EVENTS = {MOST_EVENTS};" in VERIFIER.read_text(), "both verifiers know where a log is full"
    game = Timed("plateau", 2, "resign")
    game.do(settled(game.game, [GameAborted(reason, game.game.secret.hex())]))
    told = verdicts(tmp_path, {reason: written(game.game, game.records)})[reason]
    assert told["fault"]["version"] == game.game.version


def test_old_logs_verify(tmp_path: Path) -> None:
    logs = {name: stored_logs.log_of(name) for name in ("take_backs_plateau", "take_backs_plute", stored_logs.FIRST)}
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


HASHES_AND_DRAWS = """(module, texts, vectors) => {
  const { sha256, hex, unhex, utf8, below, permutation, canonical } = module;
  const chance = (vector) => ({ secret: unhex(vector.secret), id: vector.game_id, seeds: vector.seeds });
  return {
    hashes: texts.map((text) => hex(sha256(utf8(text)))),
    commitments: vectors.commitments.map(({ secret }) => hex(sha256(unhex(secret)))),
    numbers: vectors.numbers.map((of) => below(chance(of), of.label, of.number, of.below)),
    permutations: vectors.permutations.map((of) => permutation(chance(of), of.label, of.number, of.items)),
    canonical: canonical({ "\\uffff": 1, "😀": [null, true, "\\u0001\\u007f\\"é"], b: {}, a: -3, B: "\\u2028" }),
  };
}"""


def test_hashes_and_draws_agree_with_the_published_vectors() -> None:
    vectors = json.loads((ROOT / "tests/domain/chance_vectors.json").read_text())
    texts = ["a" * length for length in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000)] + ["é♠日本𝄞" * 20]
    value = {"\uffff": 1, "😀": [None, True, '\u0001\u007f"é'], "b": {}, "a": -3, "B": "\u2028"}
    assert evaluated(HASHES_AND_DRAWS, texts, vectors) == {
        "hashes": [hashlib.sha256(text.encode()).hexdigest() for text in texts],
        "commitments": [vector["commitment"] for vector in vectors["commitments"]],
        "numbers": [vector["drawn"] for vector in vectors["numbers"]],
        "permutations": [vector["permutation"] for vector in vectors["permutations"]],
        "canonical": chain.canonical(value).decode(),
    }


IN_STEPS = """async ({ forged, fromAudit, verifyInSteps, Wrong }, audits) => {
  const tried = async (audit) => {
    const steps = [];
    try {
      const { sealed, opened } = await verifyInSteps(fromAudit(audit), (done) => steps.push(done));
      return [sealed, opened, steps.at(-1)];
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      return [error.version, error.kind];
    }
  };
  return Promise.all(audits.map(async (audit) => {
    const changed = forged(audit);
    return [await tried(audit), await tried(changed.audit), [changed.version, "seal"]];
  }));
}"""


def test_games_verify_in_steps_and_one_changed_thing_is_found() -> None:
    steps = [played(*table, 0) for table in LARGEST]
    audits = [{**audit(each[-1].game, None, log_of(each))} for each in steps]
    for (whole, changed, wanted), document in zip(evaluated(IN_STEPS, audits), audits, strict=True):
        sealed = sum(len(event["sealed"]) for event in document["events"])
        assert whole == [sealed, sealed, 1]
        assert changed == wanted


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
    assert (told["honest"]["code"], told["honest"]["unchecked"]) == (
        3,
        [
            'version 99 of the rules of "french-tarot" is not known here: what is sealed was not checked, and the '
            "draws only as they are stated"
        ],
    )
    report = judged(honest)
    assert (report.fault, report.unchecked) == (
        None,
        (
            f"the game follows version 99 of the rules, and {RULESETS['french-tarot'].version} is installed: seals, "
            "draws and legality were not checked",
        ),
    )
    assert fault_of(told["cheat"]) in [(dealt["version"], f"/data/hands/{seat}/cards") for seat in (0, 1)]


def test_it_knows_every_type_of_event_and_what_is_sealed_in_it() -> None:
    types, sealed = evaluated("(module) => [module.TYPES, module.SEALED]")
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
    verified = run(good)
    assert (verified.returncode, verified.stdout.count("\n")) == (0, 1)
    assert ": verified, " in verified.stdout
    refused = run(bad)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert ": WRONG: version 3, /hash: expected " in refused.stderr
    assert run(tmp_path / "nothing").returncode == 2
    warned = run(open_)
    assert (warned.returncode, warned.stdout.count("warning: 1 lines of the unknown kind")) == (3, 1)
    assert [run(good, open_, torn).returncode, run(torn, bad).returncode] == [2, 1]
    for wrong in (
        (),
        ("--joined-after", "1:0", good),
        ("--mine", "seed", good),
        ("--seen", "x:1", good),
        ("--other", good),
    ):
        told = run(*wrong)
        assert (told.returncode, told.stderr.count("usage")) == (2, 1)
