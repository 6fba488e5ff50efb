"""Every attack on a bundle is found and named; what is not found is what docs/verification.md says."""

import random
import zlib

import pytest

from domain.audit.bundle import Unreadable, read
from domain.audit.faults import Fault
from domain.audit.verifying import Known
from domain.chance import commitment
from domain.game import seating
from domain.game.durations import instant, moment
from domain.laws.play import log_of
from domain.laws.play import written as step_of
from tests.domain.audit.attacks import ATTACKS, GAMES, OPERATORS, OUTSIDERS, acted, bundle_of, of_type
from tests.golden.logs import golden_log
from tests.support.bundles import copy_of, forged, judged, written
from tests.support.random_games import played
from tests.support.sampling import TABLES


def found(bundle, game, attack, seed=0):
    """Attack a copy of a bundle; return the fault, None if there is nothing to change in this game."""
    changed = copy_of(bundle)
    try:
        ATTACKS[attack](changed, random.Random(f"{attack} {seed}"))
    except (LookupError, StopIteration, ValueError):
        return None
    report = judged(forged(changed, game) if attack in OPERATORS else changed)
    assert report.fault is not None, f"{attack} is not found in {game.id}"
    return report.fault


def assert_found(attack, games):
    faults = [fault for bundle, game in games if (fault := found(bundle, game, attack))]
    assert faults
    for fault in faults:
        assert isinstance(fault, Fault)
        assert fault.expected != fault.found
        assert "\n" not in str(fault)


def test_there_are_many_kinds_of_attacks():
    assert len(OUTSIDERS) >= 20
    assert len(OPERATORS) >= 40


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_on_a_golden_game_is_found(attack):
    """On one game, chosen by the attack, and on others only if there is nothing to change in it."""
    start = zlib.crc32(attack.encode()) % len(GAMES)
    for name in (*GAMES[start:], *GAMES[:start]):
        if found(bundle_of(name), golden_log(name)[0], attack) is not None:
            return
    raise AssertionError(f"no game has anything that {attack} could change")


@pytest.mark.long
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_on_any_game_is_found(attack):
    golden = [(bundle_of(name), golden_log(name)[0]) for name in GAMES]
    games = [(read(written(steps[-1].game, log_of(steps))), steps[-1].game)
             for steps in (played(*table, 2) for table in TABLES)]  # fmt: skip
    assert_found(attack, [*golden, *games])


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (b'"format": 1', b'"format": 2', "line 1"),
        (b'"format": 1', b'"format": true', "line 1"),
        (b'"format": 1', b'"format": 1, "format": 1', "line 1"),
        (b'"format": 1', b'"format": 1, "more": 1', "line 1"),
        (b'"version": 1,', b'"version": 1.0,', "line 2"),
        (b'"version": 1,', b'"version": NaN,', "line 2"),
        (b'{"event": ', b'{"bundle": {}, "event": ', "line 2"),
        (b'{"event": ', b'{"bundle": ', "line 2"),
        (b'{"event": ', b'{"event": [], "": ', "line 2"),
        (b"\n", b"", "line 1"),
        (b"\n", b"\n\n", "line 2"),
    ],
)
def test_a_file_of_another_form_is_not_read(old, new, line):
    with pytest.raises(Unreadable, match=line):
        read(written(*golden_log(GAMES[0])).replace(old, new, 1))


@pytest.mark.parametrize("cut", [1, 2, 70, 1000])
def test_a_torn_file_is_not_read(cut):
    with pytest.raises(Unreadable):
        read(written(*golden_log(GAMES[0]))[:-cut])


def test_a_flipped_bit_anywhere_is_found():
    text, rng = written(*golden_log(GAMES[0])), random.Random(0)
    for _ in range(40):
        place = rng.randrange(len(text))
        damaged = bytearray(text)
        damaged[place] ^= 1 << rng.randrange(7)
        try:
            report = judged(read(bytes(damaged)))
        except Unreadable:
            continue
        assert report.fault or report.unchecked, f"byte {place}"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"creator": {"a": 1}}, "/data/creator"),
        ({"creator": None}, "/data/creator"),
        ({"visibility": "start"}, "/data/visibility"),
        ({"visibility": {}}, "/data/visibility"),
        ({"sandbox": "yes"}, "/data/sandbox"),
        ({"sandbox": 0}, "/data/sandbox"),
        ({"rematch_of": {}}, "/data/rematch_of"),
        ({"seats": True}, "/data/seats"),
        ({"bot_pace": 1}, "/data/bot_pace"),
        ({"opening": []}, "/data/opening"),
        ({"forked_from": {"game_id": "gm_a"}}, "/data/forked_from"),
    ],
    ids=str,
)
def test_a_game_created_with_a_part_of_another_form_is_found_at_the_part(change, field):
    changed = copy_of(bundle_of("plateau/forfeit"))
    changed.events[0]["data"] |= change
    fault = judged(forged(changed, golden_log("plateau/forfeit")[0])).fault
    assert (fault.version, fault.field) == (1, field)


@pytest.mark.parametrize("player", [True, 5, {"a": 1}, [1], None])
def test_a_player_who_is_no_text_is_found_at_the_join(player):
    changed = copy_of(bundle_of("plateau/forfeit"))
    join = of_type(changed, "seat_taken")
    join["data"]["player"] = of_type(changed, "game_started")["data"]["players"][join["seat"]] = player
    fault = judged(forged(changed, golden_log("plateau/forfeit")[0])).fault
    assert (fault.version, fault.field) == (join["version"], "/data/player")


def test_a_join_without_its_player_is_found_at_the_join():
    changed = copy_of(bundle_of("plateau/forfeit"))
    join = of_type(changed, "seat_taken")
    del join["data"]["player"]
    fault = judged(forged(changed, golden_log("plateau/forfeit")[0])).fault
    assert (fault.version, fault.field, fault.found) == (join["version"], "/data/player", "nothing")


def test_a_bot_in_the_seat_of_a_player_is_found_at_its_mark():
    changed = copy_of(bundle_of("plateau/forfeit"))
    ATTACKS["a thought of no bot"](changed, random.Random(0))
    marked = next(event for event in changed.events if "bot" in event)
    fault = judged(forged(changed, golden_log("plateau/forfeit")[0])).fault
    assert (fault.version, fault.field) == (marked["version"], "/bot")


def rewrites(bundle):
    """Yield what an operator can change unnoticed by those who have seen nothing of the game."""
    later = copy_of(bundle)
    for event in later.events:
        event["at"] = moment(instant(event["at"]) + 60_000)
    yield "other times", later
    other = copy_of(bundle)
    old = of_type(other, "seat_taken")["data"]["player"]
    of_type(other, "seat_taken")["data"]["player"] = "pl_other"
    players = of_type(other, "game_started")["data"]["players"]
    players[players.index(old)] = "pl_other"
    yield "another player", other
    secret = copy_of(bundle)
    secret.events[0]["data"] |= {"secret": bytes(32).hex(), "commitment": commitment(bytes(32))}
    secret.events[-1]["data"]["secret"] = bytes(32).hex()
    yield "another secret, where nothing was drawn", secret
    cut = copy_of(bundle)
    del cut.events[cut.events.index(acted(cut)[-1]) :]
    yield "no end", cut


def test_what_is_not_excluded_is_found_with_a_head_alone():
    name = "plateau/forfeit"
    bundle, game = bundle_of(name), golden_log(name)[0]
    seen = (bundle.events[-4]["version"], bundle.events[-4]["hash"])
    for what, rewritten in rewrites(bundle):
        again = forged(rewritten, game)
        assert judged(again).fault is None, what
        if what != "no end":
            assert judged(again, Known(seen=(seen,))).fault.version == seen[0]
        else:
            last = bundle.events[-1]
            assert judged(again).unchecked
            assert judged(again, Known(seen=((last["version"], last["hash"]),))).fault.found == "nothing"


def test_a_puppet_that_rejoins_with_another_seed_is_named():
    """The attack through the last seat: the honest join is held back, while another player changes their seed."""
    steps = [*played("plateau", 2, 0)[:2]]
    seen = steps[-1].records[-1]
    for decide in (
        lambda game: seating.leave(game, "pl_0", 0),
        lambda game: seating.join(game, "pl_0", 0, "the best of 20,000"),
        lambda game: seating.join(game, "pl_1", 1, "honest"),
    ):
        steps.append(step_of(steps[-1].game, None, None, decide(steps[-1].game)))
    bundle = read(written(steps[-1].game, log_of(steps)))
    report = judged(bundle, Known(seeds=((1, "honest"),), joined_after=((seen.version, seen.hash),)))
    assert report.fault is None
    assert [line.split(" came")[0] for line in report.unchecked[:2]] == [
        "version 3 (seat_left)",
        "version 4 (seat_taken)",
    ]
    assert all("does not show whether the join was held back" in line for line in report.unchecked[:2])
