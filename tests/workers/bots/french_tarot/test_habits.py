"""How a search plays a deal out: legal, blind to other hands, and with some sense."""

import random

import pytest

from domain.laws.play import active
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS
from workers.bots.drawing import SEED, drawn
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import habits, shuffling
from workers.bots.french_tarot import kernel as k
from workers.bots.french_tarot.loading import bases_of
from workers.bots.french_tarot.worlds import Worlds

TABLES = [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "french-tarot"]


@pytest.mark.parametrize(("seats", "variant"), TABLES)
def test_a_habit_is_legal_and_sees_the_seat_s_own_hand_only(seats, variant):
    games = [game for game in active(list(playing("french-tarot", seats, 2, variant))) if game.state.phase == "play"]
    for game in games[::5]:
        seat = min(game.pending)
        view = game.ruleset.project(game.state, seat)
        worlds, made = Worlds(game.options, view, seat, random.Random(3)), [0] * k.LENGTH
        bases = bases_of(worlds.state)
        chosen = set()
        for _ in range(6):
            shuffling.put(worlds.next(), bases, made)
            made[SEED] = thoughtful()
            card = habits.by_habit(made)
            chosen.add(card)
            assert (made[k.LEGAL_SUITS] | made[k.LEGAL_TRUMPS] << c.PETIT) >> card & 1
        assert len(chosen) == 1


def thoughtful():
    """Return a seed with which a card is not played at random."""
    return next(seed for seed in range(999_983, 9_999_999) if drawn([seed], 100) >= habits.AT_RANDOM)


def choice(hand, trick, *, attack):
    """Return what the last of four players plays to a trick that the others began."""
    game = [0] * k.LENGTH
    game[k.PLAYERS], game[k.SIZE], game[SEED], game[k.SECRET], game[k.PARTNER] = 4, 18, thoughtful(), -1, -1
    game[k.LOOSE], game[k.LED], game[k.BEST], game[k.BANNED] = 1 << c.EXCUSE - c.PETIT, -1, -1, -1
    game[k.ATTACK] = attack
    for card in trick.split():
        k.play(game, c.NUMBER[card])
    held = c.mask_of(hand.split())
    game[k.SUIT_CARDS + 3], game[k.TRUMP_CARDS + 3] = held & (1 << c.PETIT) - 1, held >> c.PETIT
    return c.CARD[habits.by_habit(game)]


@pytest.mark.parametrize(
    ("hand", "trick", "attack", "card"),
    [
        ("1S 5S DS", "7S 2S RS", 0b0001, "DS"),  # a friend wins: points for it
        ("1S 5S CS", "DS 2S 3S", 0b0001, "1S"),  # the taker wins: nothing for it
        ("1S 5S DS", "7S 2S 3S", 0b0001, "DS"),  # the last to play wins with the most points
        ("T1 T5 T9", "7S 2S 3S", 0b0001, "T1"),  # nobody can overtrump the petit any more
        ("T1 T5 T9", "7S 2S T3", 0b0001, "T5"),  # who must overtrump does so with the lowest
        ("1H DH 3D", "T4 T9 T7", 0b0010, "1H"),  # without suit and trumps, an opponent gets nothing
        ("1H DH 3D", "T4 T9 T7", 0b0001, "DH"),  # and a friend the best
        ("DS EX", "RS 2S 3S", 0b0001, "EX"),  # the Excuse saves a queen
    ],
)
def test_the_last_player_of_a_trick_plays_with_sense(hand, trick, attack, card):
    assert choice(hand, trick, attack=attack) == card
