"""The kernel of French Tarot plays as the rules do: card by card, at every table and with every option."""

import random

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.french_tarot import RULESET, play
from domain.french_tarot.actions import AnnounceSlam, Bid, Call, NoSlam, Pass, Play
from domain.laws.play import actions_of
from tests.domain.french_tarot import builders
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS, seeds
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import habits, scoring
from workers.bots.french_tarot import kernel as k
from workers.bots.french_tarot.loading import loaded

TABLES = [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "french-tarot"]


class Twin:
    """A kernel beside a game by the rules: the same cards, and everything compared after each."""

    def __init__(self):
        self._game, self._players = None, ()
        self.cards = 0

    def before(self, state, seat):
        """Compare what is known before a card, and what is legal."""
        fresh = loaded(state)
        if self._game is not None:
            assert self._game[: k.LEGAL_SUITS] == fresh[: k.LEGAL_SUITS]
            assert self._game[k.SUIT_CARDS : k.MISERES] == fresh[k.SUIT_CARDS : k.MISERES]
        self._game = fresh
        self._players = state.deal.players
        assert self._players[fresh[k.TURN]] == seat
        legal = play.legal_cards(state, seat)
        assert k.list_legal(fresh) == len(legal)
        assert c.cards_of(fresh[k.LEGAL_SUITS] | fresh[k.LEGAL_TRUMPS] << c.PETIT) == tuple(
            sorted(legal, key=c.NUMBER.get)
        )
        assert 0 <= habits.any_legal([*fresh]) < 78

    def after(self, card, state, seats):
        """Play a card, and compare the score if that was the last one."""
        k.play(self._game, c.NUMBER[card])
        self._game[k.LEGAL_SUITS] = self._game[k.LEGAL_TRUMPS] = 0
        self.cards += 1
        if self._game[k.TRICK_NUMBER] == self._game[k.SIZE]:
            result, game = state.results[-1], self._game
            calculation, players = result.calculation, self._players
            assert game[k.HALVES] == calculation.count.half_points
            assert game[k.OUDLERS] == len(calculation.count.oudlers)
            assert scoring.unit_of(game) == calculation.unit
            scores = {players[player]: scoring.score_of(game, player) for player in range(len(players))}
            assert [scores.get(seat, 0) for seat in range(seats)] == [*result.scores]
            self._game = None

    def forget(self):
        """Load again next time: something was announced."""
        self._game = None


@pytest.mark.parametrize("seed", seeds(4))
@pytest.mark.parametrize(("seats", "variant"), TABLES)
def test_it_agrees_with_the_rules_card_by_card(seats, variant, seed):
    twin = Twin()
    # Deals that are thrown in never count here, whatever the variant says: else a game could have no cards to compare.
    steps = list(playing("french-tarot", seats, seed, variant, thrown_in=None))
    for (game, seat, action), after in zip(actions_of(steps), steps[-len(actions_of(steps)) :], strict=True):
        if isinstance(action, Play):
            twin.before(game.state, seat)
            twin.after(action.card, after.game.state, seats)
        else:
            twin.forget()
    assert twin.cards >= 70


STRONG = ("EX", *(f"T{n}" for n in range(21, 0, -1)), "RS", "RH", "RD", "RC", "DS", "DH", "DD", "DC", "CS", "CH")


PARTNER = 2
"""The seat of a partner with the strongest hand."""


def strong_deal(seats, holder, options):
    """Deal the strongest hand to a seat, the rest at random; the partner's also has the called card."""
    size, chien = {3: (24, 6), 4: (18, 6), 5: (15, 3)}[seats]
    strong = (*STRONG[: size - 1], "RS") if holder == PARTNER else STRONG[:size]
    rest = [card for card in TAROT_PACK if card not in strong]
    random.Random(seats).shuffle(rest)
    hands = [strong if seat == holder else tuple(rest.pop() for _ in range(size)) for seat in range(seats)]
    assert len(rest) == chien
    return builders.dealt(hands, rest, **options)


SLAMS = [
    (seats, holder, wins, last, announces)
    for seats in (3, 4, 5)
    for holder in (0, 1, *[PARTNER] * (seats == 5))
    for wins in RULESET.options.choices(seats)["excuse_wins_last_trick"].values
    for last in ("changes_side", "goes_to_trick_winner")
    for announces in (True, False)
]


@pytest.mark.parametrize(
    ("seats", "holder", "wins", "last", "announces"),
    [pytest.param(*each, marks=pytest.mark.long if number % 7 else ()) for number, each in enumerate(SLAMS)],
)
def test_it_agrees_with_the_rules_on_slams_that_the_excuse_ends(seats, holder, wins, last, announces):
    state = strong_deal(seats, holder, {"deals": 1, "excuse_wins_last_trick": wins, "excuse_last_trick": last})
    rng, twin = random.Random(1), Twin()
    while state.phase != "over":
        (seat,) = RULESET.to_act(state)
        legal = RULESET.legal_actions(state, seat)
        action = legal[rng.randrange(len(legal))]
        if state.phase == "bid":
            action = Bid("garde") if seat == 0 and not state.deal.contract else Pass()
        elif state.phase == "slam":
            action = AnnounceSlam() if announces else NoSlam()
        elif state.phase == "play":
            cards = play.legal_cards(state, seat)
            strongest = [card for card in STRONG[1:] if card in cards]
            action = Play(strongest[0] if seat == holder and strongest else rng.choice(cards))
            twin.before(state, seat)
        elif state.phase == "call":
            action = Call("RS")
        _, state = builders.act(state, seat, action)
        if isinstance(action, Play):
            twin.after(action.card, state, seats)
    calculation = state.results[-1].calculation
    assert twin.cards >= 70
    winners = {"announced_only": (0,), "announcing_side": (0, PARTNER)}
    if announces and holder in (0, PARTNER) and wins in winners:
        assert calculation.slam.made_by == ("attack" if holder in winners[wins] else None)


def test_playouts_end_every_deal_and_depend_on_the_seed_alone():
    step = next(step for step in playing("french-tarot", 4, 0) if step.game.state and step.game.state.phase == "play")
    scores = set()
    for seed in range(1, 30):
        ends = [loaded(step.game.state, seed) for _ in range(2)]
        for game in ends:
            habits.play_out(game)
        assert ends[0] == ends[1]
        assert sum(scoring.score_of(ends[0], player) for player in range(4)) == 0
        scores.add(scoring.score_of(ends[0], 0))
    assert len(scores) > 5
