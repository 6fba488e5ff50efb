"""Bidding (rules of 16 June 2023, section Bidding, with the bidding table)."""

import pytest

from domain.errors import IllegalAction
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau import project
from domain.le_plateau.actions import Bid, Exchange, Pass
from domain.le_plateau.bidding import value_of
from domain.le_plateau.deck import shape_for
from domain.le_plateau.events import ContractWon, HandPassedOut, HandRevealed, HandScored, PhaseBegan
from domain.log.redaction import split
from domain.serialization import to_plain
from tests.domain.le_plateau import builders

TEAMS = {2: ["solo"], 3: ["solo"], 4: ["duo", "solo"], 5: ["duo", "solo"], 6: ["trio", "duo", "solo"]}
LOWEST = {2: 3, 3: 1, 4: 3, 5: 1, 6: 3}

# the printed table: objective, then for the largest team, the next, the smallest: with exchange, without
PRINTED = """
bridge      1  2    6  7   11 12
y           3  4    8  9   13 14
fork        5  6   10 11   15 16
five_sides  7  8   12 13   17 18
six_sides   9 10   14 15   19 20
"""
every_table = pytest.mark.parametrize("seats", range(2, 7))


def printed_values():
    for row in PRINTED.split("\n")[1:-1]:
        objective, *values = row.split()
        for column, value in enumerate(values):
            yield objective, column // 2, column % 2 == 0, int(value)


def bidding(seats, dealer=0, **parts):
    talon = {2: "T1 T2", 6: "T1 T2 T3 T4 T5 T6"}.get(seats, "T1 T2 T3")
    return builders.state(seats, "bid", dealer=dealer, **{"talon": talon} | parts)


def bid(value, seats):
    """Return a bid of a value, in the largest team that has it."""
    return next(
        Bid(exchange, objective, TEAMS[seats][team])
        for objective, team, exchange, worth in printed_values()
        if worth == value and team < len(TEAMS[seats])
    )


@pytest.mark.rule("le-plateau", "1", "teams / `solo`")
@pytest.mark.rule("le-plateau", "4", "Value = 1 with exchange or 2 without")
@every_table
def test_values_are_those_of_the_printed_table(seats):
    for objective, column, exchange, value in printed_values():
        if column < len(TEAMS[seats]):
            assert value_of(seats, exchange, objective, TEAMS[seats][column]) == value


@pytest.mark.rule("le-plateau", "4", "lowest bid / 3 / 1 / 3 / 1 / 3")
@every_table
def test_the_first_bidder_can_make_every_bid_from_the_lowest_value_on_or_pass(seats):
    rows = [row for row in printed_values() if row[1] < len(TEAMS[seats]) and row[3] >= LOWEST[seats]]
    expected = {Bid(exchange, objective, TEAMS[seats][column]) for objective, column, exchange, _ in rows}
    listed = builders.legal(bidding(seats))
    assert {*listed} == expected | {Pass()}
    assert listed[-1] == Pass()
    values = [value_of(seats, b.exchange, b.objective, b.team) for b in listed[:-1]]
    assert values == sorted(values)
    assert min(values) == LOWEST[seats]


@pytest.mark.rule("le-plateau", "1", "the next one sits to the left")
@pytest.mark.rule("le-plateau", "4", "Beginning with forehand, players speak clockwise")
@every_table
def test_forehand_speaks_first_and_then_clockwise(seats):
    for dealer in range(seats):
        state, spoken = bidding(seats, dealer), []
        for value in range(LOWEST[seats], LOWEST[seats] + seats):
            spoken.append(builders.to_act(state))
            state = builders.acts(state, bid(value, seats))
        assert spoken == [(dealer + 1 + turn) % seats for turn in range(seats)]


@pytest.mark.rule(
    "le-plateau", "4", "strictly higher value than every earlier bid", "A bid of equal value is not higher"
)
@every_table
def test_a_bid_must_be_worth_more_than_every_earlier_one(seats):
    state = builders.acts(bidding(seats), bid(5, seats))
    for value in range(LOWEST[seats], 6):
        assert builders.refusal(state, builders.to_act(state), bid(value, seats)) == "bid-too-low"
    assert builders.refusal(state, builders.to_act(state), bid(6, seats)) is None
    assert {value_of(seats, b.exchange, b.objective, b.team) for b in builders.legal(state)[:-1]} == set(
        range(6, 5 * len(TEAMS[seats]) + 6)
    )


@pytest.mark.rule("le-plateau", "4", "2–3 players always play solo")
@pytest.mark.parametrize(("seats", "team"), [(2, "duo"), (3, "duo"), (3, "trio"), (4, "trio"), (5, "trio")])
def test_a_team_that_the_table_has_no_room_for_is_refused(seats, team):
    assert builders.refusal(bidding(seats), 1, builders.bid(f"fork.x.{team}")) == "no-such-team"


@pytest.mark.rule("le-plateau", "4", "a pass, which is final")
def test_a_seat_that_passed_is_out_for_good():
    state = builders.acts(bidding(4), Pass(), bid(3, 4), bid(4, 4), bid(5, 4))
    assert builders.to_act(state) == 2
    state = builders.acts(state, bid(6, 4), Pass(), bid(7, 4))
    assert builders.to_act(state) == 2


@pytest.mark.rule("le-plateau", "4", "all but one have passed and that one has bid")
@every_table
def test_the_bidding_ends_when_all_others_have_passed(seats):
    state = builders.acts(bidding(seats), bid(LOWEST[seats], seats))
    for _ in range(seats - 2):
        state = builders.acts(state, Pass())
        assert state.phase == "bid"
    events, state = builders.act(state, builders.to_act(state), Pass())
    (won,) = builders.of_kind(events, ContractWon)
    made = bid(LOWEST[seats], seats)
    assert won == ContractWon(1, made.exchange, made.objective, made.team, LOWEST[seats])
    assert state.phase != "bid"


@pytest.mark.rule("le-plateau", "4", "the last player can still bid")
@every_table
def test_the_last_seat_that_has_not_passed_still_speaks_and_its_bid_wins_at_once(seats):
    state = builders.acts(bidding(seats), *[Pass()] * (seats - 1))
    assert builders.to_act(state) == 0
    assert state.hand.contract is None
    events, _ = builders.act(state, 0, bid(LOWEST[seats] + 1, seats))
    assert builders.of_kind(events, ContractWon)[0].declarer == 0


@pytest.mark.rule("le-plateau", "4", "If all players pass, the hand is void")
@every_table
def test_the_hand_is_void_when_every_seat_passes(seats):
    state = builders.acts(bidding(seats, options={"hands": seats}), *[Pass()] * (seats - 1))
    events, state = builders.act(state, builders.to_act(state), Pass())
    kinds = [type(event) for event in events[1:]]
    assert kinds == [HandPassedOut, HandRevealed, HandScored, PhaseBegan]
    assert events[3] == HandScored(0, (0,) * seats)
    assert events[4] == PhaseBegan("deal")
    assert state.results[-1].by is None
    assert state.results[-1].contract is None


def test_other_actions_and_other_seats_are_refused_during_the_bidding():
    assert builders.refusal(bidding(3), 1, Exchange(("RH",))) == "wrong-phase"
    assert builders.refusal(bidding(3), 2, Pass()) == "not-your-turn"
    assert builders.refusal(bidding(3), 0, Pass()) == "not-your-turn"


SIX_IN_2022 = {"edition": "2022"}


def of_2022(text):
    """Read a bid that has no exchange part: "y.trio"."""
    objective, team = text.split(".")
    return Bid(None, objective, team)


def six(**parts):
    return bidding(6, options=SIX_IN_2022, **{"talon": ""} | parts)


@pytest.mark.rule(
    "le-plateau", "4", "the bids of 6 players have no exchange part", "They are worth 2 for each step",
    "The lowest is `y` trio at 2",
)  # fmt: skip
def test_six_players_of_2022_bid_without_an_exchange_part_from_y_trio_on():
    """The values are worked out from "2 for each step of the objective, 5 for each smaller team"."""
    expected = {
        Bid(None, objective, team): 2 * step + 5 * smaller
        for step, objective in enumerate(["bridge", "y", "fork", "five_sides", "six_sides"])
        for smaller, team in enumerate(TEAMS[6])
        if (step, smaller) != (0, 0)
    }
    assert {*builders.legal(six())} == {*expected, Pass()}
    for made, value in expected.items():
        (event,) = le_plateau.decide(six(), 1, made)
        assert (event.value, event.exchange) == (value, None)
    assert builders.refusal(six(), 1, of_2022("bridge.trio")) == "bid-too-low"
    for exchange in (True, False):
        with pytest.raises(IllegalAction, match="leave exchange out of the bid") as refused:
            le_plateau.decide(six(), 1, Bid(exchange, "y", "trio"))
        assert (refused.value.code, refused.value.rule) == ("no-exchange-here", "4. Bidding")


@pytest.mark.rule("le-plateau", "4", "In all other cases, `exchange` is required")
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        *((seats, {}) for seats in range(2, 7)),
        *((seats, {"edition": "2022"}) for seats in range(2, 6)),
        *((seats, {"deck": "full"}) for seats in (3, 4, 5)),
    ],
)
def test_a_bid_that_lacks_exchange_is_refused_wherever_there_is_one(seats, options):
    state = bidding(seats, options=options)
    with pytest.raises(IllegalAction, match="say whether you exchange") as refused:
        le_plateau.decide(state, 1, Bid(None, "six_sides", TEAMS[seats][0]))
    assert refused.value.code == "exchange-missing"
    assert all(action.exchange is not None for action in builders.legal(state)[:-1])


def test_a_bid_without_an_exchange_part_appears_without_it_in_log_and_view():
    events, state = builders.act(six(), 1, of_2022("y.trio"))
    assert split(events[0]) == ({"objective": "y", "team": "trio", "value": 2}, {})
    assert to_plain(project(state, None).bids) == [{"seat": 1, "bid": {"objective": "y", "team": "trio"}, "value": 2}]
    assert to_plain(of_2022("y.trio")) == {"objective": "y", "team": "trio"}


@pytest.mark.rule("le-plateau", "4", "Value = 1 with exchange or 2 without")
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        *((seats, {"edition": "2022"}) for seats in range(2, 6)),
        *((seats, {"deck": "full", "edition": edition}) for seats in (3, 4, 5) for edition in ("2023", "2022")),
        (6, {"excuse": "french"}),
    ],
)
def test_all_other_tables_bid_by_the_printed_table_whatever_the_options(seats, options):
    assert builders.legal(bidding(seats, options=options)) == builders.legal(bidding(seats))
    for action in builders.legal(bidding(seats))[:-1]:
        (one,), (other,) = (
            le_plateau.decide(state, 1, action) for state in (bidding(seats), bidding(seats, options=options))
        )
        assert one == other


WHAT_FOLLOWS = {
    "standard": "2 y.x.solo exchange; 2 y.solo raise; 3 six_sides.solo play; 4 y.x.duo exchange; 5 six_sides.duo "
                "announce; 6 y.x.trio give; 6 y.trio announce; 6 six_sides.solo play",
    "full": "3 y.x.solo exchange; 4 y.x.duo choose_talon; 4 y.duo announce; 4 y.x.solo choose_talon; "
            "5 y.x.duo exchange",
}  # fmt: skip


@pytest.mark.rule("le-plateau", "5", "there is no talon and no exchange")
@pytest.mark.rule("le-plateau", "6", "at `six_sides`, there are no further turns to raise")
@pytest.mark.parametrize(
    ("options", "seats", "made", "phase"),
    [
        *(({"deck": deck}, *case.split()) for deck, cases in WHAT_FOLLOWS.items() for case in cases.split("; ")),
        ({"edition": "2022"}, "6", "y.trio", "announce"),
    ],
)
def test_what_follows_the_bidding_depends_on_deck_exchange_team_and_objective(options, seats, made, phase):
    seats, has_no_exchange = int(seats), "edition" in options
    talon = "" if has_no_exchange else " ".join(f"T{n + 1}" for n in range(shape_for(seats, **options).talon))
    state = bidding(seats, held=["RS"] + [""] * (seats - 1), talon=talon, options=options)
    bid = of_2022(made) if has_no_exchange else builders.bid(made)
    state = builders.acts(state, bid, *[Pass()] * (seats - 1))
    assert state.phase == phase
    assert bool(state.hand.talon_dealt) == (seats == 6 and bid.exchange is False)
    assert state.hand.contract.exchange == bool(bid.exchange)
    assert le_plateau.to_act(state)
