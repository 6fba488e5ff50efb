"""Sampled worlds keep what the past of a deal shows: who could not follow, what must be where (``inference``)."""

import random

import pytest

from domain.cardplay.cards import TAROT_PACK, in_deck_order
from domain.french_tarot.actions import AnnounceMisere, Bid, Call, Discard, NoSlam, Pass, Play, ShowPoignee
from domain.french_tarot.deck import is_trump
from domain.french_tarot.sampling import sample
from domain.french_tarot.view import project
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


def taken(state, contract="garde_sans", *then):
    """Let seat 0 take."""
    return builders.acts(state, Bid(contract), *[Pass()] * (state.seats - 1), *then)


def worlds(state, viewer, count=40):
    view, rng = project(state, viewer), random.Random(7)
    drawn = [sample(state.options, viewer, view, rng) for _ in range(count)]
    assert all(project(world, viewer) == view for world in drawn)
    assert len({world.table.held for world in drawn}) > count // 2
    for world in drawn:
        lying = [*world.deal.ecart, *(() if world.deal.turned else world.deal.chien)]
        lying += [card for held in world.table.held for card in held]
        lying += [played.card for trick in world.table.tricks for played in trick.cards]
        lying += [played.card for played in world.table.trick]
        assert sorted(lying) == sorted(TAROT_PACK)
    return drawn


def held_by(seat, drawn):
    return [{*world.table.held[seat]} for world in drawn]


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


@pytest.mark.parametrize("viewer", [0, 2, 3, None])
def test_a_seat_that_did_not_follow_and_did_not_trump_has_neither(viewer):
    red = " ".join([*[f"{n}H" for n in range(1, 11)], *[f"{n}D" for n in range(1, 9)]])
    state = builders.acts(taken(deal("1S", red, "2S", "3S")), NoSlam(), Play("1S"), Play("1H"), Play("2S"))
    for hand in held_by(1, worlds(state, viewer)):
        assert not [card for card in hand if card[-1] == "S" or is_trump(card)]


@pytest.mark.parametrize(("led", "trick"), [("1S", ("T9", "T5")), ("T4", ("T9", "T5"))])
def test_a_seat_that_did_not_overtrump_has_no_higher_trump(led, trick):
    plain = " ".join(f"{n}{suit}" for suit in "DC" for n in range(1, 8))
    first = " ".join([*[f"{n}H" for n in range(1, 11)], "8D", "9D", "10D", "VD", "CD", "DD"])
    state = taken(deal(f"{led} VS", f"T9 {first} T2", f"T5 T3 {plain} VH DH", ""))
    state = builders.acts(state, NoSlam(), Play(led), *map(Play, trick))
    for hand in held_by(2, worlds(state, 3)):
        assert not [card for card in hand if is_trump(card) and int(card[1:]) > 9]
    assert any("T3" in hand for hand in held_by(2, worlds(state, 3)))


def test_an_excuse_played_rules_out_no_suit():
    state = builders.acts(taken(deal("1S", "EX 9S", "2S", "3S")), NoSlam(), Play("1S"), Play("EX"), Play("2S"))
    assert any("9S" in hand for hand in held_by(1, worlds(state, 3)))


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
        assert not any("RH" in hand for hand in held_by(0, worlds(state, viewer)))
    holders = {seat for world in worlds(state, 2) for seat in range(5) if "RH" in world.table.held[seat]}
    assert holders == {1, 3, 4}


def test_a_shown_poignee_stays_with_its_owner():
    shown = tuple(f"T{n}" for n in range(2, 12))
    state = builders.acts(taken(deal(f"{' '.join(shown)} T15", "", "", "")), NoSlam(), ShowPoignee(shown))
    for world in worlds(state, 2):
        assert {*shown} <= {*world.table.held[0]}
    assert any("T15" in hand for hand in held_by(0, worlds(state, 2)))
    with_excuse = (*shown[:9], "EX")
    plain = " ".join(f"{n}H" for n in range(1, 9))
    state = builders.acts(
        taken(deal(f"{' '.join(with_excuse)} {plain}", "", "", "")), NoSlam(), ShowPoignee(with_excuse)
    )
    for hand in held_by(0, worlds(state, 2)):
        assert {card for card in hand if is_trump(card) or card == "EX"} == {*with_excuse}


@pytest.mark.parametrize(("kind", "hand"), [
    ("no_trumps", " ".join([*[f"{n}H" for n in range(1, 11)], *[f"{n}D" for n in range(1, 9)]])),
    ("no_courts", " ".join([*[f"{n}H" for n in range(1, 11)], *[f"T{n}" for n in range(2, 10)]])),
])  # fmt: skip
def test_a_misere_rules_cards_out_of_the_hand(kind, hand):
    state = builders.acts(taken(deal(hand, "", "", "", misere="on")), NoSlam(), AnnounceMisere(kind))
    for cards in held_by(0, worlds(state, 1)):
        if kind == "no_trumps":
            assert not [card for card in cards if is_trump(card) or card == "EX"]
        else:
            assert not [card for card in cards if card[0] in "RDCV"]


DRY = "T1 " + " ".join([*[f"{n}H" for n in range(1, 11)], *[f"{n}D" for n in range(1, 8)]])


def test_a_petit_imprenable_lies_with_its_holder_who_was_dealt_no_other_trump():
    state = deal("", "", DRY, "", petit_sec="imprenable")
    state = builders.replace(state, deal=builders.replace(state.deal, imprenable=2))
    for viewer in (0, 3, None):
        for hand in held_by(2, worlds(state, viewer)):
            assert [card for card in in_deck_order(hand) if is_trump(card) or card == "EX"] == ["T1"]


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
