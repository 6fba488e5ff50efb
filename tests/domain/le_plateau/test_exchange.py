"""The exchange: talon, discard, gifts, and who knows what (rules of 16 June 2023, section Exchange)."""

from itertools import combinations

import pytest

from domain.cardplay.cards import in_deck_order
from domain.le_plateau import deck
from domain.le_plateau.actions import Exchange, Gift, Give, Pass
from domain.le_plateau.events import CardGiven, CardsDiscarded, PhaseBegan, TalonCardDealt, TalonTaken
from domain.le_plateau.view import TalonView, project
from domain.log.redaction import split
from tests.domain.le_plateau import builders

SIX = ["RS DS CS VS 10S 9S 8S 7S 6S 5S 4S 3S", "RH DH", "RD DD", "RC DC", "10H 10D", "9H 9D"]
SIX_TALON = "1S T9 T3 T1 EX 2S"
TWO = ["10S VS CS DS RS T7", "10H VH CH DH RH T6"]
TWO_PILES = ["T1/T2 10D/VD CD/DD RD/10C VC/CC", "T3/T4 DC/RC T16/T17 T18/T19 T20/T21"]


def exchanging(seats, declarer, team=None, dealer=None, **options):
    """Win the bidding with exchange; return the events of the last pass, and the state."""
    dealer = (declarer - 1) % seats if dealer is None else dealer
    parts = {}
    if seats == 6:
        held, parts["talon"] = SIX, SIX_TALON
    elif seats == 2:
        held, parts["talon"], parts["piles"] = TWO, "EX T5", TWO_PILES
    else:
        size = {3: 17, 4: 18, 5: 15}[seats] if options.get("deck") == "full" else 13
        cards = deck.shape_for(seats, options.get("deck", "standard")).deck
        held = [" ".join(cards[size * seat : size * seat + size]) for seat in range(seats)]
        parts["talon"] = " ".join(cards[size * seats :])
    bid = builders.bid(f"y.x.{team or ('solo' if seats < 4 else 'duo')}")
    spoken = [bid if (dealer + 1 + turn) % seats == declarer else Pass() for turn in range(seats)]
    start = builders.state(seats, "bid", dealer=dealer, held=held, options=options, **parts)
    state = builders.acts(start, *spoken[:-1])
    return builders.act(state, dealer, spoken[-1])


@pytest.mark.rule("le-plateau", "5", "2 to 5 players: the declarer takes the talon")
@pytest.mark.parametrize(
    ("seats", "declarer", "deck", "size", "count"),
    [(2, 0, "standard", 8, 2), (3, 1, "standard", 16, 3), (4, 0, "standard", 16, 3), (5, 1, "standard", 16, 3),
     (3, 0, "full", 20, 3), (5, 0, "full", 18, 3)],
)  # fmt: skip
def test_the_declarer_takes_the_talon_and_discards_any_as_many(seats, declarer, deck, size, count):
    events, state = exchanging(seats, declarer, deck=deck)
    assert events[-2:] == [TalonTaken(declarer, count, in_deck_order(state.hand.talon)), PhaseBegan("exchange")]
    assert builders.to_act(state) == declarer
    before = state.table.held[declarer]
    assert len(before) == size
    assert {*state.hand.talon} <= {*before}
    assert {*builders.legal(state)} == {Exchange(cards) for cards in combinations(before, count)}
    action = builders.legal(state)[17]
    events, after = builders.act(state, declarer, Exchange(tuple(reversed(action.discard))))
    assert events[0] == CardsDiscarded(declarer, count, action.discard)
    assert after.table.held[declarer] == tuple(card for card in before if card not in action.discard)
    assert after.phase == ("raise" if seats < 4 else "announce")


@pytest.mark.rule("le-plateau", "5", "into the hand")
def test_two_players_leave_their_piles_out_of_the_exchange():
    _, state = exchanging(2, 0)
    assert builders.refusal(state, 0, Exchange(("RS", "T1"))) == "card-not-held"
    _, after = builders.act(state, 0, Exchange(("RS", "EX")))
    assert after.table.piles == state.table.piles


@pytest.mark.rule("le-plateau", "5", "2 to 5 players: the declarer takes the talon")
@pytest.mark.parametrize(
    ("discard", "code"),
    [
        ((), "wrong-number-of-cards"),
        (("1S", "2S"), "wrong-number-of-cards"),
        (("9S", "10S", "VS", "CS"), "wrong-number-of-cards"),
        (("9S", "10S", "RC"), "card-not-held"),
        (("9S", "10S", "10S"), "card-repeated"),
    ],
)
def test_a_wrong_discard_is_refused(discard, code):
    _, state = exchanging(4, 0)
    assert {"9S", "10S"} <= {*state.table.held[0]}
    assert builders.refusal(state, 0, Exchange(discard)) == code


@pytest.mark.rule("le-plateau", "5", "Only the player who made the exchange knows")
@pytest.mark.parametrize("event", [TalonTaken(2, 1, ("RH",)), CardsDiscarded(2, 1, ("RH",))])
def test_the_log_shows_an_exchange_to_the_exchanger_alone(event):
    data, hidden = split(event)
    assert data == {"count": 1}
    assert {pointer: part.to for pointer, part in hidden.items()} == {"/cards": (2,)}


@pytest.mark.rule("le-plateau", "5", "takes the first three talon cards and gives one card each")
@pytest.mark.parametrize("declarer", [0, 3])
def test_of_six_the_declarer_takes_three_talon_cards_and_gives_two_away(declarer):
    events, state = exchanging(6, declarer, team="trio")
    assert events[-2:] == [TalonTaken(declarer, 3, ("1S", "T3", "T9")), PhaseBegan("give")]
    assert builders.to_act(state) == declarer
    assert len(builders.legal(state)) == 10 * len(state.table.held[declarer]) * (len(state.table.held[declarer]) - 1)


@pytest.mark.rule("le-plateau", "5", "clockwise from the declarer's left, to the players who still hold twelve")
@pytest.mark.parametrize(
    ("declarer", "receivers", "short"),
    [(0, (1, 2), [3, 4, 5]), (0, (2, 4), [1, 3, 5]), (3, (0, 4), [5, 1, 2]), (5, (1, 3), [0, 2, 4])],
)
@pytest.mark.parametrize("dealer", range(6))
def test_six_players_the_other_talon_cards_go_clockwise_from_the_declarers_left(declarer, receivers, short, dealer):
    _, state = exchanging(6, declarer, team="trio", dealer=dealer)
    sizes = [len(held) for held in state.table.held]
    gifts = tuple(Gift(to, card) for to, card in zip(receivers, ("1S", "T9"), strict=True))
    events, after = builders.act(state, declarer, Give(tuple(reversed(gifts))))
    assert builders.of_kind(events, CardGiven) == [CardGiven(declarer, gift.seat, gift.card) for gift in gifts]
    dealt = [TalonCardDealt(seat, card) for seat, card in zip(short, ("T1", "EX", "2S"), strict=True)]
    assert builders.of_kind(events, TalonCardDealt) == dealt
    assert after.phase == "announce"
    assert after.hand.discard == ()
    for seat in range(6):
        change = -2 if seat == declarer else 1
        assert len(after.table.held[seat]) == sizes[seat] + change


@pytest.mark.rule("le-plateau", "5", "takes the first three talon cards and gives one card each")
@pytest.mark.parametrize(
    ("gifts", "code"),
    [
        ([], "wrong-number-of-gifts"),
        ([(1, "RS")], "wrong-number-of-gifts"),
        ([(1, "RS"), (2, "DS"), (3, "CS")], "wrong-number-of-gifts"),
        ([(1, "RS"), (1, "DS")], "wrong-receivers"),
        ([(0, "RS"), (1, "DS")], "wrong-receivers"),
        ([(-1, "RS"), (1, "DS")], "wrong-receivers"),
        ([(1, "RS"), (6, "DS")], "wrong-receivers"),
        ([(1, "RH"), (2, "DS")], "card-not-held"),
        ([(1, "RS"), (2, "RS")], "card-repeated"),
    ],
)
def test_a_wrong_gift_is_refused(gifts, code):
    _, state = exchanging(6, 0, team="trio")
    assert builders.refusal(state, 0, Give(tuple(Gift(*gift) for gift in gifts))) == code


@pytest.mark.rule(
    "le-plateau", "5", "only the giver and the receiver know its card", "Only the receiver knows a dealt talon card"
)
def test_a_gift_is_known_to_giver_and_receiver_and_a_dealt_card_to_its_receiver():
    _, state = exchanging(6, 0, team="trio")
    _, state = builders.act(state, 0, Give((Gift(2, "RS"), Gift(4, "T9"))))
    for viewer in (*range(6), None):
        view = project(state, viewer)
        assert view.gifts == (
            {"from": 0, "to": 2, "card": "RS" if viewer in (0, 2) else None},
            {"from": 0, "to": 4, "card": "T9" if viewer in (0, 4) else None},
        )
        dealt = [(to, card if viewer == to else None) for to, card in ((1, "T1"), (3, "EX"), (5, "2S"))]
        assert [(d.to, d.card) for d in view.talon.dealt] == dealt
        assert view.talon.count == 0
    assert split(CardGiven(0, 2, "RS"))[1]["/card"].to == (0, 2)
    assert split(TalonCardDealt(3, "EX"))[1]["/card"].to == (3,)


@pytest.mark.rule("le-plateau", "5", "dealt out, clockwise from forehand")
@pytest.mark.parametrize("dealer", [0, 4])
def test_six_players_without_exchange_get_the_talon_cards_clockwise(dealer):
    state = builders.state(6, "bid", dealer=dealer, held=SIX, talon=SIX_TALON)
    state = builders.acts(state, Pass(), builders.bid("y.solo"), *[Pass()] * 3)
    events, state = builders.act(state, dealer, Pass())
    assert state.hand.contract.declarer == (dealer + 2) % 6
    clockwise = [(dealer + 1 + turn) % 6 for turn in range(6)]
    dealt = [TalonCardDealt(seat, card) for seat, card in zip(clockwise, SIX_TALON.split(), strict=True)]
    assert builders.of_kind(events, TalonCardDealt) == dealt
    assert state.hand.contract.exchanger is None
    for seat, card in zip(clockwise, SIX_TALON.split(), strict=True):
        assert card in state.table.held[seat]


@pytest.mark.rule(
    "le-plateau", "5", "Without exchange, the talon stays as it is",
    "Without exchange, all six cards stay hidden until the end",
)  # fmt: skip
@pytest.mark.parametrize(("seats", "deck", "count"), [(2, "standard", 2), (5, "standard", 3), (4, "full", 6)])
def test_without_exchange_the_talon_stays_face_down(seats, deck, count):
    held, talon = ["RS", *[""] * (seats - 1)], " ".join(f"T{n + 1}" for n in range(count))
    start = builders.state(seats, "bid", dealer=seats - 1, held=held, talon=talon, options={"deck": deck})
    state = builders.acts(start, builders.bid("y.solo"), *[Pass()] * (seats - 1))
    for viewer in (*range(seats), None):
        shown = project(state, viewer).talon
        assert shown == TalonView(count, cards=None, taken=None, dealt=(), groups=None, chosen=None)
