"""The excuse as in French Tarot (rules of 16 June 2023, section Variants, The Excuse)."""

import pytest

from domain.errors import IllegalAction
from domain.le_plateau.actions import Play
from domain.le_plateau.events import CountersPlaced, HandWon, TalonRevealed, TrickWon
from domain.le_plateau.rules import PHASES
from domain.le_plateau.view import project
from tests.domain.le_plateau import builders
from tests.domain.le_plateau.reference_rules import printed_board

FRENCH = {"deck": "full", "excuse": "french"}
BOARD = printed_board(4, "full")


def playing(held, *, seats=4, objective="six_sides", partners=(), **parts):
    contract = builders.contract(seats, 0, objective, "duo" if partners else "solo", partners=partners)
    options = FRENCH if seats < 6 else {"excuse": "french"}
    return builders.state(seats, "play", held=held, **{"contract": contract, "options": options} | parts)


def playable(trick, hand):
    """Return the cards that the next of four seats can play."""
    seat = len(trick.split())
    held = [""] * 4
    held[seat] = hand
    return {action.card for action in builders.legal(playing(held, trick=trick))}


@pytest.mark.rule(
    "le-plateau", "7", "played to any trick, whatever else the hand holds, and does not make other cards legal",
    "If it is led, the next card, which can be any card, sets the suit",
)  # fmt: skip
@pytest.mark.parametrize(
    ("trick", "hand", "expected"),
    [
        ("0:10S", "RS VS RH T3 EX", "RS VS EX"),
        ("0:10S", "RH T3 T5 EX", "T3 T5 EX"),
        ("0:10S", "RH 10D EX", "RH 10D EX"),
        ("0:10S", "EX", "EX"),
        ("0:T3", "RH 10D EX", "RH 10D EX"),
        ("0:T3", "RH T1 EX", "T1 EX"),
        ("", "RS T3 EX", "RS T3 EX"),
        ("0:EX", "RS RH T3", "RS RH T3"),
        ("0:EX 1:10S", "RS RH T3", "RS"),
        ("0:EX 1:10S", "RH T3", "T3"),
        ("0:EX 1:10S", "RH 10D", "RH 10D"),
        ("0:EX 1:T9", "RS RH T3", "T3"),
        ("0:EX 1:T9", "RS RH", "RS RH"),
    ],
)
def test_the_excuse_goes_to_any_trick_and_the_next_card_sets_the_suit(trick, hand, expected):
    assert playable(trick, hand) == {*expected.split()}


@pytest.mark.parametrize(
    ("hand", "card", "code", "led"),
    [
        ("RS RH", "RH", "must-follow-suit", "the 10 of spades"),
        ("T3 RH EX", "RH", "must-play-trump", "the 10 of spades"),
    ],
)
def test_a_refusal_names_the_card_that_set_the_suit(hand, card, code, led):
    state = playing(["", "", hand, ""], trick="0:EX 1:10S")
    with pytest.raises(IllegalAction, match=led) as refused:
        PHASES.decide(state, 2, Play(card))
    assert refused.value.code == code


@pytest.mark.rule("le-plateau", "7", "it never wins")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("0:10S 1:EX 2:9S 3:8S", 0),
        ("0:10S 1:9S 2:8S 3:EX", 0),
        ("0:T1 1:EX 2:RS 3:RH", 0),
        ("0:EX 1:9S 2:10S 3:RH", 2),
        ("0:EX 1:RH 2:T1 3:T2", 3),
        ("0:EX 1:T1 2:RS 3:RH", 1),
        ("0:1S 1:EX 2:RH 3:RD", 0),
        ("0:EX 1:1S 2:RH 3:RD", 1),
    ],
)
def test_the_excuse_never_wins_a_trick(trick, winner):
    *earlier, last = trick.split()
    held = ["", "", "", last.partition(":")[2]]
    events, state = builders.act(playing(held, trick=" ".join(earlier)), 3, Play(held[3]))
    assert events[1] == TrickWon(1, winner, builders.trick(trick))
    assert builders.to_act(state) == winner


@pytest.mark.rule("le-plateau", "7", "goes to the side of the player who played it, regardless of who wins the trick")
@pytest.mark.parametrize(
    ("player", "winner", "placed"),
    [
        (1, 0, [("declarer", ("#5", "RH")), ("opposing", ("EX",))]),
        (0, 1, [("opposing", ("#5", "RH")), ("declarer", ("EX",))]),
        (2, 0, [("declarer", ("#5", "EX", "RH"))]),
        (0, 2, [("declarer", ("#5", "EX", "RH"))]),
        (3, 1, [("opposing", ("#5", "EX", "RH"))]),
    ],
)
def test_the_space_of_the_star_goes_to_the_team_that_played_it(player, winner, placed):
    """Seats 0 and 2 play for the declarer's side; the winner plays the 20, the others 8H and RH."""
    others = iter(["8H", "RH"])
    cards = [{player: "EX", winner: "T20"}.get(seat) or next(others) for seat in range(4)]
    trick = " ".join(f"{seat}:{card}" for seat, card in enumerate(cards[:-1]))
    state = playing(["", "", "", cards[3]], trick=trick, tricks=4, partners=(2,))
    events, after = builders.act(state, 3, Play(cards[3]))
    assert builders.of_kind(events, TrickWon)[0].winner == winner
    assert builders.of_kind(events, CountersPlaced) == [CountersPlaced(team, spaces) for team, spaces in placed]
    owners = project(after, None).board.owners
    assert owners["EX"] == ("declarer" if player in (0, 2) else "opposing")


@pytest.mark.rule("le-plateau", "7", "is treated like the other cards")
def test_in_the_talon_the_excuse_shares_the_fate_of_the_other_cards():
    """The last trick brings the centre; EX, without which there is no bridge, lies in the talon."""
    mine = "#1 CH T21 VC #10"
    theirs = " ".join(token for token in BOARD if token not in f"{mine} #18 EX".split())
    talon = "EX 1S 2S 3S 4S 5S"
    for edition, team in (("2023", "opposing"), ("2022", "declarer")):
        parts = {"mine": mine, "theirs": theirs, "trick": "0:T20 1:T9 2:T8", "tricks": 17, "talon": talon}
        parts |= {"options": FRENCH | {"edition": edition}, "objective": "bridge"}
        events, _ = builders.act(playing(["", "", "", "T7"], **parts), 3, Play("T7"))
        assert events[3:5] == [TalonRevealed(tuple(talon.split())), CountersPlaced(team, ("EX",))]
        assert events[5].by == team


@pytest.mark.rule("le-plateau", "7", "also at the last trick")
def test_there_is_no_exception_at_the_last_trick():
    """The declarer takes the last trick, and would have a bridge with the star that the other side played to it."""
    mine = "#1 CH T21 VC #10"
    theirs = " ".join(token for token in BOARD if token not in f"{mine} #18 EX".split())
    parts = {"mine": mine, "theirs": theirs, "trick": "0:T20 1:T9 2:T8", "tricks": 17, "objective": "bridge"}
    events, _ = builders.act(playing(["", "", "", "EX"], **parts), 3, Play("EX"))
    assert events[1].winner == 0
    assert events[2:5] == [
        CountersPlaced("declarer", ("#18",)),
        CountersPlaced("opposing", ("EX",)),
        HandWon("opposing", "bridge", ()),
    ]


@pytest.mark.rule("le-plateau", "7", "it does not belong to any suit")
@pytest.mark.parametrize(("seats", "deck"), [(4, "full"), (5, "full"), (6, "standard")])
def test_the_excuse_is_the_highest_trump_unless_the_option_says_otherwise(seats, deck):
    contract = builders.contract(seats, 0, "six_sides")
    state = builders.state(seats, "play", held=["", "RH EX", *[""] * (seats - 2)], trick="0:10S", contract=contract,
                        options={"deck": deck})  # fmt: skip
    assert [action.card for action in builders.legal(state)] == ["EX"]
    state = playing(["", "RH EX", *[""] * (seats - 2)], seats=seats, trick="0:10S")
    assert [action.card for action in builders.legal(state)] == ["RH", "EX"]
