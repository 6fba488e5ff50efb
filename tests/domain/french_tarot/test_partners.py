"""The called card: what can be called, who is alone, and its secrecy until it falls (rules.md, called card)."""

from itertools import permutations

import pytest

from domain.cardplay.cards import TAROT_PACK, in_deck_order
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot import partners
from domain.french_tarot.actions import Bid, Call, Discard, NoSlam, Pass, Play
from domain.french_tarot.state import Called
from domain.log.redaction import seen_by, split
from tests.domain.french_tarot import builders

OTHERS = "1S 2S 3S 1H 2H 3H 1D 2D 3D 1C 2C"


def calling(hand, **options):
    """Let seat 0 call from a hand."""
    return builders.state(5, "call", held=[hand, "", "", "", ""], contract="garde_sans", options=options)


def can_call(state):
    return {action.card for action in builders.legal(state)}


def all_of(ranks):
    return {rank + suit for rank in ranks for suit in "SHDC"}


@pytest.mark.rule("french-tarot", "5", "calls a king", "can also call a queen")
@pytest.mark.parametrize(
    ("hand", "ranks"),
    [
        ("RS RH RD DC", "R"),
        ("RS RH RD RC", "RD"),
        ("RS RH RD RC DS DH DD", "RD"),
        ("RS RH RD RC DS DH DD DC", "RDC"),
        ("RS RH RD RC DS DH DD DC CS CH CD CC", "RDCV"),
        ("DS DH DD DC CS CH CD CC", "R"),
    ],
)
def test_a_lower_rank_can_be_called_from_a_hand_with_all_the_higher_ones(hand, ranks):
    assert can_call(calling(hand)) == all_of(ranks)
    assert builders.refusal(calling(hand), 0, Call("10S")) == "card-not-callable"
    for rank in "RDCV".removeprefix(ranks):
        assert builders.refusal(calling(hand), 0, Call(f"{rank}H")) == "card-not-callable"


@pytest.mark.rule("french-tarot", "5", "a card of their own hand")
def test_the_taker_can_call_an_own_card_unless_it_is_ruled_out():
    assert builders.refusal(calling("RS"), 0, Call("RS")) is None
    assert builders.refusal(calling("RS", call_self=False), 0, Call("RS")) == "card-not-callable"
    assert can_call(calling("RS", call_self=False)) == {"RH", "RD", "RC"}
    assert can_call(calling("RS RH RD RC DS", call_self=False)) == {"DH", "DD", "DC"}


PACK = [card for card in TAROT_PACK if card not in ("RH", "RD", "RC", "T2", "T3")]


def deal_with_kings(hearts, chien=("T2", "T3", "RC")):
    """Deal 15 cards each, such that a seat (or "chien") has the king of hearts."""
    hands = [PACK[seat * 14 : seat * 14 + 14] for seat in range(5)]
    spare = [*PACK[70:], "RH", "RD", *[card for card in ("RC", "T2", "T3") if card not in chien]]
    if hearts == "chien":
        chien = ("T2", "T3", "RH")
        spare = [*PACK[70:], "RC", "RD"]
    else:
        hands[hearts].append("RH")
        spare.remove("RH")
    for hand in hands:
        if len(hand) < 15:
            hand.append(spare.pop(0))
    return hands, list(chien)


def called(contract, hearts, **options):
    """Let seat 0 take and call the king of hearts; return the last events and the state."""
    hands, chien = deal_with_kings(hearts)
    state = builders.dealt(hands, chien, petit_sec="play_on", **options)
    state = builders.acts(state, Bid(contract), *[Pass()] * 4)
    return builders.act(state, 0, Call("RH"))


@pytest.mark.rule("french-tarot", "5", "no other player knows who that is")
@pytest.mark.parametrize("contract", ["garde", "garde_sans"])
@pytest.mark.parametrize("holder", [0, 1, 2, 3, 4])
def test_the_called_card_is_public_and_its_holder_is_not(contract, holder):
    events, state = called(contract, holder)
    assert events[0] == builders.ev.CardCalled(0, "RH")
    assert not builders.of_kind(events, builders.ev.PartnerRevealed)
    for viewer in (*range(5), None):
        assert french_tarot.project(state, viewer).called == Called("RH", revealed=False, partner=None)


@pytest.mark.rule("french-tarot", "5", "all players see when the chien has the card")
@pytest.mark.parametrize("contract", ["garde_sans", "garde_contre"])
def test_a_called_card_in_a_hidden_chien_stays_secret_until_the_end(contract):
    events, state = called(contract, "chien")
    assert not builders.of_kind(events, builders.ev.PartnerRevealed)
    in_a_hand = called(contract, 2)[1]
    for viewer in (0, 1, 3, 4, None):
        assert french_tarot.project(state, viewer).called == french_tarot.project(in_a_hand, viewer).called
    assert partners.partner_of(state) is None


def playing(holder, table):
    """Return a state in mid-deal with the called king of hearts in the hand of one seat."""
    held = list(table)
    held[holder] = f"{held[holder]} RH"
    before = builders.tricks("0:1C 1:2C 2:3C 3:4C 4:5C > 4")
    return builders.state(5, "play", held=held, contract="garde_sans", called="RH", tricks=before, slam="none")


TABLE = ["1H 2S", "2H 4S", "3H 5S", "4H 6S", "5H 7S"]


@pytest.mark.rule("french-tarot", "5", "no other player knows who that is")
@pytest.mark.parametrize("holder", [1, 2, 3, 4])
def test_the_partner_is_revealed_when_the_called_card_falls(holder):
    state = playing(holder, TABLE)
    order = [(4 + turn) % 5 for turn in range(5)]
    for seat in order:
        card = "RH" if seat == holder else TABLE[seat].split()[0]
        events, state = builders.act(state, seat, Play(card))
        assert builders.of_kind(events, builders.ev.PartnerRevealed) == (
            [builders.ev.PartnerRevealed("RH", holder)] if seat == holder else []
        )
    assert french_tarot.project(state, None).called == Called("RH", revealed=True, partner=holder)


@pytest.mark.rule("french-tarot", "5", "plays alone against four")
def test_the_taker_who_plays_the_called_card_is_known_to_be_alone():
    state = playing(0, TABLE)
    events, state = builders.act(builders.acts(state, Play("5H")), 0, Play("RH"))
    assert builders.of_kind(events, builders.ev.PartnerRevealed) == [builders.ev.PartnerRevealed("RH", None)]
    assert french_tarot.project(state, 2).called == Called("RH", revealed=True, partner=None)


def told(state, viewer, seat, card):
    """Return what a viewer sees before and after a card is played: views, legal actions, and events as plain data."""
    events, after = builders.act(state, seat, Play(card))
    told_events = []
    for event in events:
        data, hidden = split(event)
        told_events.append((type(event).__name__, data, sorted(hidden), seen_by(hidden, viewer, everything=False)))
    legal = [list(french_tarot.legal_actions(at, viewer)) for at in (state, after)] if viewer is not None else []
    return french_tarot.project(state, viewer), french_tarot.project(after, viewer), legal, told_events


@pytest.mark.rule("french-tarot", "5", "no other player knows who that is")
@pytest.mark.parametrize("viewer", [0, 1, 2, 3, 4, None])
def test_until_the_called_card_falls_no_other_viewer_can_tell_who_the_partner_is(viewer):
    hidden = [seat for seat in (1, 2, 3, 4) if seat != viewer]
    for one, other in permutations(hidden, 2):
        spare = ["", "", "", "", ""]
        spare[one], spare[other] = "RH", "9H"
        swapped = ["", "", "", "", ""]
        swapped[one], swapped[other] = "9H", "RH"
        worlds = []
        for extra in (spare, swapped):
            held = [f"{cards} {more}".strip() for cards, more in zip(TABLE, extra, strict=True)]
            before = builders.tricks("0:1C 1:EX 2:3C 3:4C 4:5C > 4")
            state = builders.state(5, "play", held=held, contract="garde", called="RH", tricks=before, slam="none",
                                ecart="1D 2D 3D", turned=True, chien="1D 2D 3D")  # fmt: skip
            worlds.append(told(state, viewer, 4, "5H"))
        assert worlds[0] == worlds[1]


def test_a_kept_excuse_does_not_reveal_a_side():
    for holder in (1, 2, 3):
        held = ["1H", "EX 2H", "3H", "4H", "5H"]
        held[holder] += " RH"
        state = builders.state(5, "play", held=held, contract="garde", called="RH", slam="none",
                            options={"called_suit_lead": "free"})  # fmt: skip
        state = builders.acts(state, Play("1H"), Play("EX"), Play("3H"), Play("4H"))
        events, _ = builders.act(state, 4, Play("5H"))
        assert builders.of_kind(events, builders.ev.ExcuseKept) == [builders.ev.ExcuseKept("EX", 1)]
        assert {type(event).__name__ for event in events} == {"CardPlayed", "TrickWon", "ExcuseKept"}


# -- the first lead -----------------------------------------------------------------------------------------------


AFTER_EXCUSE = {"called_suit_ban_after_excuse": True}


@pytest.mark.rule("french-tarot", "5", "The first lead of the deal cannot be", "applies to the second player")
@pytest.mark.parametrize(
    ("hand", "parts", "options", "expected"),
    [
        ("2D 9D 3S T4 EX", {}, {}, "3S T4 EX"),
        ("2D RD 3S", {}, {}, "RD 3S"),
        ("2D 9D", {}, {}, "2D 9D"),
        ("2D RD", {}, {}, "2D RD"),
        ("2D 3S", {}, {"called_suit_lead": "free"}, "2D 3S"),
        ("2D 3S", {"trick": "0:EX"}, {}, "2D 3S"),
        ("2D 3S", {"trick": "0:EX"}, AFTER_EXCUSE, "3S"),
        ("2D RD", {"trick": "0:EX"}, AFTER_EXCUSE, "2D RD"),
        ("2D 3S", {"tricks": builders.tricks("0:1C 1:2C 2:3C 3:4C 4:5C > 0")}, {}, "2D 3S"),
    ],
)
def test_the_first_lead_is_not_of_the_called_suit_but_for_the_called_card(hand, parts, options, expected):
    held = ["", hand, "", "", ""] if "trick" in parts else [hand, "", "", "", ""]
    state = builders.state(
        5, "play", held=held, contract="garde_sans", called="RD", slam="none", options=options, **parts
    )
    assert {action.card for action in builders.legal(state) if isinstance(action, Play)} == {*expected.split()}
    for card in {*hand.split()} - {*expected.split()}:
        assert builders.refusal(state, len(parts.get("trick", "").split()), Play(card)) == "called-suit-lead"


def test_a_taker_can_lay_aside_a_called_card_of_their_own_hand():
    """Kings stay in the hand, but a queen called from a hand with all kings can go, and that stays secret."""
    hand = "RS RH RD RC DS 1S 2S 3S"
    state = builders.state(5, "discard", held=[hand, "", "", "", ""], contract="garde", called="DS", turned=True,
                        chien="1S 2S 3S")  # fmt: skip
    events, state = builders.act(state, 0, Discard(("DS", "1S", "2S")))
    assert not builders.of_kind(events, builders.ev.PartnerRevealed)
    assert french_tarot.project(state, 1).called == Called("DS", revealed=False, partner=None)
    assert builders.acts(state, NoSlam()).phase == "play"
    assert in_deck_order(state.deal.ecart) == state.deal.ecart
