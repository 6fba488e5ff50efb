"""The kernel plays as the domain does, card by card, at every table and with every option."""

import random

import pytest

from domain.le_plateau import events as ev
from domain.le_plateau.actions import Play
from domain.le_plateau.board import OBJECTIVES, formation, standard_tokens
from tests.support.random_games import played
from tests.support.sampling import VARIANTS, part
from workers.bots.le_plateau import grid
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.loader import bits_of, board_of, cards_of, load, spaces_as_bits

TABLES = [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "le-plateau"]


@pytest.mark.parametrize(
    ("seats", "variant"),
    [pytest.param(*table, marks=pytest.mark.long if number % 4 else ()) for number, table in enumerate(TABLES)],
)
def test_every_card_does_the_same_as_in_the_domain_to_the_end_of_a_hand(seats, variant):
    """A hand that is decided early would have the same result after all tricks."""
    after, ended = None, 0
    for step in (step for seed in range(2) for step in played("le-plateau", seats, seed, variant)):
        if not isinstance(step.action, Play):
            continue
        state, options = step.before.state, step.before.options
        world = load(state)
        if state.table.trick or state.table.tricks:
            assert world == after
        suits = k.legal_suits(world)
        legal = step.before.ruleset.legal_actions(state, step.seat)
        assert cards_of(suits, k.legal_trumps(world, suits)) == sorted((a.card for a in legal), key=in_order)
        assert world[k.NEXT] == step.seat
        k.put(world, *bits_of(step.action.card, options))
        after = [*world]
        board = board_of(state.hand.tokens, options.edition)
        for event in step.events:
            if isinstance(event, ev.TrickWon):
                assert world[k.NEXT] == event.winner
            if isinstance(event, ev.CountersPlaced) and not revealed(step):
                team = world[k.TEAM] if event.team == "declarer" else ~world[k.TEAM]
                placed = spaces_as_bits(state.hand.tokens, event.spaces)
                assert k.spaces_of(world, team, board) & placed == placed
            if isinstance(event, ev.HandWon):
                k.play_out(world, 7)
                made = k.made_by(world, world[k.TEAM], board)
                assert bool(made >> OBJECTIVES.index(event.objective) & 1) == (event.by == "declarer")
                assert k.spaces_of(world, (1 << seats) - 1, board) != 0
                ended += 1
    assert ended


def in_order(card):
    """Return the place of a card in the unshuffled pack."""
    return cards_of((1 << 56) - 1, k.TRUMPS_ALL).index(card)


def revealed(step):
    """Return whether the last cards were turned up, whose spaces the kernel never counts."""
    return any(isinstance(event, ev.TalonRevealed | ev.DiscardRevealed) for event in step.events)


@pytest.mark.parametrize("edition", ["2023", "2022"])
def test_formations_are_those_of_the_domain(edition):
    rng = random.Random(edition)
    tokens = standard_tokens(3)
    board = board_of(tokens, edition)
    for _ in range(part(900)):
        owned = rng.sample(tokens, rng.randrange(8, 30))
        made = grid.found(spaces_as_bits(tokens, owned), board, k.MAKES)
        for index, objective in enumerate(OBJECTIVES):
            assert bool(made >> index & 1) == bool(formation(tokens, owned, objective, edition))


def test_every_card_is_drawn_as_often_as_the_others():
    bits, chance, counts = 0b1011_0100_0001, 1, dict.fromkeys((0, 6, 8, 9, 11), 0)
    for _ in range(5000):
        chance = k.drawn(chance)
        counts[k.bit_at(bits, chance * 5 >> 32).bit_length() - 1] += 1
    assert all(900 < count < 1100 for count in counts.values())
