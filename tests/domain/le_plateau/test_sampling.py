"""Sampled worlds keep what the past of a hand shows: who held a card, who could not follow."""

import random

import pytest

from domain.cardplay.cards import in_deck_order
from domain.le_plateau.actions import Announce, ChooseTalon, Exchange, Pass, Play
from domain.le_plateau.dealt import ShownGift, ShownTalonCard
from domain.le_plateau.deck import SUIT_OF, shape_for
from domain.le_plateau.sampling import sample
from domain.le_plateau.view import project
from tests.domain.le_plateau import builders

KINGS = ["RS", "RH", "RD", "RC"]


def dealt(*starts, talon, deck="standard"):
    """Deal a whole deck as four strings: hands that hold at least these cards, and no card of the talon."""
    named = {*talon.split(), *(card for start in starts for card in start.split())}
    rest = [card for card in shape_for(4, deck).deck if card not in named]
    size = 18 if deck == "full" else 13
    hands = []
    for start in starts:
        cards = start.split()
        cards += [rest.pop() for _ in range(size - len(cards))]
        hands.append(" ".join(cards))
    assert not rest
    return hands


def announcing(*starts, talon="T1 T2 T3"):
    """Return a position in which seat 0 seeks a partner without exchange."""
    contract = builders.contract(4, 0, "six_sides", "duo")
    return builders.state(4, "announce", held=dealt(*starts, talon=talon), talon=talon, contract=contract)


def worlds(state, viewer, count=60):
    view, rng = project(state, viewer), random.Random(7)
    drawn = [sample(state.options, viewer, view, rng) for _ in range(count)]
    assert all(project(world, viewer) == view for world in drawn)
    assert len({world.table.held for world in drawn}) > count // 2
    return drawn


def bidden(state):
    """Record the bid that made seat 0 the declarer."""
    bid = builders.ev.BidMade(0, exchange=False, objective="six_sides", team="duo", value=10)
    return builders.played(state, bid)


@pytest.mark.parametrize("viewer", [2, 3, None])
def test_the_holder_of_an_announced_card_holds_it_in_every_world(viewer):
    state = builders.acts(bidden(announcing("RS", "RH", "", "")), Announce("RH"))
    for world in worlds(state, viewer):
        assert "RH" in world.table.held[1]


def test_a_card_that_no_seat_held_lies_in_the_talon_in_every_world():
    state = builders.acts(bidden(announcing("RS", "RC", "", "", talon="RH T1 T2")), Announce("RH"))
    for world in worlds(state, 3):
        assert "RH" in world.hand.talon


@pytest.mark.parametrize("viewer", [2, 3, None])
def test_a_declarer_who_announced_a_dame_held_every_king(viewer):
    state = builders.acts(bidden(announcing(" ".join(KINGS), "DS", "", "")), Announce("DS"))
    for world in worlds(state, viewer):
        assert {*KINGS} <= {*world.table.held[0]}
        assert "DS" in world.table.held[1]


def test_a_declarer_who_announced_a_king_holds_the_others_in_some_worlds_only():
    state = builders.acts(bidden(announcing("RS", "RH", "", "")), Announce("RH"))
    holding = {tuple(king in world.table.held[0] for king in KINGS) for world in worlds(state, 2)}
    assert len(holding) > 1


def test_a_seat_that_neither_followed_nor_trumped_holds_neither():
    red = "10D RH DH CH VH 10H 9H 8H 7H 7D 8D 9D VD"
    held, talon = dealt("10S", "VS", red, "", talon="T1 T2 T3"), "T1 T2 T3"
    state = builders.state(4, "play", held=held, talon=talon, contract=builders.contract(4, 0, "six_sides"))
    state = builders.acts(state, Play("10S"), Play("VS"), Play("10D"))
    for viewer in (0, 1, 3, None):
        for world in worlds(state, viewer):
            assert not [card for card in world.table.held[2] if SUIT_OF["trump"][card] in ("S", "T")]


def test_a_gift_lies_with_its_receiver_for_those_alone_who_know_it():
    rest = list(shape_for(6).deck)
    held = [" ".join(rest.pop() for _ in range(13)) for _ in range(6)]
    first = [cards.split()[0] for cards in held]
    gifts = tuple(ShownGift(0, to, first[to]) for to in (2, 4))
    talon_dealt = tuple(ShownTalonCard(to, first[to]) for to in (1, 3, 5))
    taken = in_deck_order((first[2], first[4], first[0]))
    talon = (*taken, *(dealt.card for dealt in talon_dealt))
    contract = builders.contract(6, 0, "six_sides", exchange=True)
    parts = {"gifts": gifts, "talon_dealt": talon_dealt, "taken": taken, "talon": talon}
    state = builders.state(6, "play", held=held, contract=contract, **parts)
    for viewer in (0, 2):
        assert all(first[2] in world.table.held[2] for world in worlds(state, viewer))
    holders = {seat for world in worlds(state, 3) for seat in range(6) if first[2] in world.table.held[seat]}
    assert len(holders) > 1


def open_talon():
    """Return a position in which seat 0 chooses between the groups of an open talon."""
    talon = "1S 2S 3S 1H 2H 3H"
    start = builders.state(4, "bid", held=dealt("4S 8S", "", "", "", talon=talon, deck="full"), talon=talon,
                        options={"deck": "full"})  # fmt: skip
    return builders.acts(start, builders.bid("six_sides.x.solo"), Pass(), Pass(), Pass())


@pytest.mark.parametrize("viewer", [1, 2, 3, None])
def test_cards_taken_face_up_lie_with_the_exchanger_until_the_discard(viewer):
    for world in worlds(builders.acts(open_talon(), ChooseTalon(0)), viewer):
        assert {"1S", "2S", "3S"} <= {*world.table.held[0]}


@pytest.mark.parametrize("viewer", [1, 2, 3, None])
def test_cards_taken_face_up_lie_in_the_hand_or_in_the_discard_after_it(viewer):
    drawn = worlds(builders.acts(open_talon(), ChooseTalon(0), Exchange(("1S", "4S", "8S"))), viewer)
    for world in drawn:
        assert {"1S", "2S", "3S"} <= {*world.table.held[0], *world.hand.discard}
        assert world.hand.taken == ("1S", "2S", "3S")
        assert world.hand.talon == ("1S", "2S", "3S", "1H", "2H", "3H")
    assert len({"1S" in world.hand.discard for world in drawn}) == 2


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_groups_of_an_open_talon_lie_there_in_every_world(viewer):
    for world in worlds(open_talon(), viewer):
        assert world.hand.talon == ("1S", "2S", "3S", "1H", "2H", "3H")
        assert world.hand.groups == (("1S", "2S", "3S"), ("1H", "2H", "3H"))


RED = "10D RH DH CH VH 10H 9H 8H 7H 7D 8D 9D VD CD DD RD 1H"


def french(*starts):
    """Return the start of the play with the full deck and a French excuse; the hands hold at least these cards."""
    held, talon = dealt(*starts, talon="1C 2C 3C 4C 5C 6C", deck="full"), "1C 2C 3C 4C 5C 6C"
    parts = {"held": held, "talon": talon, "options": {"deck": "full", "excuse": "french"}}
    return builders.state(4, "play", contract=builders.contract(4, 0, "six_sides"), **parts)


def test_playing_a_french_excuse_reveals_nothing_about_the_rest_of_the_hand():
    state = builders.acts(french("10S", "VS", "EX 9S", ""), Play("10S"), Play("VS"), Play("EX"))
    assert any(card[-1] == "S" for world in worlds(state, 3) for card in world.table.held[2])


def test_a_hand_without_suit_and_trumps_can_still_hold_the_french_excuse():
    state = builders.acts(french("10S", "VS", f"{RED} EX", ""), Play("10S"), Play("VS"), Play("10D"))
    drawn = worlds(state, 3)
    assert {"EX" in world.table.held[2] for world in drawn} == {True, False}
    suits = {SUIT_OF["french"][card] for world in drawn for card in world.table.held[2]}
    assert suits == {"H", "D", "C", None}


def test_not_following_the_card_after_a_led_excuse_shows_none_of_its_suit():
    state = builders.acts(french("EX", "10S", f"{RED} 2H", ""), Play("EX"), Play("10S"), Play("RH"))
    for world in worlds(state, 1):
        assert not [card for card in world.table.held[2] if SUIT_OF["french"][card] in ("S", "T")]
