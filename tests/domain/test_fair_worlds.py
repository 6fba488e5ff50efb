"""Worlds are drawn fairly: all that agree with the view, each equally likely.

The worlds of a position are found without the code that draws them. Where cards are dealt, the unseen ones are swapped
in every way in the log of the hand, and the rules play it again: the world agrees if all was legal and the view is the
same. In Plateau, every hidden piece is tried.
"""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, islice, product
from math import factorial, perm, prod

import pytest

from domain.cardplay.cards import in_deck_order
from domain.errors import IllegalAction, WrongMoment
from domain.laws.non_interference import last_deal, play_again
from domain.plateau import RULESET as plateau
from domain.plateau import lines
from domain.plateau.pieces import COPIES, KIND_OF
from domain.plute.deck import in_pack_order
from domain.serialization import from_plain, to_plain
from tests.domain.laws.facts import table_of
from tests.domain.plateau import builders
from tests.support.fair import expect_fair, lying
from tests.support.random_games import played
from tests.support.sampling import every_table, part

OF_SPACES = ("board", "spaces", "path")
"""The fields of events that name spaces of a board, some of them like cards."""
MOST_LIES = 80
"""How many ways to lay the unseen cards are tried at most in one position."""
DRAWS_PER_WORLD = 12


# -- cards ----------------------------------------------------------------------------------------------------------


def lies(places):
    """List the ways to lay all the cards in as many places as there are, each with so many cards."""

    def split(cards, sizes):
        if not sizes:
            yield ()
            return
        for chosen in combinations(cards, sizes[0]):
            for others in split([card for card in cards if card not in chosen], sizes[1:]):
                yield (chosen, *others)

    cards = [card for lying in places.values() for card in lying]
    return (dict(zip(places, split_up, strict=True)) for split_up in split(cards, [*map(len, places.values())]))


def number_of_lies(places):
    return factorial(sum(map(len, places.values()))) // prod(factorial(len(cards)) for cards in places.values())


def swapped(plain, other, in_order):
    """Put other cards for those of plain data; lists that were in order are in order again. Spaces stay."""
    if isinstance(plain, dict):
        return {key: value if key in OF_SPACES else swapped(value, other, in_order)
                for key, value in plain.items()}  # fmt: skip
    if isinstance(plain, list | tuple):
        items = [swapped(value, other, in_order) for value in plain]
        is_of_cards = any(isinstance(card, str) and card in other for card in plain)
        return list(in_order(items)) if is_of_cards and tuple(plain) == in_order(plain) else items
    return other.get(plain, plain) if isinstance(plain, str) else plain


def agrees(table, steps, viewer, lie):
    """Return whether the cards can lie so, before the eyes of the viewer: play the hand again with such a deal."""
    start = last_deal(table.facts, steps)
    events = [event for step in steps[start:] for event in step.events]
    in_order = in_pack_order if table.ruleset.id == "plute" else in_deck_order
    other = exchanged(steps[-1].game.state, lie)
    deal = max(number for number, event in enumerate(events) if table.facts.is_deal(event))
    redealt = [*events[:deal], *(told(event, lie, other, in_order) for event in events[deal:])]
    try:
        state = play_again(table.facts, steps[start:], redealt).state
    except (AssertionError, IllegalAction, WrongMoment, StopIteration):
        return False
    return table.ruleset.project(state, viewer) == table.ruleset.project(steps[-1].game.state, viewer)


def exchanged(state, lie):
    """Map cards to those that lie in their places instead; what an exchanger holds and has laid aside is one place."""
    other = {}
    for places in joined(state):
        old = {card for place in places for card in lying(state).get(place, ())}
        new = {card for place in places for card in lie.get(place, lying(state).get(place, ()))}
        other |= dict(zip(sorted(old - new), sorted(new - old), strict=True))
    return other


def joined(state):
    aside = "ecart" if hasattr(state, "deal") else "discard"
    contract = state.deal.contract if hasattr(state, "deal") else state.hand.contract
    by = None if contract is None else getattr(contract, "taker", getattr(contract, "exchanger", None))
    both = [("held", by), aside] if by is not None and aside in lying(state) else []
    return [both, *([place] for place in lying(state) if place not in both)]


def told(event, lie, other, in_order):
    """Return an event as it was with other cards."""
    aside = lie.get("ecart") or lie.get("discard")
    if type(event).__name__ == "CardsDiscarded" and aside:
        return replace(event, cards=in_order(aside))
    return from_plain(type(event), swapped(to_plain(event), other, in_order))


def key(places, unseen):
    return tuple(frozenset(places[place]) for place in unseen)


def positions(table):
    """List positions with few enough lies of what a viewer does not see: the steps, the viewer, the unseen places."""
    for seed in range(8):
        steps = played(table.ruleset.id, table.seats, seed, table.variant)
        rng = random.Random(f"{table} {seed}")
        found = [
            (steps[: index + 1], viewer, unseen)
            for index, step in enumerate(steps)
            if step.game.status == "active"
            for viewer in (*range(table.seats), None)
            for unseen in [{p: c for p, c in lying(step.game.state).items() if c and p != ("held", viewer)}]
            if 10 <= number_of_lies(unseen) <= MOST_LIES
        ]
        if found:
            yield rng.choice(found)


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "variant"),
    [table for ruleset_id in ("le-plateau", "french-tarot", "plute") for table in every_table(ruleset_id)],
)
def test_the_cards_lie_in_any_way_that_agrees_with_the_view_equally_likely(ruleset_id, seats, variant):
    table = table_of(ruleset_id, seats, variant)
    for steps, viewer, unseen in islice(positions(table), part(2)):
        state, ruleset = steps[-1].game.state, table.ruleset
        worlds = {}
        for lie in lies(unseen):
            if agrees(table, steps, viewer, lie):
                worlds[key(lie, unseen)] = 1
        view, rng = ruleset.project(state, viewer), random.Random(f"{table}")
        draws = [ruleset.sample(state.options, viewer, view, rng) for _ in range(len(worlds) * DRAWS_PER_WORLD)]
        expect_fair([key(lying(world), unseen) for world in draws], worlds)


def test_some_positions_are_bound_by_what_players_did():
    """Else the test above would hold for any shuffle."""
    table = table_of("french-tarot", 3)
    assert any(
        not agrees(table, steps, viewer, lie) for steps, viewer, unseen in positions(table) for lie in lies(unseen)
    )


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_the_past_of_an_exchange_is_any_that_ends_with_these_cards(seats):
    """The talon had any of the cards that went through the exchanger's hand, in any order."""
    steps, hand = after_an_exchange(seats)
    state, ruleset, exchanger = steps.game.state, steps.game.ruleset, hand.contract.exchanger
    viewer = (exchanger + 1) % seats
    view, rng, firsts, taken = ruleset.project(state, viewer), random.Random(seats), [], []
    own = {*state.hand.dealt[viewer]}
    for _ in range(1200):
        world = ruleset.sample(state.options, viewer, view, rng)
        assert {*world.hand.talon[: len(hand.taken)]} == {*world.hand.taken}
        firsts.append(world.hand.talon[0])
        taken.append(world.hand.talon.index(min(world.hand.taken)))
    received = {gift.card for gift in hand.gifts if gift.to == viewer}
    unseen = {*card_of_all(hand)} - own - {dealt.card for dealt in hand.talon_dealt if dealt.to == viewer}
    weights = dict.fromkeys(unseen, 1)
    if not received:
        expect_fair(firsts, weights)
    expect_fair(taken, dict.fromkeys(range(len(hand.taken)), 1))


def after_an_exchange(seats):
    """Return the step at which the gifts or the discard were made, and the hand."""
    for seed in range(40):
        for step in played("le-plateau", seats, seed):
            state = step.game.state
            if state is not None and (state.hand.discard or state.hand.gifts) and not state.table.trick:
                return step, state.hand
    raise AssertionError("no exchange in these games")


def card_of_all(hand):
    piles = (card for piles in hand.dealt_piles for pile in piles for card in (pile.under,))
    return [*(card for cards in hand.dealt for card in cards), *hand.talon, *piles]


# -- Plateau --------------------------------------------------------------------------------------------------------

BEGINNING = ("* a1 {}.{}", "* d4 {}.{}", "+d3/0 {}", "+b1/0 {}")
BLACK, WHITE = ("rb", "xo", "xb"), ("xx", "br", "xr")
CODES = tuple(map("".join, KIND_OF))


def begun(black, white):
    """Play a beginning with these pieces."""
    state = plateau.setup(plateau.options.complete({}, 2), 2)
    for text, pieces in zip(BEGINNING, (black[:2], white[:2], black[2:], white[2:]), strict=True):
        state = builders.acts(state, lines.read(text.format(*pieces), state.board))
    return state


def ways(pieces):
    """Count the ways to take these pieces from the twelve discs, one after the other."""
    kinds = Counter(KIND_OF[code[0], code[1]] for code in pieces)
    return prod(perm(COPIES[kind], number) for kind, number in kinds.items())


@pytest.mark.parametrize("viewer", [0, pytest.param(1, marks=pytest.mark.long)])
def test_the_hidden_pieces_of_plateau_are_drawn_as_if_blindly(viewer):
    """Every way to take discs that show the same faces is equally likely; equal discs count apart."""
    true = begun(BLACK, WHITE)
    view, weights = plateau.project(true, viewer), {}
    hidden = (WHITE, BLACK)[viewer]
    for pieces in product(CODES, *([code for code in CODES if code[0] == seen[0]] for seen in hidden[1:])):
        if ways(pieces):
            world = begun(BLACK, pieces) if viewer == 0 else begun(pieces, WHITE)
            if plateau.project(world, viewer) == view:
                weights[world.board] = ways(pieces)
    rng, draws = random.Random(viewer), 5 * sum(weights.values()) // min(weights.values())
    expect_fair([plateau.sample(true.options, viewer, view, rng).board for _ in range(draws)], weights)
