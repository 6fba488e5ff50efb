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


@pytest.mark.rule(
    "le-plateau", "7", "The declarer's side wins if one connected group of its counters makes the objective"
)
def test_the_hand_goes_on_while_the_objective_is_neither_made_nor_impossible():
    events, state = last_card(mine="#1 CH EX")
    assert [type(event) for event in events[1:]] == [TrickWon, CountersPlaced]
    assert state.phase == "play"


# Of the rim only #1 and #7 are left to the declarer: one bridge is still possible.
ONE_WAY = "T1 #2 T2 #3 #4 T3 #5 #6 T4 #8 T5 #9 #10 T6 #11 #12"


@pytest.mark.rule("le-plateau", "7", "loses if it could not make the objective even with every free space")
def test_the_other_side_wins_as_soon_as_not_even_all_free_spaces_would_make_the_objective():
    events, _ = last_card(theirs=ONE_WAY, trick="0:T7 1:T8", card="T9", tricks=6)
    assert events[2:4] == [CountersPlaced("opposing", ("#7",)), HandWon("opposing", "bridge", ())]


@pytest.mark.rule("le-plateau", "7", "loses if it could not make the objective even with every free space")
def test_one_way_left_is_enough_to_go_on():
    events, state = last_card(theirs=ONE_WAY, trick="0:T9 1:T8", card="T7", tricks=6)
    assert events[2:] == [CountersPlaced("declarer", ("#7",))]
    assert state.phase == "play"


@pytest.mark.rule("le-plateau", "7", "a `y` without a bridge does not make a `bridge`")
def test_a_y_without_bridge_does_not_make_a_bridge():
    y = "#1 CH EX #13 RC VH RH DS #9"
    events, state = last_card("bridge", mine=y, tricks=4)
    assert events[2] == CountersPlaced("declarer", ("#5",))
    assert state.phase == "play"
    assert last_card("y", mine=y, tricks=4)[0][3].by == "declarer"


@pytest.mark.rule("le-plateau", "7", "The group can touch more sides; the value stays the same")
def test_more_sides_than_asked_for_win_at_the_value_of_the_contract():
    rim = "T1 #1 #2 T2 #3 #4 T3 #5 #6 T4"
    events, state = last_card("bridge", mine=rim)
    assert events[3].by == "declarer"
    assert events[3].objective == "bridge"
    assert builders.of_kind(events, HandScored)[0].value == 2
    assert state.results[-1].contract.objective == "bridge"


@pytest.mark.rule(
    "le-plateau", "7", "the whole group that made the objective, in ring order; it is empty when the other side wins"
)
def test_the_path_is_the_whole_group_and_leaves_other_groups_out():
    events, _ = last_card(mine=f"{BRIDGE} RC #4 #10")
    assert events[3].path == tuple(token for token in BOARD if token in f"{BRIDGE} #7 RC".split())


# After the last of 13 tricks VC and RH are still free; with VC the bridge would stand.
LAST = {"mine": "#1 CH EX T21 #7", "theirs": others("#1 CH EX T21 #7 #13 VC RH"), "tricks": 12}


@pytest.mark.rule(
    "le-plateau",
    "7",
    "After the last trick, the discard (or, without exchange, the talon) is turned up",
    "the whole group that made the objective, in ring order; it is empty when the other side wins",
)
@pytest.mark.parametrize("exchange", [True, False])
def test_after_the_last_trick_the_other_side_takes_the_spaces_of_the_discard_or_of_the_talon(exchange):
    lying = {"talon": "VC RH T12"}
    if exchange:
        lying = {"talon": "10S 10H 10D", "taken": "10S 10H 10D", "discard": "VC RH T12"}
    events, state = last_card(**LAST, **lying, exchange=exchange)
    cards = ("VC", "RH", "T12")
    assert events[2:6] == [
        CountersPlaced("declarer", ("#13",)),
        DiscardRevealed(cards) if exchange else TalonRevealed(cards),
        CountersPlaced("opposing", ("VC", "RH")),
        HandWon("opposing", "bridge", ()),
    ]
    assert [type(event) for event in events[6:]] == [HandRevealed, HandScored, PhaseBegan]
    assert state.results[-1].by == "opposing"
    assert state.results[-1].path == ()


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


@pytest.mark.rule(
    "le-plateau", "7", "no side claims the spaces of the discard or the talon, not even at the last trick"
)
def test_a_hand_lost_at_the_last_trick_claims_no_talon_spaces():
    events, _ = last_card(**LAST, talon="VC RH T12", trick="0:T7 1:T8", card="T9")
    assert events[2:4] == [CountersPlaced("opposing", ("#13",)), HandWon("opposing", "bridge", ())]
    assert not builders.of_kind(events, TalonRevealed)


@pytest.mark.rule("le-plateau", "7", "the only free ones left")
def test_free_spaces_that_do_not_lie_in_the_talon_are_an_error_and_never_scored():
    with pytest.raises(AssertionError, match="free spaces"):
        last_card(**LAST, talon="VC T11 T12")


@pytest.mark.rule(
    "le-plateau", "7", "The declarer's side wins if one connected group of its counters makes the objective"
)
def test_counters_of_a_partner_count_for_the_declarer():
    duo = builders.contract(3, 1, "bridge", partners=(0,))
    events, _ = last_card(mine=BRIDGE, contract=duo)
    assert events[3].by == "declarer"


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


def last_of_2022(**parts):
    """Win the last of 13 tricks as declarer while VC and RH are free; with VC the bridge stands."""
    return last_card(**LAST | {"options": {"edition": "2022"}} | parts)


@pytest.mark.rule("le-plateau", "7", "the spaces of the talon go to the declarer's side instead")
def test_in_2022_the_declarers_side_takes_the_spaces_of_the_talon_if_there_was_no_exchange():
    events, state = last_of_2022(talon="VC RH T12")
    path = tuple(token for token in BOARD if token in ["#1", "CH", "EX", "T21", "#7", "#13", "VC", "RH"])
    assert events[2:6] == [
        CountersPlaced("declarer", ("#13",)),
        TalonRevealed(("VC", "RH", "T12")),
        CountersPlaced("declarer", ("VC", "RH")),
        HandWon("declarer", "bridge", path),
    ]
    assert state.results[-1].by == "declarer"
    assert state.results[-1].path == path
    assert state.table.declarer_spaces >= {"VC", "RH"}


@pytest.mark.rule("le-plateau", "7", "those of a discard never do")
def test_in_2022_the_other_side_takes_the_spaces_of_the_discard_all_the_same():
    lying = {"talon": "10S 10H 10D", "taken": "10S 10H 10D", "discard": "VC RH T12", "exchange": True}
    events, _ = last_of_2022(**lying)
    assert events[3:6] == [
        DiscardRevealed(("VC", "RH", "T12")),
        CountersPlaced("opposing", ("VC", "RH")),
        HandWon("opposing", "bridge", ()),
    ]


@pytest.mark.rule(
    "le-plateau", "7", "no side claims the spaces of the discard or the talon, not even at the last trick"
)
def test_in_2022_a_hand_lost_at_the_last_trick_claims_no_talon_spaces_either():
    events, _ = last_of_2022(talon="VC RH T12", trick="0:T7 1:T8", card="T9")
    assert events[2:4] == [CountersPlaced("opposing", ("#13",)), HandWon("opposing", "bridge", ())]
    assert not builders.of_kind(events, TalonRevealed)


@pytest.mark.rule("le-plateau", "7", "a harder formation always counts as an easier one too")
def test_in_2022_a_y_without_bridge_makes_a_bridge():
    y = "#1 CH EX #13 RC VH RH DS #9"
    events, _ = last_card("bridge", mine=y, tricks=4, options={"edition": "2022"})
    assert events[3] == HandWon("declarer", "bridge", tuple(token for token in BOARD if token in f"{y} #5".split()))


@pytest.mark.rule("le-plateau", "7", "a harder formation always counts as an easier one too")
def test_in_2022_the_hand_goes_on_while_a_y_is_possible_though_no_bridge_is():
    """Free are only the spaces of a Y that holds no bridge."""
    free = "#1 CH EX #13 RC VH #5 RH DS #9 #10"
    for edition, ends in (("2023", True), ("2022", False)):
        parts = {"theirs": others(free), "tricks": 9, "options": {"edition": edition}}
        events, _ = last_card("bridge", trick="0:T7 1:T8", card="T9", **parts)
        assert bool(builders.of_kind(events, HandWon)) == ends


@pytest.mark.rule(
    "le-plateau", "3", "2 / 1–9 of every suit", "3 / 1–9 of every suit", "4 / 1–6 of H, C, D", "5 / 1–3 of H, D",
    "6 / nothing", "6, edition 2022", "3, full deck", "4, full deck", "5, full deck",
)  # fmt: skip
@pytest.mark.rule("le-plateau", "7", "After the last trick, the discard (or, without exchange, the talon) is turned up")
@pytest.mark.parametrize(("seats", "tricks"), [(3, 17), (4, 18), (5, 15)])
def test_with_the_full_deck_the_talon_is_turned_up_after_the_last_of_more_tricks_and_not_before(seats, tricks):
    """A bridge lacks the centre, which the last trick brings, and VC, which lies in the talon."""
    board = printed_board(seats, "full")
    mine = f"#1 CH EX T21 {board[10]}"
    cards = ["T20", "T19", "T18", "T17", "T16"][:seats]
    for number in (tricks - 1, tricks):
        ahead = [f"#{later}" for later in range(number, tricks + 1)]
        theirs = [token for token in board if token not in [*mine.split(), "VC", "RH", *ahead]]
        parts = {"mine": mine, "theirs": " ".join(theirs), "tricks": number - 1, "options": {"deck": "full"}}
        parts |= {"contract": builders.contract(seats, 0), "held": [""] * (seats - 1) + [cards[-1]]}
        parts |= {"trick": " ".join(f"{seat}:{card}" for seat, card in enumerate(cards[:-1])), "talon": "VC RH T12"}
        events, _ = builders.act(builders.state(seats, "play", **parts), seats - 1, Play(cards[-1]))
        assert events[2] == CountersPlaced("declarer", (f"#{number}",))
        shown = [TalonRevealed(("VC", "RH", "T12"))] if number == tricks else []
        assert builders.of_kind(events, TalonRevealed) == shown
