"""Play: following suit, winning tricks, counters (rules of 16 June 2023, sections Play, Counters)."""

import pytest

from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau import project
from domain.le_plateau.actions import Play
from domain.le_plateau.events import CardPlayed, CountersPlaced, PileCardTurned, TrickWon
from tests.domain.le_plateau import builders


def playing(seats, held, **parts):
    parts.setdefault("contract", builders.contract(seats, 0, "six_sides"))
    return builders.state(seats, "play", held=held, **parts)


def playable(state):
    return {action.card for action in builders.legal(state)}


@pytest.mark.rule("le-plateau", "7", "Forehand leads any card to the first trick")
@pytest.mark.parametrize("dealer", range(4))
def test_forehand_leads_to_the_first_trick_whatever_the_declarer(dealer):
    state = playing(4, ["RS", "DS", "CS", "VS"], dealer=dealer)
    assert builders.to_act(state) == (dealer + 1) % 4


@pytest.mark.rule("le-plateau", "4", "a seat gets its turn even when it has only one legal action")
def test_a_seat_is_asked_even_for_its_last_card():
    state = playing(3, ["RS", "DS", "VS"], tricks=12)
    for seat, card in enumerate(["RS", "DS", "VS"]):
        assert (builders.to_act(state), builders.legal(state)) == (seat, [Play(card)])
        assert le_plateau.settle(state, builders.CHANCE) == []
        state = builders.played(state, *le_plateau.decide(state, seat, Play(card)))
    assert builders.to_act(state) is None


@pytest.mark.rule(
    "le-plateau", "7", "Follow the suit led; if you cannot, play a trump; if you have no trump, play any card",
    "You never have to play a higher trump", "then the winner of each trick leads any card",
)  # fmt: skip
@pytest.mark.parametrize(
    ("trick", "hand", "expected"),
    [
        ("", "RS 10H T3 EX", "RS 10H T3 EX"),
        ("10S", "RS VS RH T3 EX", "RS VS"),
        ("10S", "RH T3 T5 EX", "T3 T5 EX"),
        ("10S", "RH 10D VC", "RH 10D VC"),
        ("10S", "RH EX 10D", "EX"),
        ("T3", "RH EX 10D", "EX"),
        ("EX", "RH T1 10D", "T1"),
        ("10S T12", "T1 T21 RH", "T1 T21"),
        ("VS DS", "10S RS", "10S RS"),
    ],
)
def test_follow_the_suit_led_else_trump_else_any_card(trick, hand, expected):
    seat = len(trick.split())
    held = [""] * 3
    held[seat] = hand
    led = " ".join(f"{at}:{card}" for at, card in enumerate(trick.split()))
    assert playable(playing(3, held, trick=led)) == {*expected.split()}


@pytest.mark.parametrize(
    ("hand", "card", "code"),
    [
        ("RS RH T3", "RH", "must-follow-suit"),
        ("RS RH T3", "T3", "must-follow-suit"),
        ("RH T3", "RH", "must-play-trump"),
        ("RH T3", "T4", "card-not-held"),
        ("RH EX", "RH", "must-play-trump"),
    ],
)
def test_a_forbidden_card_is_refused_with_its_reason(hand, card, code):
    state = playing(3, ["", hand, "T20"], trick="0:10S")
    assert builders.refusal(state, 1, Play(card)) == code


@pytest.mark.rule("le-plateau", "7", "The highest trump wins, or the highest card of the suit led")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("0:10S 1:VS 2:RS", 2),
        ("0:RS 1:DS 2:VS", 0),
        ("0:10S 1:RH 2:RD", 0),
        ("0:10S 1:VS 2:RH", 1),
        ("0:RS 1:T1 2:DS", 1),
        ("0:RS 1:T9 2:T10", 2),
        ("0:T21 1:T20 2:EX", 2),
        ("0:EX 1:T21 2:T1", 0),
        ("0:VS 1:CS 2:DS", 2),
        ("1:10S 2:RH 0:VS", 0),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(trick, winner):
    *earlier, last = trick.split()
    seat, _, card = last.partition(":")
    held = [""] * 3
    held[int(seat)] = card
    state = playing(3, held, trick=" ".join(earlier))
    events, state = builders.act(state, int(seat), Play(card))
    assert events[1] == TrickWon(1, winner, builders.trick(trick))
    assert builders.to_act(state) == winner


@pytest.mark.rule("le-plateau", "7", "claims `#n` and the space of every card in the trick for their side")
@pytest.mark.parametrize(("winner", "team"), [(0, "declarer"), (2, "declarer"), (1, "opposing"), (3, "opposing")])
def test_the_winner_claims_the_trick_space_and_the_spaces_of_its_cards(winner, team):
    cards = {winner: "T21", **dict(zip([seat for seat in range(4) if seat != winner], ["T2", "T9", "RS"], strict=True))}
    held = ["", "", "", cards[3]]
    trick = " ".join(f"{seat}:{cards[seat]}" for seat in range(3))
    duo = builders.contract(4, 0, "six_sides", "duo", partners=(2,))
    state = playing(4, held, trick=trick, tricks=4, contract=duo)
    events, state = builders.act(state, 3, Play(cards[3]))
    spaces = tuple(token for token in state.hand.tokens if token in {"#5", "T21", "T2", "RS"})
    assert events[1].winner == winner
    assert events[2] == CountersPlaced(team, spaces)
    owners = project(state, None).board.owners
    assert owners == dict.fromkeys(spaces, team)


TWO = {"seats": 2, "contract": builders.contract(2, 0, "six_sides")}


def two(held, piles, **parts):
    """Return a position for two players: piles as "top/lower", already as they lie."""
    return builders.state(phase="play", held=held, piles=piles, **TWO | parts)


@pytest.mark.rule("le-plateau", "7", "the upper cards of your piles count as held")
def test_two_players_play_from_the_hand_and_from_the_tops_of_their_piles():
    state = two(["RS T3", "DS"], ["10H/VH RD/T1", "10D/VD"])
    assert playable(state) == {"RS", "T3", "10H", "RD"}
    assert builders.act(state, 0, Play("RD"))[0][0] == CardPlayed(0, "RD", 1)
    assert builders.act(state, 0, Play("T3"))[0][0] == CardPlayed(0, "T3", None)


@pytest.mark.rule("le-plateau", "7", "the upper cards of your piles count as held")
@pytest.mark.parametrize("card", ["VH", "T1", "10D", "DS"])
def test_two_players_cannot_play_a_covered_card_or_one_of_the_other_seat(card):
    state = two(["RS T3", "DS"], ["10H/VH RD/T1", "10D/VD"])
    assert builders.refusal(state, 0, Play(card)) == "card-not-held"


@pytest.mark.rule("le-plateau", "7", "the upper cards of your piles count as held")
@pytest.mark.parametrize(
    ("led", "expected"),
    [("10S", {"RS"}), ("VH", {"CH", "10H"}), ("DC", {"T3", "T4"}), ("T9", {"T3", "T4"}), ("VD", {"RD"})],
)
def test_two_players_follow_from_hand_and_tops_and_not_from_covered_cards(led, expected):
    state = two(["", "RS T3 CH"], ["10D/VD", "10H/VC RD/10C T4/DD"], trick=f"0:{led}")
    assert playable(state) == expected


@pytest.mark.rule("le-plateau", "7", "each lower card is turned up after the trick, the winner's first")
def test_the_lower_cards_are_turned_up_after_the_winner_is_known_winners_first():
    state = two(["RS", "DS"], ["10H/VH RD/T1", "10D/VD VS/T21"])
    _, state = builders.act(state, 0, Play("RD"))
    assert project(state, 0).hands[0].piles[1] == {"top": None, "under": True, "played": ("RD",)}
    events, after = builders.act(state, 1, Play("10D"))
    assert [type(event) for event in events] == [CardPlayed, TrickWon, CountersPlaced, PileCardTurned, PileCardTurned]
    assert events[-2:] == [PileCardTurned(0, 1, "T1"), PileCardTurned(1, 0, "VD")]
    assert project(after, None).hands[0].piles[1] == {"top": "T1", "under": False, "played": ("RD",)}


@pytest.mark.rule("le-plateau", "7", "each lower card is turned up after the trick, the winner's first")
def test_the_lower_card_of_a_dealer_who_wins_is_turned_up_first():
    state = two(["RS", "DS"], ["10D/T1", "RD/T21"])
    _, state = builders.act(state, 0, Play("10D"))
    events, state = builders.act(state, 1, Play("RD"))
    assert events[-2:] == [PileCardTurned(1, 0, "T21"), PileCardTurned(0, 0, "T1")]
    assert builders.to_act(state) == 1
    _, state = builders.act(state, 1, Play("T21"))
    events, state = builders.act(state, 0, Play("T1"))
    assert not builders.of_kind(events, PileCardTurned)
    assert project(state, None).hands[1].piles == ({"top": None, "under": False, "played": ("RD", "T21")},)


@pytest.mark.rule("le-plateau", "3", "no player knows the lower card until it is turned up")
def test_a_lower_card_is_unknown_to_its_owner_too():
    state = two(["RS", "DS"], ["10H/VH RD/T1", "10D/VD VS/T21"])
    for viewer in (0, 1, None):
        assert [hand.piles for hand in project(state, viewer).hands] == [
            ({"top": "10H", "under": True, "played": ()}, {"top": "RD", "under": True, "played": ()}),
            ({"top": "10D", "under": True, "played": ()}, {"top": "VS", "under": True, "played": ()}),
        ]
