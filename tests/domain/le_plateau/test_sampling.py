"""Sampled worlds keep what the past of a hand shows: who held a card, who could not follow."""

import pytest

from domain.cardplay.cards import in_deck_order
from domain.le_plateau.actions import Announce, ChooseTalon, Exchange, Pass, Play
from domain.le_plateau.dealt import ShownGift, ShownTalonCard
from domain.le_plateau.deck import SUIT_OF, shape_for
from tests.domain.le_plateau import builders


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


worlds = builders.MOVES.worlds


def announcing(*starts, talon="T1 T2 T3"):
    """Return a position in which seat 0 seeks a partner without exchange."""
    contract = builders.contract(4, 0, "six_sides", "duo")
    return builders.state(4, "announce", held=dealt(*starts, talon=talon), talon=talon, contract=contract)


def bidden(state):
    """Record the bid that made seat 0 the declarer."""
    bid = builders.ev.BidMade(0, exchange=False, objective="six_sides", team="duo", value=10)
    return builders.played(state, bid)


def test_a_card_that_no_seat_held_lies_in_the_talon_in_every_world():
    state = builders.acts(bidden(announcing("RS", "RC", "", "", talon="RH T1 T2")), Announce("RH"))
    for world in worlds(state, 3):
        assert "RH" in world.hand.talon


def open_talon():
    """Return a position in which seat 0 chooses between the groups of an open talon."""
    talon = "1S 2S 3S 1H 2H 3H"
    start = builders.state(4, "bid", held=dealt("4S 8S", "", "", "", talon=talon, deck="full"), talon=talon,
                        options={"deck": "full"})  # fmt: skip
    return builders.acts(start, builders.bid("six_sides.x.solo"), Pass(), Pass(), Pass())


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


def announced(*starts, card):
    return builders.acts(bidden(announcing(*starts)), Announce(card))


def given():
    """Return a game of six in which seat 0 gave seats 2 and 4 their first cards."""
    rest = list(shape_for(6).deck)
    held = [" ".join(rest.pop() for _ in range(13)) for _ in range(6)]
    first = [cards.split()[0] for cards in held]
    gifts = tuple(ShownGift(0, to, first[to]) for to in (2, 4))
    talon_dealt = tuple(ShownTalonCard(to, first[to]) for to in (1, 3, 5))
    taken = in_deck_order((first[2], first[4], first[0]))
    parts = {
        "gifts": gifts,
        "talon_dealt": talon_dealt,
        "taken": taken,
        "talon": (*taken, first[1], first[3], first[5]),
    }
    contract = builders.contract(6, 0, "six_sides", exchange=True)
    return builders.state(6, "play", held=held, contract=contract, **parts), first[2]


def not_following():
    held, talon = dealt("10S", "VS", "10D RH DH CH VH 10H 9H 8H 7H 7D 8D 9D VD", "", talon="T1 T2 T3"), "T1 T2 T3"
    state = builders.state(4, "play", held=held, talon=talon, contract=builders.contract(4, 0, "six_sides"))
    return builders.acts(state, Play("10S"), Play("VS"), Play("10D"))


def of(suits, excuse):
    return " ".join(card for card, suit in SUIT_OF[excuse].items() if suit is not None and suit in suits)


GIVEN, GIFT = given()
LEDS = {
    "excuse": builders.acts(french("10S", "VS", "EX 9S", ""), Play("10S"), Play("VS"), Play("EX")),
    "neither": builders.acts(french("10S", "VS", f"{RED} EX", ""), Play("10S"), Play("VS"), Play("10D")),
    "after": builders.acts(french("EX", "10S", f"{RED} 2H", ""), Play("EX"), Play("10S"), Play("RH")),
}
"""French excuses: played by the seat in question, held by a seat that neither followed nor trumped, and led."""


@pytest.mark.parametrize(
    ("state", "viewers", "seat", "holds"),
    [
        (announced("RS", "RH", "", "", card="RH"), (2, 3, None), 1, {"always": "RH"}),
        (announced("RS", "RH", "", "", card="RH"), (3, None), 0, {"maybe": "RD RC"}),
        (announced("RS RH RD RC", "DS", "", "", card="DS"), (2, 3, None), 0, {"always": "RS RH RD RC"}),
        (announced("RS RH RD RC", "DS", "", "", card="DS"), (2, 3, None), 1, {"always": "DS"}),
        (not_following(), (0, 1, 3, None), 2, {"never": of("ST", "trump")}),
        (GIVEN, (0, 2), 2, {"always": GIFT}),
        (GIVEN, (3,), 2, {"maybe": GIFT}),
        (builders.acts(open_talon(), ChooseTalon(0)), (1, 2, 3, None), 0, {"always": "1S 2S 3S"}),
        (LEDS["excuse"], (3,), 2, {"maybe": "9S"}),
        (LEDS["neither"], (3,), 2, {"never": of("ST", "french"), "maybe": "EX"}),
        (LEDS["after"], (1,), 2, {"never": of("ST", "french")}),
    ],
)
def test_a_hand_is_what_was_announced_given_taken_and_played(state, viewers, seat, holds):
    builders.MOVES.check_hand(state, viewers, seat, **holds)
