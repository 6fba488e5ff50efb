"""Seeds that were committed to: honest games verify, what was left out is named, and every lie is found."""

import random

import pytest

from domain.audit.verifying import Known
from domain.chance import Chance
from domain.game import aggregate, opening, seating
from domain.game.durations import SECOND, instant, moment
from domain.log.secrets import of_deals
from tests.domain.audit.attacks import of_type
from tests.domain.audit.seed_lies import LIES, complete, honest, left_out, over_before_it_begins, with_one_missing
from tests.support.bundles import bundle_of_game, copy_of, forged, judged, over
from tests.support.seeded_games import SECRET, Seeded, all_committed

MINE = Known(seeds=((0, "seed 0"),))


def fault_of(bundle, known=MINE, game=None):
    report = judged(forged(bundle, (game or complete()).game), known)
    assert report.fault is not None
    return report.fault.version, report.fault.field


def test_a_game_whose_seeds_were_all_opened_verifies():
    report = judged(honest(), MINE)
    assert (report.fault, report.unchecked) == (None, ())


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "options"),
    [
        ("plute", 6, {"win_at": 2, "lose_at": 2}),
        ("french-tarot", 3, {"deals": 3}),
        ("le-plateau", 2, {"hands": 2}),
        ("plateau", 2, {"max_plies": 20}),
    ],
)
def test_a_game_of_several_deals_with_opened_seeds_verifies_to_the_end(ruleset_id, seats, options):
    game, rng = all_committed(seats, ruleset_id=ruleset_id, **options), random.Random(ruleset_id)
    for seat in range(seats):
        game.open(seat)
    while not game.game.is_over:
        seat = rng.choice(sorted(game.game.pending))
        action = rng.choice(list(game.game.ruleset.legal_actions(game.game.state, seat)))
        game.do(aggregate.act(game.game, seat, action))
    report = judged(bundle_of_game(game), MINE)
    assert (report.fault, report.unchecked) == (None, ())


def test_a_game_that_waited_and_one_with_a_bot_for_a_player_verify():
    for game in (complete(chosen=("P3D", "abort")), all_committed(3, chosen=("PT10S", "start"))):
        if not game.game.is_over:
            game.do(opening.give_up(game.game, 1, "random"))
            game.open(0)
            game.open(2)
            over(game)
        assert judged(bundle_of_game(game), MINE).fault is None


def test_a_seat_that_is_filled_with_a_bot_begins_the_phase_as_well():
    game = Seeded(2)
    game.commit(0)
    game.do(seating.put_bot(game.game, "pl_0", 1, "random", now=game.now + SECOND))
    game.open(0)
    report = judged(bundle_of_game(over(game)), MINE)
    assert (report.fault, report.unchecked) == (None, ())


def test_a_seed_that_was_left_out_is_named():
    report = judged(left_out(), MINE)
    assert report.fault is None
    (line,) = report.unchecked
    assert "the seed of seat 0 was left out" in line


def test_a_game_that_ended_because_a_seed_was_not_opened_verifies_and_names_it():
    report = judged(bundle_of_game(with_one_missing(chosen=("PT1M", "abort"))), MINE)
    assert report.fault is None
    assert "the seed of seat 0 was left out" in report.unchecked[0]


def test_a_game_that_waits_for_seeds_verifies_as_far_as_it_goes():
    game = all_committed()
    game.open(1)
    report = judged(bundle_of_game(game), MINE)
    assert report.fault is None
    assert "not over" in report.unchecked[0]


def test_my_seed_must_be_the_one_that_my_commitment_in_the_log_is_of():
    report = judged(honest(), Known(seeds=((1, "seed 0"),)))
    assert (report.fault.version, report.fault.field) == (3, "/data/seed_commitment")


def test_every_seed_was_fixed_in_the_log_that_i_saw_before_i_opened_mine():
    heads = [(event["version"], event["hash"]) for event in honest().events]
    awaited = of_type(honest(), "seeds_awaited")["version"]
    for seen in heads[awaited - 1 :]:
        assert judged(honest(), Known(opened_after=(seen,))).fault is None
    too_early = judged(honest(), Known(opened_after=(heads[awaited - 2],))).fault
    assert (too_early.version, too_early.field) == (awaited - 1, "/version")
    other = judged(honest(), Known(opened_after=((awaited, heads[0][1]),))).fault
    assert (other.version, other.field) == (awaited, "/hash")
    simple = Seeded(2)
    simple.join(0)
    simple.join(1)
    bundle = bundle_of_game(over(simple))
    known = Known(opened_after=((3, bundle.events[2]["hash"]),))
    assert judged(bundle, known).fault.found == "none"


def test_what_came_before_a_commitment_cannot_have_known_the_seed():
    first = honest().events[0]
    known = Known(seeds=((2, "seed 2"),), joined_after=((1, first["hash"]),))
    assert judged(honest(), known).unchecked == ()
    too_late = Known(seeds=((0, "seed 0"),), joined_after=((2, honest().events[1]["hash"]),))
    assert judged(honest(), too_late).fault.field == "/version"


# -- what operators can try --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_lie_of_the_operator_about_seeds_is_found(lie):
    bundle = copy_of(honest())
    version = lie(bundle)
    found, field = fault_of(bundle)
    assert found == version
    assert field.startswith("/")


def test_a_game_that_started_although_the_table_chose_otherwise_is_found():
    game = with_one_missing()
    bundle = copy_of(bundle_of_game(game))
    bundle.events[0]["data"]["opening"] = {"within": "PT2M", "unopened": "abort"}
    version = next(event["version"] for event in bundle.events if event["type"] == "game_started")
    assert fault_of(bundle, game=game) == (version, "/type")


def test_a_phase_that_was_closed_before_its_time_is_found():
    bundle = copy_of(left_out())
    closed = of_type(bundle, "seeds_closed")
    early = moment(instant(closed["at"]) - 1)
    for event in bundle.events[closed["version"] - 1 :]:
        if event["at"] == closed["at"]:
            event["at"] = early
    assert fault_of(bundle, game=with_one_missing())[0] == closed["version"]


@pytest.mark.parametrize("unopened", ["start", "abort"])
def test_a_time_for_opening_that_is_over_before_it_begins_is_found(unopened):
    fault = judged(bundle_of_game(over_before_it_begins(unopened)), MINE).fault
    assert (fault.version, fault.field) == (4, "/data/until")


def test_draws_that_a_missing_seed_went_into_are_found():
    """The server opens the seed for itself, without saying so: the deal is not that of the log's seeds."""
    bundle, game = copy_of(left_out()), with_one_missing().game
    with_it = Chance(of_deals(SECRET, game.id).of(1), game.id, ("seed 0", "seed 1", "seed 2"))
    dealt = of_type(bundle, "hand_dealt")
    other = with_it.permutation("deal", 1, [card for hand in dealt["data"]["hands"] for card in hand["cards"]])
    dealt["data"]["hands"][0]["cards"] = sorted(other[: len(dealt["data"]["hands"][0]["cards"])])
    assert fault_of(bundle, game=with_one_missing())[0] == dealt["version"]
