"""Seeds that players commit to when they join: they are opened before the start, or left out for all to see."""

import hashlib
from functools import partial

import pytest

from domain.errors import InvalidOptions
from domain.events import GameAborted, SeatTaken, SeedOpened, SeedsAwaited, SeedsClosed
from domain.game import history, opening, operating, seating, timeouts
from domain.game.durations import DAY, SECOND, moment
from domain.game.seeds import commitment_to
from domain.game.timeouts import Patience
from domain.log import chain
from domain.log.record import visible
from domain.registry import RULESETS
from domain.serialization import to_plain
from domain.texts.header import header_of
from tests.support.seeded_games import START, WITHIN, Seeded, all_committed
from tests.support.timed_games import refusal

PATIENCE = Patience(open_game=14 * DAY, empty_game=DAY)


def test_a_commitment_is_the_hash_of_the_seed_with_who_brings_it_and_where():
    text = b'["seed","gm_1","pl_a","luck"]'
    assert commitment_to("luck", "gm_1", "pl_a") == hashlib.sha256(text).hexdigest()
    assert len({commitment_to("luck", *where) for where in (("gm_1", "pl_a"), ("gm_2", "pl_a"), ("gm_1", "pl_b"))}) == 3


def test_a_game_with_commitments_waits_for_their_seeds_once_every_seat_is_taken():
    game = Seeded(3)
    (taken,) = game.commit(1)
    assert to_plain(taken)["client_seed"] is None
    assert to_plain(taken)["seed_commitment"] == commitment_to("seed 1", "gm_seeded", "pl_1")
    game.join(0, "luck")
    assert game.game.awaited is None
    taken, awaited = game.commit(2)
    assert isinstance(taken, SeatTaken)
    assert awaited == SeedsAwaited((1, 2), moment(game.now + WITHIN))
    assert (game.game.status, game.game.unopened, game.game.pending) == ("open", (1, 2), {})


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_the_last_seed_opened_starts_the_game_with_the_draws_of_all_seeds(ruleset_id):
    seats = RULESETS[ruleset_id].seats[0]
    game, simple = all_committed(seats, ruleset_id=ruleset_id), Seeded(seats, ruleset_id=ruleset_id)
    for seat in reversed(range(seats)):
        events = game.open(seat)
        assert events[0] == SeedOpened(seat, f"seed {seat}")
    assert events[1] == SeedsClosed(())
    for seat in range(seats):
        simple.join(seat, f"seed {seat}")
    assert game.game.status == "active"
    assert game.game.draws == simple.game.draws
    assert game.game.state == simple.game.state


def test_seeds_that_are_not_opened_in_time_are_left_out_for_all_to_see():
    game = all_committed(3)
    game.open(1)
    deadline = game.game.awaited.until
    assert timeouts.due(game.game, PATIENCE) == deadline
    assert refusal(opening.close, game.game, deadline - 1) == "not-over"
    events = game.close()
    assert events[0] == SeedsClosed((0, 2))
    assert game.game.draws.seeds == (None, "seed 1", None)
    assert game.game.status == "active"
    assert refusal(opening.close, game.game, deadline + DAY) == "not-over"


def test_a_table_can_choose_that_a_game_ends_whose_seeds_are_not_all_opened():
    game = all_committed(chosen=("PT10S", "abort"))
    assert game.game.awaited.until == game.now + 10 * SECOND
    game.open(0)
    assert game.close() == [SeedsClosed((1,)), GameAborted("unopened", game.game.secret.hex())]
    assert (game.game.status, game.game.aborted_because, game.game.awaited) == ("aborted", "unopened", None)
    opened = all_committed(chosen=("PT10S", "abort"))
    opened.open(0)
    opened.open(1)
    assert opened.game.status == "active"


def test_seats_stay_as_they_are_while_seeds_are_opened():
    game = all_committed(3).game
    for call in (
        partial(seating.join, game, "pl_x", None, None),
        partial(seating.join, game, "pl_0", 0, "another seed"),
        partial(seating.leave, game, "pl_0", 0),
        partial(seating.put_bot, game, "pl_0", 0, "random"),
        partial(operating.replace, game, 0, "random", "too slow"),
    ):
        assert refusal(call) == "seeds-awaited"
    assert timeouts.expires(game, PATIENCE) is None
    assert refusal(timeouts.expire, game, START + 365 * DAY, PATIENCE) == "not-over"


def test_the_creator_can_cancel_a_game_whose_seeds_are_awaited():
    game = all_committed()
    game.open(0)
    game.do(seating.abort(game.game, "cancelled"))
    assert (game.game.status, game.game.aborted_because, game.game.awaited) == ("aborted", "cancelled", None)
    assert timeouts.due(game.game, PATIENCE) is None


@pytest.mark.parametrize("wrong", ["seed 1", "", "seed 0 ", 7, None])
def test_only_the_seed_that_was_committed_to_is_taken(wrong):
    game = all_committed().game
    with pytest.raises(InvalidOptions, match="committed to"):
        opening.open_seed(game, 0, wrong)


def test_a_seed_is_opened_once_by_one_who_committed_while_awaited():
    game = Seeded(3)
    game.commit(0)
    assert refusal(opening.open_seed, game.game, 0, "seed 0") == "no-seeds-awaited"
    game.join(1, "luck")
    game.commit(2)
    assert refusal(opening.open_seed, game.game, 1, "luck") == "no-seed-awaited"
    assert refusal(opening.open_seed, game.game, 3, "luck") == "no-such-seat"
    game.open(0)
    assert refusal(opening.open_seed, game.game, 0, "seed 0") == "no-seed-awaited"
    game.open(2)
    assert refusal(opening.open_seed, game.game, 2, "seed 2") == "no-seeds-awaited"


def test_a_seed_and_a_commitment_exclude_each_other():
    with pytest.raises(InvalidOptions, match="not both"):
        seating.join(Seeded().game, "pl_0", 0, "luck", seed_commitment="ab" * 32)


def test_the_seed_of_a_seat_that_was_handed_to_a_bot_is_not_awaited():
    game = Seeded(3)
    game.commit(0)
    game.commit(1)
    game.do(seating.put_bot(game.game, "pl_0", 0, "random"))
    _, awaited = game.do(seating.put_bot(game.game, "pl_0", 2, "random", now=game.now + SECOND))
    assert awaited == SeedsAwaited((1,), moment(game.now + WITHIN))
    game.open(1)
    assert game.game.draws.seeds == (None, "seed 1", None)


def test_a_bot_takes_the_seat_of_one_gone_and_their_open_seed_counts():
    game = all_committed(3)
    game.open(0)
    game.do(opening.give_up(game.game, 0, "random"))
    assert game.game.unopened == (1, 2)
    game.do(opening.give_up(game.game, 1, "random"))
    assert refusal(opening.give_up, game.game, 1, "random") == "seat-taken"
    game.open(2)
    closed = next(record for record in game.records if record.type == "seeds_closed")
    assert closed.whole_data() == {"missing": [1]}
    assert game.game.draws.seeds == ("seed 0", None, "seed 2")


def test_the_deadline_counts_from_the_last_event_if_the_request_is_older():
    game = Seeded(2)
    game.commit(0)
    joined = seating.join(game.game, "pl_1", 1, None, now=game.now - DAY)
    assert joined[0][-1] == SeedsAwaited((0,), moment(game.now + WITHIN))


def test_a_log_with_opened_seeds_folds_to_the_same_game_and_its_text_has_them():
    game = all_committed()
    for version in range(1, len(game.records) + 1):
        assert history.fold_to(game.records, version).version == version
    game.open(1)
    game.close()
    assert history.fold(game.records) == game.game
    shown = [visible(record, game.game.secrets, None, everything=False) for record in game.records]
    assert header_of(shown).seeds == (None, "seed 1")
    assert chain.verify(shown) == game.game.head


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        (("PT4S", "start"), "opening/within: PT4S is out of bounds: PT5S to P14D"),
        (("P15D", "start"), "opening/within: P15D is out of bounds: PT5S to P14D"),
        (("soon", "start"), "opening/within: soon is not a valid duration such as P3D, PT90S or P1DT12H"),
        (("PT1M", "wait"), "opening"),
        ((60, "start"), "opening"),
    ],
)
def test_a_choice_that_makes_no_sense_is_rejected(chosen, fault):
    with pytest.raises(InvalidOptions) as refused:
        Seeded(chosen=chosen)
    assert str(refused.value).startswith(fault)
