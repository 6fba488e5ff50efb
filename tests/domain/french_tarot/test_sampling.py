"""Sampled worlds keep what the past of a deal shows: who could not follow, what must be where (``inference``)."""

import random

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.french_tarot.actions import AnnounceMisere, Bid, Call, Discard, NoSlam, Pass, Play, ShowPoignee
from domain.french_tarot.deck import is_trump
from tests.domain.french_tarot import builders

SIZES = {3: 24, 4: 18, 5: 15}


def deal(*starts, chien="", **options):
    """Deal hands that begin with these cards, and a chien likewise, the rest in deck order, no petit sec among them."""
    players = len(starts)
    named = {card for text in (*starts, chien) for card in text.split()}
    rest = [card for card in TAROT_PACK if card not in named]
    random.Random(7).shuffle(rest)
    hands = [text.split() for text in starts]
    for hand in hands:
        hand += [rest.pop() for _ in range(SIZES[players] - len(hand))]
    return builders.dealt(hands, [*chien.split(), *rest], **{"petit_sec": "play_on", **options})


worlds = builders.MOVES.worlds


def taken(state, contract="garde_sans", *then):
    """Let seat 0 take."""
    return builders.acts(state, Bid(contract), *[Pass()] * (state.seats - 1), *then)


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_the_cards_of_a_turned_chien_lie_with_the_taker_or_in_the_ecart(viewer):
    state = taken(deal("1S 2S 3S 4S 5S 6S", "", "", "", chien="RS T20 1H DH EX T1"), "garde")
    for world in worlds(state, viewer):
        assert {"RS", "T20", "1H", "DH", "EX", "T1"} <= {*world.table.held[0]}
    state = builders.acts(state, Discard(("1S", "2S", "3S", "4S", "5S", "1H")))
    after = worlds(state, viewer)
    for world in after:
        assert {"RS", "T20", "EX", "T1"} <= {*world.table.held[0]}
        assert {"1H", "DH"} <= {*world.table.held[0], *world.deal.ecart}
        assert not [card for card in world.deal.ecart if card[0] == "R" or is_trump(card) or card == "EX"]
    assert len({world.deal.ecart for world in after}) > 1


def test_a_taker_who_had_to_lay_trumps_aside_has_nothing_else_left():
    kings, trumps = "RS RH RD RC", " ".join(f"T{n}" for n in range(2, 16))
    state = taken(deal(f"{kings} {trumps}", "", "", "", chien="1S 2S 3S 4S T16 T17"), "garde")
    state = builders.acts(state, Discard(("1S", "2S", "3S", "4S", "T2", "T3")))
    assert state.deal.shown_trumps == ("T2", "T3")
    for world in worlds(state, 2):
        assert {*world.deal.ecart} >= {"T2", "T3"}
        assert not [card for card in world.table.held[0] if not is_trump(card) and card[0] != "R" and card != "EX"]


def test_a_taker_who_called_a_queen_was_dealt_every_king():
    state = builders.acts(taken(deal("RS RH RD RC", "DH", "", "", "")), Call("DH"))
    for world in worlds(state, 3):
        assert {"RS", "RH", "RD", "RC"} <= {*world.deal.dealt[0]}
    holders = {seat for world in worlds(state, 3) for seat in range(5) if "DH" in world.table.held[seat]}
    assert holders >= {0, 1, 2}
    assert any("DH" in world.deal.chien for world in worlds(state, 3, 200))


def test_a_taker_who_cannot_call_an_own_card_does_not_hold_the_called_card():
    state = builders.acts(taken(deal("", "RH", "", "", "", call_self=False)), Call("RH"))
    for viewer in (2, None):
        assert not any("RH" in hand for hand in [{*world.table.held[0]} for world in worlds(state, viewer)])
    holders = {seat for world in worlds(state, 2) for seat in range(5) if "RH" in world.table.held[seat]}
    assert holders == {1, 3, 4}


def cards(kinds):
    """Name all trumps (T), the Excuse (E), the spades (S), and the courts by their ranks."""
    return " ".join(card for card in TAROT_PACK if card[0] in kinds or (card[-1] == "S" and "S" in kinds))


HEARTS = " ".join(f"{n}H" for n in range(1, 11))
RED = f"{HEARTS} {' '.join(f'{n}D' for n in range(1, 9))}"
LONG = f"{HEARTS} 8D 9D 10D VD CD DD"
PLAIN = " ".join(f"{n}{suit}" for suit in "DC" for n in range(1, 8))
TEN = [f"T{n}" for n in range(2, 12)]
WITH_EXCUSE = [*TEN[:9], "EX"]
MISERE = {"misere": "on"}


def led(*hands, plays, **options):
    """Play the first cards of a garde sans."""
    return builders.acts(taken(deal(*hands, **options)), NoSlam(), *map(Play, plays.split()))


def told(hand, *actions, **options):
    return builders.acts(taken(deal(hand, "", "", "", **options)), NoSlam(), *actions)


def imprenable():
    state = deal("", "", f"T1 {HEARTS} 1D 2D 3D 4D 5D 6D 7D", "", petit_sec="imprenable")
    return builders.replace(state, deal=builders.replace(state.deal, imprenable=2))


NOT_OVER_9 = {"never": " ".join(f"T{n}" for n in range(10, 22)), "maybe": "T3"}


@pytest.mark.parametrize(
    ("state", "viewers", "seat", "holds"),
    [
        (led("1S", RED, "2S", "3S", plays="1S 1H 2S"), (0, 2, 3, None), 1, {"never": cards("ST")}),
        (led("1S VS", f"T9 {LONG} T2", f"T5 T3 {PLAIN} VH DH", "", plays="1S T9 T5"), (3,), 2, NOT_OVER_9),
        (led("T4 VS", f"T9 {LONG} T2", f"T5 T3 {PLAIN} VH DH", "", plays="T4 T9 T5"), (3,), 2, NOT_OVER_9),
        (led("1S", "EX 9S", "2S", "3S", plays="1S EX 2S"), (3,), 1, {"maybe": "9S"}),
        (told(f"{' '.join(TEN)} T15", ShowPoignee(tuple(TEN))), (2,), 0, {"always": " ".join(TEN), "maybe": "T15"}),
        (told(f"{' '.join(WITH_EXCUSE)} 1H 2H 3H 4H 5H 6H 7H 8H", ShowPoignee(tuple(WITH_EXCUSE))), (2,), 0,
         {"always": " ".join(WITH_EXCUSE), "never": " ".join({*cards("T").split()} - {*WITH_EXCUSE})}),
        (told(RED, AnnounceMisere("no_trumps"), **MISERE), (1,), 0, {"never": cards("TE")}),
        (told(f"{HEARTS} T2 T3 T4 T5 T6 T7 T8 T9", AnnounceMisere("no_courts"), **MISERE), (1,), 0,
         {"never": cards("RDCV")}),
        (imprenable(), (0, 3, None), 2, {"always": "T1", "never": cards("TE").replace("T1 ", "", 1)}),
    ],
)  # fmt: skip
def test_a_hand_is_what_was_played_and_shown(state, viewers, seat, holds):
    """Who does not follow, trump or overtrump has nothing to do so; a poignée with the Excuse is of all trumps."""
    builders.MOVES.check_hand(state, viewers, seat, **holds)


def dry_hands(world):
    return [hand for hand in world.deal.dealt if [card for card in hand if is_trump(card) or card == "EX"] == ["T1"]]


MANY_TRUMPS = " ".join(f"T{n}" for n in range(2, 20))


@pytest.mark.parametrize("petit_sec", ["cancel", "imprenable"])
def test_no_world_has_a_petit_sec_that_was_not_declared(petit_sec):
    """Seat 0 sees 18 trumps: the holder of the petit has the Excuse too, or one of the two trumps that are left."""
    drawn = worlds(deal(MANY_TRUMPS, "T1 T20", "T21", "EX", petit_sec=petit_sec), 0, 100)
    assert not any(map(dry_hands, drawn))
    assert {seat for world in drawn for seat in (1, 2, 3) if "T1" in world.table.held[seat]} == {1, 2, 3}


def test_a_world_can_have_a_petit_sec_where_it_is_played_on():
    assert any(map(dry_hands, worlds(deal(MANY_TRUMPS, "T1 T20", "T21", "EX", petit_sec="play_on"), 0, 100)))
