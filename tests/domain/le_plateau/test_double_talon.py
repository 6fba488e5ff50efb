"""The double talon: 4 players with the full deck (rules of 16 June 2023, section Variants, Full deck Le Plateau)."""

from itertools import combinations

import pytest

from domain.le_plateau import project
from domain.le_plateau.actions import Announce, ChooseTalon, Exchange, Pass
from domain.le_plateau.events import (
    AnnouncementAnswered,
    CardsDiscarded,
    CountersPlaced,
    PhaseBegan,
    TalonGroupChosen,
    TalonTaken,
    TalonTurned,
)
from domain.log.redaction import split
from domain.serialization import to_plain
from tests.domain.le_plateau import builders
from tests.domain.le_plateau.reference_rules import printed_board

FIRST, SECOND = ("RH", "10S", "EX"), ("T1", "9D", "CD")
HELD = ["RS DS VS 1C 2C", "RD 1S", "RC 2S", "DH 3S"]
EVERYONE = (0, 1, 2, 3, None)


def turned(bid="y.x.duo", **options):
    """Win the bidding with exchange as seat 0; return the events of the last pass, and the state."""
    start = builders.state(4, "bid", held=HELD, talon=" ".join(FIRST + SECOND), options={"deck": "full"} | options)
    state = builders.acts(start, builders.bid(bid), Pass(), Pass())
    return builders.act(state, 3, Pass())


def chosen(group, **options):
    _, state = turned(**options)
    return builders.act(state, 0, ChooseTalon(group))


@pytest.mark.rule("le-plateau", "5", "turned up for all in two groups")
def test_both_groups_of_three_are_turned_up_for_all():
    events, state = turned()
    assert events[-2:] == [TalonTurned((FIRST, SECOND)), PhaseBegan("choose_talon")]
    assert builders.legal(state) == [ChooseTalon(0), ChooseTalon(1)]
    assert split(events[-2]) == ({"groups": [[*FIRST], [*SECOND]]}, {})
    for viewer in EVERYONE:
        assert to_plain(project(state, viewer).talon) == {
            "count": 6, "cards": None, "taken": None, "dealt": [], "groups": [[*FIRST], [*SECOND]], "chosen": None,
        }  # fmt: skip


@pytest.mark.rule("le-plateau", "5", "the board spaces of the other group go to the opposing side at once")
@pytest.mark.parametrize(
    ("group", "taken", "opposing"), [(0, ("10S", "RH", "EX"), ("T1", "CD")), (1, ("9D", "CD", "T1"), ("EX", "RH"))]
)
def test_the_declarer_takes_a_group_and_the_other_side_spaces_of_the_other(group, taken, opposing):
    events, state = chosen(group)
    assert events == [
        TalonGroupChosen(0, group),
        TalonTaken(0, 3, taken),
        CountersPlaced("opposing", opposing),
        PhaseBegan("exchange"),
    ]
    assert {*taken} <= {*state.table.held[0]}
    assert project(state, 2).board.owners == dict.fromkeys(opposing, "opposing")
    assert [*project(state, 2).board.owners] == [t for t in printed_board(4, "full") if t in opposing]


@pytest.mark.rule("le-plateau", "5", "the group stays face up")
def test_the_untaken_group_stays_in_view_and_the_choice_is_public():
    _, state = chosen(1)
    state = builders.acts(state, Exchange(("T1", "1C", "2C")))
    for viewer in EVERYONE:
        talon = project(state, viewer).talon
        assert (talon.count, talon.groups, talon.chosen) == (3, (FIRST, SECOND), 1)
        assert talon.taken == (("9D", "CD", "T1") if viewer == 0 else None)


@pytest.mark.rule("le-plateau", "5", "chooses one group, takes it and discards three cards")
def test_three_cards_of_the_whole_hand_are_discarded_unseen_by_others():
    _, state = chosen(0)
    assert {*builders.legal(state)} == {Exchange(cards) for cards in combinations(state.table.held[0], 3)}
    assert builders.refusal(state, 0, Exchange(("T1", "1C", "2C"))) == "card-not-held"
    events, state = builders.act(state, 0, Exchange(("2C", "RH", "10S")))
    assert events[0] == CardsDiscarded(0, 3, ("10S", "RH", "2C"))
    assert split(events[0])[1]["/cards"].to == (0,)
    for viewer in EVERYONE:
        assert project(state, viewer).discard.cards == (("10S", "RH", "2C") if viewer == 0 else None)


@pytest.mark.parametrize("group", [-1, 2])
def test_a_group_that_does_not_exist_is_refused(group):
    _, state = turned()
    assert builders.refusal(state, 0, ChooseTalon(group)) == "no-such-group"


@pytest.mark.rule("le-plateau", "6", "is in an open group of the talon")
def test_a_card_in_the_open_group_can_be_announced_and_no_seat_holds_it():
    _, state = chosen(1)
    state = builders.acts(state, Exchange(("T1", "1C", "2C")))
    assert {action.card for action in builders.legal(state)} == {"RH", "RD", "RC"}
    events, _ = builders.act(state, 0, Announce("RH"))
    assert events[1:] == [AnnouncementAnswered("RH", None)]
