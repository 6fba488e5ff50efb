"""The pack and the deal (rules.md, table and deal; cards).

Options of a game: what is agreed by default, and what is refused (rules.md, options).
"""

import re
from collections import Counter
from hashlib import sha256
from typing import get_args

import pytest

from domain.chance import Chance
from domain.errors import IllegalAction, InvalidOptions
from domain.game import aggregate as games
from domain.game.proposals import propose
from domain.log.record import visible
from domain.plute import RULESET as plute
from domain.plute.deck import PACK, Card, game_value, in_pack_order, off_jack, strengths, suits
from domain.plute.events import HandDealt
from domain.plute.option_rules import OPTION_RULES
from domain.plute.state import Tallies, Tally, initial
from tests.domain.plute import builders
from tests.support.chance import below, permuted, words_of_deal
from tests.support.random_games import log_of, played, starting
from tests.support.timed_games import refusal

CHANCES = [Chance(bytes([number]) * 32, f"gm_{number}", (None,) * 6) for number in range(120)]


def dealt(chance, *, after=None):
    state = initial(plute.options.complete({}, 6), 6) if after is None else after
    return builders.first(plute.settle(state, chance), HandDealt)


@pytest.mark.rule(
    "plute", "2", "suits / `S` spades", "ranks, high to low", "rank, then suit", "jokers / `X1`",
    "the ace is high and the two is low",
)  # fmt: skip
def test_the_pack_is_52_cards_and_two_jokers_and_only_these_are_codes():
    assert list(PACK) == [f"{rank}{suit}" for suit in "SHDC" for rank in [*range(2, 11), *"JQKA"]] + ["X1", "X2"]
    _, pattern, *_ = get_args(Card)
    assert all(re.fullmatch(pattern.regex, card) for card in PACK)
    for other in ("1S", "VS", "DS", "T1", "EX", "X3", "X", "11H", "10", "SJ", "js", "J S", ""):
        assert not re.fullmatch(pattern.regex, other)
    clubs = sorted((card for card in PACK if suits("S")[card] == "C"), key=strengths("S", "X1").get, reverse=True)
    assert clubs == ["AC", "KC", "QC", *(f"{pip}C" for pip in range(10, 1, -1))]


@pytest.mark.rule("plute", "2", "does not belong to its printed suit")
@pytest.mark.parametrize(("trump", "jack"), [("S", "JC"), ("C", "JS"), ("H", "JD"), ("D", "JH")])
def test_the_off_jack_is_the_other_jack_of_the_colour_and_counts_as_trump(trump, jack):
    assert off_jack(trump) == jack
    trumps = {card for card, suit in suits(trump).items() if suit == "T"}
    assert trumps == {card for card in PACK if card[-1] == trump} | {jack, "X1", "X2"}
    assert len(trumps) == 16
    assert Counter(suits(trump).values()) == {"T": 16, jack[-1]: 12} | dict.fromkeys(
        set("SHDC") - {trump, jack[-1]}, 13
    )


@pytest.mark.rule("plute", "2", "16 cards are trumps, high to low")
@pytest.mark.parametrize("trump", "SHDC")
@pytest.mark.parametrize("high", ["X1", "X2"])
def test_trumps_rank_from_the_ace_down_to_the_jokers(trump, high):
    low = {"X1": "X2", "X2": "X1"}[high]
    order = [*(f"{rank}{trump}" for rank in "AKQJ"), off_jack(trump)]
    order += [*(f"{rank}{trump}" for rank in range(10, 1, -1)), high, low]
    strength = strengths(trump, high)
    assert sorted((card for card in PACK if suits(trump)[card] == "T"), key=strength.get, reverse=True) == order
    assert len({strength[card] for card in order}) == 16


@pytest.mark.rule("plute", "6", "80 in all")
def test_game_values_are_80_in_all():
    values = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
    for card in PACK:
        assert game_value(card) == values.get(card[:-1], 0)
    assert game_value("X1") == game_value("X2") == 0
    assert sum(map(game_value, PACK)) == 80


@pytest.mark.rule("plute", "1", "nine each, in packets of three")
def test_nine_cards_each_in_packets_of_three_clockwise_from_the_dealers_left():
    for chance in CHANCES[:20]:
        deal = dealt(chance)
        assert deal.dealer == chance.below("first_dealer", 1, 6)
        cards = chance.permutation("deal", 1, PACK)
        hands = {seat: [] for seat in range(6)}
        seat = (deal.dealer + 1) % 6
        for start in range(0, 54, 3):
            hands[seat] += cards[start : start + 3]
            seat = (seat + 1) % 6
        assert [hand.seat for hand in deal.hands] == list(range(6))
        for hand in deal.hands:
            assert hand.count == len(hand.cards) == 9
            assert set(hand.cards) == set(hands[hand.seat])
            assert hand.cards == in_pack_order(hand.cards)


@pytest.mark.rule("plute", "1", "The first dealer is drawn at random")
def test_the_first_dealer_is_drawn_and_can_be_any_seat():
    assert {dealt(chance).dealer for chance in CHANCES} == set(range(6))


@pytest.mark.rule("plute", "1", "The deal passes to the left")
@pytest.mark.parametrize("dealer", range(6))
def test_the_deal_passes_to_the_left_with_new_cards(dealer):
    before = builders.state("deal", dealer=dealer)
    deal = dealt(CHANCES[0], after=before)
    assert (deal.hand_number, deal.dealer) == (2, (dealer + 1) % 6)
    assert deal.hands != dealt(CHANCES[0]).hands


def test_a_new_hand_begins_with_the_bidding_and_an_empty_table():
    state = builders.state("deal", tally=((1, 0), (0, 2)), tricks=[(1, "0:2S 1:3S")], jokers="X2", stopped=True)
    events = plute.settle(state, CHANCES[1])
    state = builders.played(state, *events)
    assert state.phase == "bid"
    assert (state.hand.bids, state.hand.contract) == ((), None)
    assert (state.table.trump, state.table.jokers, state.table.trick, state.table.tricks) == (None, (), (), ())
    assert not state.table.stopped
    assert state.tallies == Tallies(Tally(1, 0), Tally(0, 2))


@pytest.mark.rule("plute", "1", "nine each, in packets of three")
@pytest.mark.parametrize("seed", range(3))
def test_anyone_can_recompute_every_deal_of_a_finished_game_from_its_public_log(seed):
    """Used: a spectator's log after the end, the pack in order, and nothing of the server's."""
    steps = played("plute", 6, seed)
    log = [visible(record, steps[-1].game.secrets, None, everything=True) for record in log_of(steps)]
    secret = bytes.fromhex(log[-1]["data"]["secret"])
    assert sha256(secret).hexdigest() == log[0]["data"]["commitment"]
    taken = sorted((event for event in log if event["type"] == "seat_taken"), key=lambda event: event["seat"])
    seeds = [event["data"]["client_seed"] for event in taken]
    first = below(words_of_deal(secret, "first_dealer", log[0]["game_id"], seeds, 1), 6)
    for number, deal in enumerate([event["data"] for event in log if event["type"] == "hand_dealt"], 1):
        cards = permuted(PACK, words_of_deal(secret, "deal", log[0]["game_id"], seeds, number))
        assert (deal["hand_number"], deal["dealer"]) == (number, (first + number - 1) % 6)
        for turn in range(6):
            hand = deal["hands"][(deal["dealer"] + 1 + turn) % 6]["cards"]
            assert set(hand) == {*cards[3 * turn :][:3], *cards[3 * turn + 18 :][:3], *cards[3 * turn + 36 :][:3]}


def problems(given):
    with pytest.raises(InvalidOptions) as refused:
        OPTION_RULES.complete(given, 6)
    assert all(problem.message.startswith(problem.option) for problem in refused.value.problems)
    return {(problem.option, problem.code) for problem in refused.value.problems}


VALUES = {
    "joker_order": ("first_played_high", "marked"),
    "early_stop": ("claim", "auto", "off"),
    "stuck_dealer_may_raise": (False, True),
    "dealer_may_steal": (False, True),
    "declare_off_jack_lead": (False, True),
    "win_at": (3, *range(1, 10)),
    "lose_at": (3, *range(1, 10)),
    "low": ("holder", "taker"),
    "show_points": (False, True),
    "chat_in_hand": (False, True),
}
"""The table of the rules: values, the default first."""


@pytest.mark.rule(
    "plute", "Options", "`joker_order` / `first", "`early_stop` / `claim`", "`stuck_dealer_may_raise` / false",
    "`dealer_may_steal` / false", "`declare_off_jack_lead` / false", "`low` / `holder`", "`win_at`, `lose_at`",
    "`chat_in_hand` / false",
)  # fmt: skip
def test_the_choices_are_the_values_of_the_rules_and_every_one_is_accepted():
    choices = OPTION_RULES.choices(6)
    assert {name: {*choice.values} for name, choice in choices.items()} == {
        name: {*values} for name, values in VALUES.items()
    }
    for name, values in VALUES.items():
        assert getattr(OPTION_RULES.complete({}, 6), name) == choices[name].default == values[0]
        for value in values:
            assert getattr(OPTION_RULES.complete({name: value}, 6), name) == value


def test_numbers_out_of_range_are_all_refused_at_once():
    assert problems({"win_at": 0, "lose_at": 10}) == {("win_at", "out-of-range"), ("lose_at", "out-of-range")}


def started():
    return [*starting("plute", 6, 0)][-1].game


@pytest.mark.rule("plute", "7", "Plute has no resignation or concession")
def test_there_is_nothing_to_propose():
    game = started()
    assert plute.proposal_kinds == {}
    assert [plute.offers(game.state, seat) for seat in range(6)] == [{}] * 6
    assert refusal(propose, game, 0, "stop_after_hand") == "nothing-to-propose"
    with pytest.raises(IllegalAction, match="draw") as refused:
        plute.agree(game.state, "draw")
    assert refused.value.code == "nothing-to-agree"


@pytest.mark.rule("plute", "7", "Plute has no resignation or concession")
@pytest.mark.parametrize("seat", range(6))
def test_no_seat_can_resign(seat):
    with pytest.raises(IllegalAction) as refused:
        games.resign(started(), seat)
    assert (refused.value.code, refused.value.rule) == ("no-resignation", "7. Tally and the end of the game")
