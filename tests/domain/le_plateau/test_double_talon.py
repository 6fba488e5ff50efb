"""The double talon: 4 players with the full deck (rules of 16 June 2023, section Variants, Full deck Le Plateau)."""

from itertools import combinations

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.le_plateau import project
from domain.le_plateau.actions import Announce, ChooseTalon, Exchange, Pass, Play
from domain.le_plateau.events import (
    AnnouncementAnswered,
    CardsDiscarded,
    CountersPlaced,
    DiscardRevealed,
    HandWon,
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
def test_both_groups_are_turned_up_the_first_three_cards_and_the_last_three():
    events, state = turned()
    assert events[-2:] == [TalonTurned((FIRST, SECOND)), PhaseBegan("choose_talon")]
    assert builders.to_act(state) == 0
    assert builders.legal(state) == [ChooseTalon(0), ChooseTalon(1)]


@pytest.mark.rule("le-plateau", "5", "turned up for all in two groups")
def test_both_groups_are_public():
    events, state = turned()
    assert split(events[-2]) == ({"groups": [[*FIRST], [*SECOND]]}, {})
    for viewer in EVERYONE:
        assert to_plain(project(state, viewer).talon) == {
            "count": 6, "cards": None, "taken": None, "dealt": [], "groups": [[*FIRST], [*SECOND]], "chosen": None,
        }  # fmt: skip


@pytest.mark.rule("le-plateau", "5", "the board spaces of the other group go to the opposing side at once")
@pytest.mark.parametrize(
    ("group", "taken", "opposing"),
    [(0, ("10S", "RH", "EX"), ("T1", "CD")), (1, ("9D", "CD", "T1"), ("EX", "RH"))],
)
def test_the_declarer_takes_a_group_and_the_other_side_the_board_spaces_of_the_other_at_once(group, taken, opposing):
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


@pytest.mark.rule("le-plateau", "5", "the board spaces of the other group go to the opposing side at once")
def test_a_group_without_a_card_of_the_board_claims_nothing():
    talon = "RH EX T1 9D 8D 7D"
    start = builders.state(4, "bid", held=HELD, talon=talon, options={"deck": "full"})
    state = builders.acts(start, builders.bid("y.x.solo"), Pass(), Pass(), Pass(), ChooseTalon(0))
    assert project(state, None).board.owners == {}


@pytest.mark.rule("le-plateau", "5", "the group stays face up")
def test_the_untaken_group_stays_in_view_and_the_choice_is_public():
    _, state = chosen(1)
    state = builders.acts(state, Exchange(("T1", "1C", "2C")))
    for viewer in EVERYONE:
        talon = project(state, viewer).talon
        assert (talon.count, talon.groups, talon.chosen) == (3, (FIRST, SECOND), 1)
        assert talon.taken == (("9D", "CD", "T1") if viewer == 0 else None)


@pytest.mark.rule("le-plateau", "5", "chooses one group, takes it and discards three cards")
def test_three_cards_are_discarded_from_the_whole_hand_and_known_to_the_declarer_alone():
    _, state = chosen(0)
    assert {*builders.legal(state)} == {Exchange(cards) for cards in combinations(state.table.held[0], 3)}
    assert builders.refusal(state, 0, Exchange(("T1", "1C", "2C"))) == "card-not-held"
    events, state = builders.act(state, 0, Exchange(("2C", "RH", "10S")))
    assert events[0] == CardsDiscarded(0, 3, ("10S", "RH", "2C"))
    assert split(events[0])[1]["/cards"].to == (0,)
    for viewer in EVERYONE:
        assert project(state, viewer).discard.cards == (("10S", "RH", "2C") if viewer == 0 else None)


@pytest.mark.rule("le-plateau", "5", "chooses one group, takes it and discards three cards")
def test_a_whole_hand_leaves_1330_discards_to_choose_from():
    cards = [card for card in TAROT_PACK if card not in FIRST + SECOND]
    held = [" ".join(cards[18 * seat : 18 * seat + 18]) for seat in range(4)]
    start = builders.state(4, "bid", held=held, talon=" ".join(FIRST + SECOND), options={"deck": "full"})
    state = builders.acts(start, builders.bid("y.x.solo"), Pass(), Pass(), Pass(), ChooseTalon(0))
    assert len(set(builders.legal(state))) == 1330


@pytest.mark.parametrize("group", [-1, 2])
def test_a_group_that_does_not_exist_is_refused(group):
    _, state = turned()
    assert builders.refusal(state, 0, ChooseTalon(group)) == "no-such-group"


def test_other_actions_and_other_seats_are_refused_while_a_group_is_chosen():
    _, state = turned()
    assert builders.refusal(state, 0, Exchange(("RS", "DS", "VS"))) == "wrong-phase"
    assert builders.refusal(state, 1, ChooseTalon(0)) == "not-your-turn"
    _, state = chosen(0)
    assert builders.refusal(state, 0, ChooseTalon(1)) == "wrong-phase"


@pytest.mark.rule("le-plateau", "5", "Without exchange, all six cards stay hidden until the end")
def test_without_exchange_nothing_is_turned_up():
    events, state = turned("y.duo")
    assert not builders.of_kind(events, TalonTurned)
    assert state.phase == "announce"
    assert project(state, 0).talon.groups is None


@pytest.mark.rule("le-plateau", "6", "is in an open group of the talon")
def test_a_card_in_the_open_group_must_be_announced_when_it_is_the_only_one_left_of_its_rank():
    held = ["RS RD RC 1C 2C", "DS 1S", "DD 2S", "DC 3S"]
    start = builders.state(4, "bid", held=held, talon=" ".join(FIRST + SECOND), options={"deck": "full"})
    state = builders.acts(
        start, builders.bid("y.x.duo"), Pass(), Pass(), Pass(), ChooseTalon(1), Exchange(("T1", "1C", "2C"))
    )
    assert builders.legal(state) == [Announce("RH")]
    events, state = builders.act(state, 0, Announce("RH"))
    assert events[1:] == [AnnouncementAnswered("RH", None)]
    assert {action.card for action in builders.legal(state)} == {"DS", "DH", "DD", "DC"}


@pytest.mark.rule("le-plateau", "6", "is in an open group of the talon")
def test_a_card_in_the_open_group_can_be_announced_beside_others_of_its_rank():
    _, state = chosen(1)
    state = builders.acts(state, Exchange(("T1", "1C", "2C")))
    assert {action.card for action in builders.legal(state)} == {"RH", "RD", "RC"}


@pytest.mark.rule("le-plateau", "7", "After the last trick, the discard (or, without exchange, the talon) is turned up")
@pytest.mark.parametrize("edition", ["2023", "2022"])
def test_after_the_last_trick_the_discard_goes_to_the_other_side_whose_are_the_spaces_of_the_open_group_too(edition):
    """A bridge lacks #18, which the last trick brings, and VC, which lies in the discard."""
    mine = "#1 CH EX T21 #10"
    theirs = [token for token in printed_board(4, "full") if token not in f"{mine} #18 VC VS".split()]
    assert {"T1", "CD"} <= {*theirs}
    parts = {
        "contract": builders.contract(4, 0, "bridge", exchange=True),
        "mine": mine,
        "theirs": " ".join(theirs),
        "tricks": 17,
        "trick": "0:T20 1:T9 2:T8",
        "groups": (FIRST, SECOND),
        "chosen": 0,
        "talon": " ".join(FIRST + SECOND),
        "taken": " ".join(FIRST),
        "discard": "VC VS 1C",
        "options": {"deck": "full", "edition": edition},
    }
    events, _ = builders.act(builders.state(4, "play", held=["", "", "", "T7"], **parts), 3, Play("T7"))
    assert events[2:6] == [
        CountersPlaced("declarer", ("#18",)),
        DiscardRevealed(("VC", "VS", "1C")),
        CountersPlaced("opposing", ("VS", "VC")),
        HandWon("opposing", "bridge", ()),
    ]


@pytest.mark.rule("le-plateau", "7", "everything about it is made public")
def test_at_the_end_of_a_hand_the_whole_talon_and_what_was_taken_are_made_public():
    parts = {"groups": (FIRST, SECOND), "chosen": 1, "talon": " ".join(FIRST + SECOND), "taken": "9D CD T1"}
    parts |= {"contract": builders.contract(4, 0, exchange=True), "mine": "#1 CH EX T21 VC #10 RH", "tricks": 17}
    state = builders.state(
        4, "play", held=["", "", "", "T7"], trick="0:T20 1:T9 2:T8", options={"deck": "full"}, **parts
    )
    _, state = builders.act(state, 3, Play("T7"))
    (result,) = project(state, 3).hand_results
    assert result.talon == FIRST + SECOND
    assert result.taken == ("9D", "CD", "T1")
