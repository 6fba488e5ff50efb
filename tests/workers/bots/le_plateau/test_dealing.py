"""Kernels exchange as ``greedy`` does, deal as the rules do, and find the partners that announcements would find."""

import random
from itertools import islice

import pytest

from domain.le_plateau.board import standard_tokens
from domain.le_plateau.deck import shape_for
from domain.registry import RULESETS
from workers.bots.le_plateau import dealing as d
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau import prospects
from workers.bots.le_plateau.exchange import announceable, discards
from workers.bots.le_plateau.loader import cards_of, dealt, sets_of
from workers.bots.le_plateau.worth import Arena, importance_ahead


def world_of(seats, seed):
    """Return a world before the exchange, its hands, its talon, the options and what is useful in it."""
    options = RULESETS["le-plateau"].options.complete({}, seats)
    shape = shape_for(seats)
    cards = [*shape.deck]
    random.Random(seed).shuffle(cards)
    hands = [cards[shape.hand * seat :][: shape.hand] for seat in range(seats)]
    talon = cards[shape.hand * seats :][: shape.talon]
    world = dealt(options, seats, hands, 0)
    world[k.TALON], world[k.TALON_TRUMPS] = sets_of(talon, options)
    arena = Arena(standard_tokens(seats), "2023", "bridge")
    return world, hands, talon, options, arena


def held(world, seat):
    return cards_of(world[k.HELD + seat], world[k.HELD_TRUMPS + seat])


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_declarer_lays_aside_what_greedy_would(seats):
    for seed in range(8):
        world, hands, talon, options, arena = world_of(seats, seed)
        hand = [*prospects.hand_in_words(arena, options, shape_for(seats).deck)]
        d.exchange(world, 1, d.LAYS_ASIDE, hand, seed + 1)
        whole = sorted(
            (*hands[1], *talon), key=lambda card: cards_of(*sets_of(shape_for(seats).deck, options)).index(card)
        )
        (gone, _), *_ = discards(whole, 3, importance_ahead(arena), options)
        assert {*held(world, 1)} == {*whole} - {*gone}
        assert not world[k.TALON] | world[k.TALON_TRUMPS]


@pytest.mark.parametrize("kind", [d.DEALS, d.GIVES])
def test_with_six_players_everyone_ends_with_thirteen_cards(kind):
    for seed in range(8):
        world, hands, _, options, arena = world_of(6, seed)
        d.exchange(world, 2, kind, [*prospects.hand_in_words(arena, options, shape_for(6).deck)], seed + 1)
        after = [held(world, seat) for seat in range(6)]
        assert [len(cards) for cards in after] == [13] * 6
        assert sorted(card for cards in after for card in cards) == sorted(shape_for(6).deck)
        kept = [len({*before} & {*now}) for before, now in zip(hands, after, strict=True)]
        assert all(count == 12 for seat, count in enumerate(kept) if seat != 2)


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_partners_are_the_holders_of_the_cards_that_would_be_announced(seats):
    for seed in range(8):
        world, hands, _, options, _ = world_of(seats, seed)
        deck = shape_for(seats).deck
        called = (card for rank in announceable(hands[0], (), deck) for card in rank)
        holders = (seat for card in called for seat, cards in enumerate(hands) if card in cards)
        order = [0, *dict.fromkeys(holders)]
        for size in (1, 2, 3):
            team = d.side_of(world, 0, 1, size, sets_of(deck, options)[0], 0)
            assert team == sum(1 << seat for seat in islice(order, size))
