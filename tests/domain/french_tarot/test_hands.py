"""The deal, and the ways to settle a petit sec (rules.md, deal and petit sec).

The pack: what cards are worth, and what they count as (rules.md, cards).
"""

import hashlib
import random
from collections import Counter
from dataclasses import replace

import pytest

from domain.cardplay.cards import TAROT_PACK, TRUMPS
from domain.chance import Chance
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot import hands
from domain.french_tarot.actions import Pass
from domain.french_tarot.deck import HALF_POINTS, OUDLERS, SHAPES, as_written, half_points, is_free, suits
from domain.game import aggregate as games
from domain.log.record import visible
from tests.domain.french_tarot import builders
from tests.support.chance import below, permuted, words_of_deal
from tests.support.random_games import log_of, starting, written


def dealt_by(number, players, **options):
    """Deal with the numbered secret; return the events and the state."""
    state = french_tarot.setup(french_tarot.options.complete({"first_dealer": 0, **options}, players), players)
    events = french_tarot.settle(state, Chance(number.to_bytes(32, "big"), "gm_deal", (None,) * players))
    return events, builders.played(state, *events)


@pytest.mark.rule("french-tarot", "1", "All 78 cards")
@pytest.mark.rule("french-tarot", "2", "the passing of the deal go counter-clockwise", "the dealer of five sits out")
@pytest.mark.parametrize(
    ("seats", "options", "players", "hand", "chien"),
    [
        (3, {}, (1, 2, 0), 24, 6),
        (4, {}, (1, 2, 3, 0), 18, 6),
        (4, {"first_dealer": 2}, (3, 0, 1, 2), 18, 6),
        (4, {"direction": "clockwise"}, (3, 2, 1, 0), 18, 6),
        (5, {}, (1, 2, 3, 4, 0), 15, 3),
        (5, {"first_dealer": 2, "five_player_mode": "dead_dealer"}, (3, 4, 0, 1), 18, 6),
    ],
)
def test_every_card_goes_to_a_player_or_the_chien_and_who_sits_after_the_dealer_is_first(
    seats, options, players, hand, chien
):
    (dealt, *_), state = dealt_by(3, seats, **options)
    assert dealt.players == players
    sizes = [(seat, hand if seat in players else 0) for seat in range(seats)]
    assert [(each.seat, each.count) for each in dealt.hands] == [(each.seat, len(each.cards)) for each in dealt.hands]
    assert [(each.seat, each.count) for each in dealt.hands] == sizes
    assert (dealt.chien.count, len(dealt.chien.cards)) == (chien, chien)
    assert sorted(card for each in (*dealt.hands, dealt.chien) for card in each.cards) == sorted(TAROT_PACK)
    assert builders.to_act(state) == players[0]


@pytest.mark.rule("french-tarot", "2", "The first dealer is drawn at random", "the next player deals")
@pytest.mark.rule("french-tarot", "Options", "`deals` / 1 to 120", "`first_dealer` / ")
def test_the_first_dealer_is_drawn_unless_named():
    state = french_tarot.setup(french_tarot.options.complete({}, 5), 5)
    drawn = {french_tarot.settle(state, Chance(bytes([n]) * 32, "gm", (None,) * 5))[0].dealer for n in range(40)}
    assert drawn == {0, 1, 2, 3, 4}


@pytest.mark.rule("french-tarot", "2", "The first dealer is drawn at random", "the next player deals")
@pytest.mark.parametrize(("direction", "dealers"), [("counter_clockwise", [1, 2, 0, 1]), ("clockwise", [1, 0, 2, 1])])
def test_the_deal_passes_on_after_every_deal_thrown_in_or_not(direction, dealers):
    steps = list(starting("french-tarot", 3, 5, first_dealer=1, direction=direction, petit_sec="play_on"))
    state, found = steps[-1].game.state, []
    for _ in dealers:
        found.append(state.deal.dealer)
        thrown_in = builders.acts(state, *[Pass()] * 3)
        state = builders.played(thrown_in, *french_tarot.settle(thrown_in, builders.CHANCE))
    assert found == dealers


@pytest.mark.rule("french-tarot", "2", "While no player takes")
@pytest.mark.parametrize("direction", ["counter_clockwise", "clockwise"])
def test_a_dealer_who_sits_out_deals_again_until_somebody_takes(direction):
    options = {"five_player_mode": "dead_dealer", "direction": direction, "deals": 5}
    steps = list(starting("french-tarot", 5, 5, first_dealer=1, petit_sec="play_on", **options))
    state = builders.acts(steps[-1].game.state, *[Pass()] * 4)
    state = builders.played(state, *french_tarot.settle(state, builders.CHANCE))
    assert (state.deal.number, state.deal.dealer) == (2, 1)
    assert 1 not in state.deal.players
    played_out = replace(state, phase="deal", deal=replace(state.deal, contract=builders.ev.ContractWon(0, "garde", 2)))
    dealt = french_tarot.settle(played_out, builders.CHANCE)[0]
    assert dealt.dealer == (2 if direction == "counter_clockwise" else 0)


@pytest.mark.rule(
    "french-tarot",
    "2",
    "the pack is shuffled once",
    "the chien consists of single cards at random places",
    "dealt in packets of three",
)
@pytest.mark.parametrize(
    ("players", "options", "packet"), [(3, {}, 4), (3, {"deal_packet_3p": 3}, 3), (4, {}, 3), (5, {}, 3)]
)
@pytest.mark.parametrize("excluded", ["first_last", "first3_last3"])
def test_anyone_can_recompute_every_deal_of_a_finished_game_from_its_public_log(players, options, packet, excluded):
    steps = list(whole_game(players, chien_excluded=excluded, **options))
    log = [visible(record, steps[-1].game.secrets, None, everything=True) for record in log_of(steps)]
    secret = bytes.fromhex(log[-1]["data"]["secret"])
    assert hashlib.sha256(secret).hexdigest() == log[0]["data"]["commitment"]
    seeds = [event["data"]["client_seed"] for event in log if event["type"] == "seat_taken"]
    edge = {"first_last": 1, "first3_last3": 3}[excluded]
    deals = [event["data"] for event in log if event["type"] == "cards_dealt"]
    assert deals
    for deal in deals:
        number = deal["deal_number"]
        pack = permuted(TAROT_PACK, words_of_deal(secret, "deal", log[0]["game_id"], seeds, number))
        order = permuted(range(edge, 78 - edge), words_of_deal(secret, "chien", log[0]["game_id"], seeds, number))
        places = order[: deal["chien"]["count"]]
        assert sorted(deal["chien"]["cards"]) == sorted(pack[place] for place in places)
        rest = [card for place, card in enumerate(pack) if place not in places]
        got = {seat: [] for seat in deal["players"]}
        while rest:
            for seat in deal["players"]:
                got[seat] += rest[:packet]
                rest = rest[packet:]
        assert {hand["seat"]: sorted(hand["cards"]) for hand in deal["hands"]} == {
            seat: sorted(cards) for seat, cards in got.items()
        }
    dealer = below(words_of_deal(secret, "first_dealer", log[0]["game_id"], seeds, 1), players)
    assert [deal["dealer"] for deal in deals] == [(dealer + n) % players for n in range(len(deals))]


def whole_game(players, **options):
    """Play a whole game at random, as the laws do, with these options."""
    rng = random.Random(players)
    for step in starting("french-tarot", players, 8, **options):
        yield step
    while not step.game.is_over:
        (seat,) = step.game.pending
        legal = list(step.game.ruleset.legal_actions(step.game.state, seat))
        action = rng.choice(legal)
        step = written(step.game, seat, action, games.act(step.game, seat, action))
        yield step


# -- petit sec ----------------------------------------------------------------------------------------------------


DRY = ("T1", "RH", "5S")
PETIT_SEC = {
    "cancel": [
        builders.ev.PetitSecShown(2, DRY),
        builders.ev.DealThrownIn("petit_sec"),
        builders.ev.PhaseBegan("deal"),
    ],
    "play_on": [builders.ev.PhaseBegan("bid")],
    "imprenable": [builders.ev.PetitImprenableDeclared(2), builders.ev.PhaseBegan("bid")],
}


@pytest.mark.rule("french-tarot", "2", "While no player takes")
@pytest.mark.rule(
    "french-tarot", "3", "is shown at once, and the deal is thrown in", "this is automatic", "has two other values",
    "With `play_on`", "With `imprenable`", "the hand is not shown", "picks up trumps with the chien",
)  # fmt: skip
@pytest.mark.parametrize(("petit_sec", "expected"), PETIT_SEC.items())
def test_a_petit_sec_is_shown_and_the_deal_passes_unless_it_is_played_on(petit_sec, expected):
    """Where the dealer sits out, the same dealer deals again."""
    held = ["T3 2H", "T2 1H", " ".join(DRY), "EX 3H"]
    state = builders.state(4, "deal", dealer=0, held=held, options={"petit_sec": petit_sec})
    events = hands.begin_bidding(state, (*state.table.held[:2], DRY, state.table.held[3]))
    assert events == expected
    after = builders.played(state, *events)
    seen = [french_tarot.project(after, viewer).petit_imprenable for viewer in (0, 2, None)]
    assert seen == [2 if petit_sec == "imprenable" else None] * 3
    if after.phase == "deal":
        assert french_tarot.settle(after, builders.CHANCE)[0].dealer == 1
        options = {"five_player_mode": "dead_dealer"}
        five = builders.state(5, "deal", dealer=0, held=["", *held], players=(1, 2, 3, 4), options=options)
        five = builders.played(five, *hands.begin_bidding(five, five.table.held))
        assert french_tarot.settle(five, builders.CHANCE)[0].dealer == 0


@pytest.mark.rule("french-tarot", "3", "is shown at once, and the deal is thrown in", "this is automatic")
def test_a_deal_continues_if_and_only_if_no_hand_is_a_petit_sec():
    outcomes = set()
    for number in range(150):
        (dealt, *events), _ = dealt_by(number, 5)
        trumps = {hand.seat: [c for c in hand.cards if c in TRUMPS or c == "EX"] for hand in dealt.hands}
        dry = [seat for seat in trumps if trumps[seat] == ["T1"]]
        assert [type(event) for event in events[:-1]] == [builders.ev.PetitSecShown, builders.ev.DealThrownIn] * len(
            dry
        )
        assert events[-1] == builders.ev.PhaseBegan("deal" if dry else "bid")
        assert not dry or events[0] == builders.ev.PetitSecShown(dry[0], dealt.hands[dry[0]].cards)
        outcomes.add(bool(dry))
    assert outcomes == {True, False}


@pytest.mark.rule(
    "french-tarot", "1", "suits / `S` spades", "ranks, high to low", "rank, then suit", "trumps, and the Excuse",
    "91 in all",
)  # fmt: skip
def test_the_pack_holds_91_points():
    assert half_points(TAROT_PACK) == 182
    assert Counter(HALF_POINTS.values()) == {9: 7, 7: 4, 5: 4, 3: 4, 1: 59}


@pytest.mark.rule("french-tarot", "1", "91 in all")
@pytest.mark.parametrize(
    ("cards", "halves"), [("T1 T21 EX", 9), ("RS RH RD RC", 9), ("DS", 7), ("CD", 5), ("VC", 3), ("10H 1S T2 T20", 1)]
)
def test_a_card_is_worth_what_the_table_says(cards, halves):
    assert {HALF_POINTS[card] for card in cards.split()} == {halves}


@pytest.mark.rule("french-tarot", "1", "counts halves (83 is 41.5)")
@pytest.mark.parametrize(("halves", "written"), [(0, "0"), (1, "0.5"), (83, "41.5"), (182, "91"), (-1, "-0.5")])
def test_half_points_are_written_as_decimals(halves, written):
    assert as_written(halves) == written


@pytest.mark.rule("french-tarot", "1", "The Excuse is not a trump")
def test_the_excuse_counts_as_no_suit_and_a_petit_imprenable_neither():
    usual, imprenable = suits(imprenable=False), suits(imprenable=True)
    assert [card for card in TAROT_PACK if usual[card] is None] == ["EX"]
    assert [card for card in TAROT_PACK if imprenable[card] is None] == ["T1", "EX"]
    assert [card for card in TAROT_PACK if usual[card] == "T"] == [f"T{n}" for n in range(1, 22)]
    assert (usual["10S"], usual["RC"]) == ("S", "C")


def test_a_free_card_is_not_a_king_a_trump_or_the_excuse():
    assert len([card for card in TAROT_PACK if is_free(card)]) == 56 - 4
    assert not [card for card in (*OUDLERS, "T5", "RD") if is_free(card)]


@pytest.mark.rule(
    "french-tarot", "1", "suits / `S` spades", "ranks, high to low", "rank, then suit", "trumps, and the Excuse"
)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_card_is_dealt(players):
    assert players * SHAPES[players].hand + SHAPES[players].chien == 78
