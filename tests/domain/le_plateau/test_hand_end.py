"""The end of a hand, in the order of its tests (rules of 16 June 2023, section End of the Hand)."""

import pytest

from domain.le_plateau import project
from domain.le_plateau.actions import Play
from domain.le_plateau.dealt import ShownHand
from domain.le_plateau.events import (
    CountersPlaced,
    DiscardRevealed,
    HandRevealed,
    HandScored,
    HandWon,
    PhaseBegan,
    PileCardTurned,
    TalonRevealed,
    TrickWon,
)
from tests.domain.le_plateau import builders
from tests.domain.le_plateau.reference_rules import printed_board

BOARD = printed_board(3)
# A bridge from side 1 to side 4 that lacks #7, and everything but it.
BRIDGE = "#1 CH EX #13 T21 VC"


def last_card(objective="bridge", *, mine="", theirs="", trick="0:T9 1:T8", card="T7", tricks=6, **parts):
    """Play the last card of a trick of three players; the declarer is seat 0 and wins it by default."""
    contract = builders.contract(3, 0, objective, exchange=parts.pop("exchange", False))
    parts = {"contract": contract, "mine": mine, "theirs": theirs, "trick": trick, "tricks": tricks} | parts
    return builders.act(builders.state(3, "play", held=["RS", "RH", card], **parts), 2, Play(card))


def others(spaces):
    """List all spaces but these."""
    return " ".join(token for token in BOARD if token not in spaces.split())


@pytest.mark.rule(
    "le-plateau", "7", "The declarer's side wins if one connected group of its counters makes the objective"
)
def test_the_declarer_wins_at_the_trick_that_makes_the_objective():
    events, _ = last_card(mine=BRIDGE)
    path = tuple(token for token in BOARD if token in f"{BRIDGE} #7".split())
    assert [type(event) for event in events[1:4]] == [TrickWon, CountersPlaced, HandWon]
    assert events[3] == HandWon("declarer", "bridge", path)


# Of the rim only #1 and #7 are left to the declarer: one bridge is still possible.
ONE_WAY = "T1 #2 T2 #3 #4 T3 #5 #6 T4 #8 T5 #9 #10 T6 #11 #12"


@pytest.mark.rule("le-plateau", "7", "loses if it could not make the objective even with every free space")
@pytest.mark.parametrize("parts", [{"mine": "#1 CH EX"}, {"theirs": ONE_WAY}])
def test_the_hand_continues_while_the_objective_is_neither_made_nor_impossible(parts):
    events, state = last_card(**parts)
    assert [type(event) for event in events[1:]] == [TrickWon, CountersPlaced]
    assert state.phase == "play"


@pytest.mark.rule("le-plateau", "7", "loses if it could not make the objective even with every free space")
def test_the_other_side_wins_once_all_free_spaces_would_not_do():
    events, _ = last_card(theirs=ONE_WAY, trick="0:T7 1:T8", card="T9", tricks=6)
    assert events[2:4] == [CountersPlaced("opposing", ("#7",)), HandWon("opposing", "bridge", ())]


# After the last of 13 tricks VC and RH are still free; with VC the bridge would stand.
LAST = {"mine": "#1 CH EX T21 #7", "theirs": others("#1 CH EX T21 #7 #13 VC RH"), "tricks": 12}


@pytest.mark.rule(
    "le-plateau", "7", "no side claims the spaces of the discard or the talon, not even at the last trick"
)
def test_a_hand_made_at_the_last_trick_claims_no_talon_spaces():
    lying = LAST | {"mine": f"{LAST['mine']} VC", "talon": "RH T12 T13"}
    events, _ = last_card(**lying)
    assert [type(event) for event in events[1:]] == [
        TrickWon, CountersPlaced, HandWon, HandRevealed, HandScored, PhaseBegan
    ]  # fmt: skip
    assert events[3].by == "declarer"


@pytest.mark.rule("le-plateau", "7", "the only free ones left")
def test_free_spaces_that_do_not_lie_in_the_talon_are_an_error_and_never_scored():
    with pytest.raises(AssertionError, match="free spaces"):
        last_card(**LAST, talon="VC T11 T12")


@pytest.mark.rule("le-plateau", "7", "these steps follow in order, before any lower card is turned up")
@pytest.mark.parametrize(("trick", "ends"), [(7, False), (9, True)])
def test_no_lower_card_is_turned_up_when_the_hand_ends(trick, ends):
    """On the board for two #9 makes the bridge to side 4, #7 does not."""
    parts = {
        "mine": "#1 CH EX #16 T21 CD VC",
        "contract": builders.contract(2, 0),
        "trick": "0:T9",
        "tricks": trick - 1,
    }
    state = builders.state(2, "play", held=["RS", "DS"], piles=["10H/VH", "T8/VD"], **parts)
    events, _ = builders.act(state, 1, Play("T8"))
    assert bool(builders.of_kind(events, HandWon)) == ends
    assert builders.of_kind(events, PileCardTurned) == ([] if ends else [PileCardTurned(1, 0, "VD")])
    for revealed in builders.of_kind(events, HandRevealed):
        assert revealed.unturned[1].cards == ("VD",)


@pytest.mark.rule("le-plateau", "7", "everything about it is made public")
def test_the_end_of_a_hand_makes_everything_public():
    gone = {"talon": "T1 T2 T3", "taken": "T1 T2 T3", "discard": "T1 T2 10S"}
    events, state = last_card(mine=BRIDGE, exchange=True, **gone)
    (shown,) = builders.of_kind(events, HandRevealed)
    assert [hand.cards for hand in shown.dealt] == [("RS",), ("RH",), ("T7",)]
    assert (shown.talon, shown.taken, shown.discard) == (("T1", "T2", "T3"), ("T1", "T2", "T3"), ("T1", "T2", "10S"))
    assert [hand.cards for hand in shown.unplayed] == [("RS",), ("RH",), ()]
    for viewer in (0, 1, 2, None):
        (result,) = project(state, viewer).hand_results
        assert result.discard == ("T1", "T2", "10S")
        assert result.unplayed[0] == ShownHand(0, ("RS",))
        assert result.by == "declarer"
        assert result.path == tuple(token for token in BOARD if token in f"{BRIDGE} #7".split())
        assert result.scores == (2, -1, -1)


@pytest.mark.rule("le-plateau", "7", "all players can see the tricks taken")
def test_played_tricks_stay_open_for_all():
    _, state = last_card()
    for viewer in (0, 1, 2, None):
        assert project(state, viewer).tricks[-1] == TrickWon(7, 0, builders.trick("0:T9 1:T8 2:T7"))


@pytest.mark.rule(
    "le-plateau", "7", "After the last trick, the discard (or, without exchange, the talon) is turned up",
    "the whole group that made the objective, in ring order; it is empty when the other side wins",
    "the spaces of the talon go to the declarer's side instead", "those of a discard never do",
)  # fmt: skip
@pytest.mark.parametrize("exchange", [True, False])
@pytest.mark.parametrize("edition", ["2023", "2022"])
def test_after_the_last_trick_the_spaces_of_discard_or_talon_are_taken(edition, exchange):
    """By the other side, but those of the talon in 2022: with VC the bridge of the declarer stands."""
    lying = {"talon": "VC RH T12"}
    if exchange:
        lying = {"talon": "10S 10H 10D", "taken": "10S 10H 10D", "discard": "VC RH T12"}
    events, state = last_card(**LAST, **lying, exchange=exchange, options={"edition": edition})
    cards = ("VC", "RH", "T12")
    by = "declarer" if edition == "2022" and not exchange else "opposing"
    path = tuple(token for token in BOARD if token in f"{LAST['mine']} #13 VC RH".split()) if by == "declarer" else ()
    assert events[2:6] == [
        CountersPlaced("declarer", ("#13",)),
        DiscardRevealed(cards) if exchange else TalonRevealed(cards),
        CountersPlaced(by, ("VC", "RH")),
        HandWon(by, "bridge", path),
    ]
    assert [type(event) for event in events[6:]] == [HandRevealed, HandScored, PhaseBegan]
    assert (state.results[-1].by, state.results[-1].path) == (by, path)
