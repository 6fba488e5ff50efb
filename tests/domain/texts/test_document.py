"""A game as text, for every ruleset: header, options, result, and their faults."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game import history, operating, seating
from domain.game.seating import NewGame
from domain.laws.texts import fault_of, seen, without_secret
from domain.le_plateau import RULESET as le_plateau
from domain.log.record import visible
from domain.registry import BUILT_IN, RULESETS
from domain.serialization import to_plain
from domain.texts import document
from tests.support.random_games import log_of, played
from tests.support.sampling import part

HEAD = "notation: 1\nruleset: le-plateau 1\n"
FOUR = HEAD + "seats: 4\n"
START = "2026-01-01T12:00:00.000Z"
SECRET = "00" * 32
COMMITMENT = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def whole(seats=3, seed=0):
    return document.write(seen(played("le-plateau", seats, seed)))


def wrong(text):
    """Return the fault of a text."""
    return str(fault_of(text))


def test_the_smallest_text_is_a_game_before_its_first_deal():
    reading = document.read(FOUR)
    assert (reading.header.ruleset, reading.header.seats) == (le_plateau, 4)
    assert reading.header.options == le_plateau.options.complete({}, 4)
    assert (reading.events, reading.outcome, reading.to_act, reading.header.draws) == ((), None, (), None)


def test_a_header_can_have_comments_and_any_order_after_its_first_line():
    text = "\n; mine\nnotation: 1\n\nseats: 2 ; two\nruleset: le-plateau 1\nplayers: ann bob\n"
    header = document.read(text).header
    assert (header.seats, header.players, header.seeds, header.game) == (2, ("ann", "bob"), None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: the header lacks the line 'notation:'"),
        ("RH", "1:1: the header lacks the line 'notation:'"),
        ("seats: 4", "1:1: a text begins with 'notation: 1'"),
        ("notation: 2", "1:11: this must be 1, the only format"),
        ("notation:", "1:10: notation: takes 1 value, not 0"),
        ("notation: 1", "1:12: the header lacks the line 'ruleset:'"),
        ("notation: 1\nruleset: chess 1", f"2:10: there is no ruleset chess; the rulesets are: {' '.join(RULESETS)}"),
        ("notation: 1\nruleset: le-plateau", "2:20: ruleset: takes 2 values, not 1"),
        ("notation: 1\nruleset: le-plateau 9", "2:21: the only known version of the rules of Le Plateau is 1"),
        (HEAD, "2:22: the header lacks the line 'seats:'"),
        (HEAD + "1. d0", "3:1: the header lacks the line 'seats:'"),
        (HEAD + "seats: 7", "3:8: Le Plateau has 2 to 6 seats"),
        (HEAD + "seats: 4 5", "3:10: seats: takes 1 value"),
        (FOUR + "seats: 4", "4:1: seats: occurs twice"),
        (FOUR + "player: a b c d", "4:1: there is no header line player:; the lines are: notation, ruleset, "
                                   "seats, options, game, fork, players, seeds, commitment, anchor, secret, set"),
        (FOUR + "fork: gm_1 41 own 2", "4:20: fork: takes 5 values, not 4"),
        (FOUR + "fork: gm_1 4x own 2 37", "4:12: this must be a number of events"),
        (FOUR + "fork: gm_1 41 all 2 37", "4:15: this must be one of: own full"),
        (FOUR + "fork: gm_1 41 own 4 37", "4:19: this must be a seat, or -"),
        (FOUR + "players: a b c", "4:15: players: takes 4 values, not 3"),
        (FOUR + "seeds: - - - - -", "4:16: seeds: takes 4 values"),
        (FOUR + 'seeds: - " - -', '4:10: this is not a valid JSON string'),
        (FOUR + 'seeds: - "\\ud800" - -', "4:10: this is not a valid JSON string"),
        (FOUR + f"commitment: {SECRET[1:]}", "4:13: the commitment must be 64 hexadecimal digits, in lower case"),
        (FOUR + f"secret: {SECRET}", "4:9: the draws follow from the secret and the game's id: the header lacks the "
                                     "line 'game:'"),
        (FOUR + f"game: -\nsecret: {SECRET}", "5:9: the draws follow from the secret and the game's id: the header "
                                              "lacks the line 'game:'"),
        (FOUR + f"game: gm_1\nsecret: {SECRET}\ncommitment: {SECRET}",
         "5:9: the secret does not fit the commitment: its SHA-256 is different"),
    ],
)  # fmt: skip
def test_the_first_fault_of_a_header_is_named(text, message):
    assert wrong(text) == message


def test_the_secret_the_game_and_the_seeds_make_the_source_of_the_draws():
    text = f'{FOUR}game: gm_1\nseeds: lucky "7 ; é" - -\ncommitment: {COMMITMENT}\nsecret: {SECRET}\n'
    chance = document.read(text).header.draws
    assert (chance.secret, chance.game_id, chance.seeds) == (bytes(32), "gm_1", ("lucky", "7 ; é", None, None))
    without_seeds = document.read(f"{FOUR}game: gm_1\nsecret: {SECRET}\n").header.draws
    assert without_seeds.seeds == (None,) * 4


def test_the_secret_is_in_no_repr():
    assert SECRET not in repr(document.read(f"{FOUR}game: gm_1\nsecret: {SECRET}\n"))


@given(
    st.lists(st.one_of(st.none(), st.text(max_size=12).filter(lambda text: text.isprintable())), min_size=2, max_size=2)
)
def test_seeds_of_any_kind_read_back(seeds):
    log = seen(played("le-plateau", 2, 0)[:3])
    log = [dict(event) for event in log]
    taken = [event for event in log if event["type"] == "seat_taken"]
    for event, seed in zip(taken, seeds, strict=True):
        event["data"] = event["data"] | {"client_seed": seed}
    text = document.write(log)
    assert text.isascii()
    assert document.read(without_secret(text.split("\n1. ")[0])).header.seeds == tuple(seeds)


def test_a_seat_that_was_left_has_no_player():
    log = seen(played("le-plateau", 2, 0)[:2])
    left = {**log[-1], "type": "seat_left", "data": {"player": "pl_0"}}
    assert document.read(document.write(log)).header.players == ("pl_0", None)
    assert document.read(document.write([*log, left])).header.players == (None, None)


@pytest.mark.parametrize(
    ("seats", "given", "words"),
    [
        (4, {}, None),
        (4, {"hands": 4}, None),
        (4, {"hands": 8, "void_hands": "redeal"}, "void_hands=redeal hands=8"),
        (3, {"first_dealer": 2, "deck": "full"}, "deck=full first_dealer=2"),
        (5, {"scoring": "positive"}, "scoring=positive abdication=off"),
        (5, {"scoring": "positive", "abdication": "on"}, "scoring=positive abdication=on"),
        (5, {"abdication": "off"}, "abdication=off"),
    ],
)  # fmt: skip
def test_options_that_differ_from_the_defaults_are_written(seats, given, words):
    created = {"ruleset": "le-plateau", "rules_version": 1, "seats": seats, "commitment": COMMITMENT}
    options = le_plateau.options.complete(given, seats)
    created["options"] = to_plain(options)
    text = document.write([{"type": "game_created", "game_id": "gm_1", "seat": None, "data": created}])
    assert re.findall("^options: (.*)$", text, re.MULTILINE) == ([words] if words else [])
    assert document.read(text).header.options == options


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hand=8", "4:10: there is no option hand; there are: edition deck excuse board board_tokens scoring "
                   "abdication void_hands hands first_dealer"),
        ("hands", "4:10: an option is written hands=value"),
        ("hands=8 hands=8", "4:18: the option hands is given twice"),
        ("hands=x", "4:16: x is not a whole number"),
        ("hands=0", "4:16: 0 is not from 1 to 120"),
        ("hands=" + "9" * 50, "4:16: " + "9" * 50 + " is not a whole number"),
        ("deck=huge", "4:15: huge is not among standard full"),
        ("first_dealer=nobody", "4:23: nobody is not a whole number"),
    ],
)  # fmt: skip
def test_the_first_wrong_option_is_named(words, message):
    assert wrong(f"{FOUR}options: {words}\n") == message


def test_options_that_the_rules_reject_are_named_with_the_reason():
    assert wrong(f"{FOUR}options: deck=full hands=9\n").startswith("4:26: hands: 9 is not possible with 4 players")
    assert wrong(f"{FOUR}options: board=custom\n").startswith("4:22: board_tokens: a custom board")


def test_an_option_can_be_none_where_its_type_allows_it():
    assert document.read(f"{FOUR}options: first_dealer=none").header.options.first_dealer is None


def test_the_result_is_compared_word_by_word():
    text = whole()
    (line,) = [line for line in text.splitlines() if line.startswith("result:")]
    reading = document.read(text)
    assert line == "result: hands_played won {} scores {}".format(
        " ".join(map(str, reading.outcome.winners)), " ".join(map(str, reading.outcome.scores))
    )
    words = line.split()
    for index in range(1, len(words)):
        other = " ".join([*words[:index], "999", *words[index + 1 :]])
        place = f"{len(text.splitlines())}:{len(' '.join(words[:index])) + 2}"
        assert (
            wrong(text.replace(line, other)) == f"{place}: by the rules the result is: {line.removeprefix('result: ')}"
        )


def test_the_result_can_be_left_out_and_nothing_can_follow_it():
    text = whole()
    without = text[: text.index("result:")]
    assert document.read(without).outcome == document.read(text).outcome
    assert wrong(text + "RH").endswith(": nothing can follow the result")
    assert "the game is over: only its result can follow" in wrong(without + "RH")


def test_there_is_no_result_before_the_end():
    assert wrong(FOUR + "result: hands_played") == "4:1: there is no result yet: by the rules the game continues"


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_a_game_that_was_aborted_reads_back_with_its_reason(ruleset_id):
    ruleset = RULESETS[ruleset_id]
    seats = ruleset.seats[0]
    options = ruleset.options.complete({}, seats)
    new = NewGame("gm_1", ruleset, options, "public", sandbox=False, creator="pl_a", sitters=(None,) * seats)
    first = seating.create(new, bytes(32))
    records, game = history.record(None, first, START, "r1")
    more, game = history.record(game, seating.abort(game, "expired"), START, "r2")
    text = document.write([visible(each, game.secrets, None, everything=True) for each in [*records, *more]])
    assert text.splitlines()[-1] == "result: aborted expired"
    reading = document.read(text)
    assert (reading.aborted, reading.outcome, reading.events) == ("expired", None, ())
    assert reading.header.secret == bytes(32).hex()
    assert wrong(text.replace("expired", "over")).endswith(
        ": possible here: cancelled expired abandoned declined agreed operator unopened idle closed endless"
    )
    assert wrong(f"{text}again").endswith(": nothing can follow the result")


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_a_begun_game_is_aborted_only_by_agreement_operator_idle_or_endless(ruleset_id):
    steps = played(ruleset_id, RULESETS[ruleset_id].seats[0], 0)
    begun = document.write(seen(steps[: len(steps) // 2])) + "result: aborted "
    for reason in ("agreed", "idle", "endless"):
        assert document.read(f"{begun}{reason}").aborted == reason
    assert wrong(f"{begun}cancelled").endswith(": possible here: agreed closed idle endless operator")
    assert wrong(f"{begun}operator stuck").endswith(": the operator's reason must follow, in double quotes")


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_a_game_that_the_operator_ended_reads_back_with_their_reason(ruleset_id):
    reason = 'a "stuck" game; really? – 勝敗なし'
    steps = played(ruleset_id, RULESETS[ruleset_id].seats[0], 0)
    begun = steps[len(steps) // 2].game
    records, game = history.record(begun, operating.abort(begun, reason), begun.at, "r2")
    more = [visible(each, game.secrets, None, everything=True) for each in records]
    log = [visible(each, game.secrets, None, everything=True) for each in log_of(steps[: len(steps) // 2 + 1])]
    reading = document.read(document.write([*log, *more]))
    assert (reading.aborted, reading.note, reading.outcome) == ("operator", reason, None)


def test_a_game_that_is_over_is_not_aborted():
    text = whole()
    over = text[: text.index("result:")] + "result: aborted agreed"
    assert "by the rules the result is: hands_played" in wrong(over)


def test_every_part_that_has_been_read_is_reported():
    told = []
    document.read(whole(4), told.append)
    assert [sentence.split(":")[0] for sentence in told] == ["deal 1", "deal 2", "deal 3", "deal 4"]


def test_a_ruleset_without_a_notation_has_a_header_and_is_not_read(monkeypatch):
    steps = played("le-plateau", 3, 0)
    monkeypatch.setitem(RULESETS, "le-plateau", replace(le_plateau, notation=None))
    text = document.write(seen(steps))
    assert text.startswith(HEAD)
    assert wrong(text) == "2:10: Le Plateau has no text notation yet"


PARTS = [*'0123456789:;|/=>#.?"\\RHSDCTVEXxyd \n', "pass ", "1. d0 ", "fork.x.duo "]


@settings(max_examples=part(300))
@given(st.lists(st.sampled_from(PARTS), max_size=60))
def test_any_text_is_read_or_rejected_at_a_place_in_it(parts):
    text = FOUR + "".join(parts)
    fault = fault_of(text)
    if fault is not None:
        lines = text.split("\n")
        assert 1 <= fault.line <= len(lines)
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
