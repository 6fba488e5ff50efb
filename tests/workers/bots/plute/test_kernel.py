"""The kernel of Plute plays as the rules do: card by card, with every option."""

import pytest

from domain.laws.play import actions_of
from domain.plute import play
from domain.plute.actions import Claim, Play
from domain.plute.deck import TRUMP_SUITS, printed_suit
from domain.plute.scoring import pluting, standings, verdict
from domain.plute.state import TEAMS, of_team, other_team
from domain.plute.stopping import may_claim
from domain.serialization import changed
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS, part, seeds
from workers.bots.plute import cards as c
from workers.bots.plute import kernel as k
from workers.bots.plute import playouts
from workers.bots.plute.loading import loaded

TABLES = [variant for ruleset_id, _, variant in VARIANTS if ruleset_id == "plute"]
VERDICTS = {True: 1, False: 0, None: -1}


def agrees(game, state):
    """Compare what each team has, and whether the hand can stop."""
    standing, contract = standings(state), state.hand.contract
    for team, name in enumerate(TEAMS):
        own = of_team(standing, name)
        assert k.points_of(game, team) == len(own.points)
        assert game[k.VALUES + team] == own.game_value
        assert game[k.WON + team] == own.tricks
    sides = of_team(standing, contract.team), of_team(standing, other_team(contract.team))
    assert k.verdict(game) == VERDICTS[verdict(contract.points, *sides)]
    claimable = changed(state, options=claiming(state.options))
    assert k.may_stop(game) == may_claim(claimable)
    plutes = pluting(standing)
    assert k.pluting(game) == (-1 if plutes is None else TEAMS.index(plutes))


def claiming(options):
    """Return the options with claims: the kernel says whether a hand is decided, whatever stops it."""
    return type(options)(**{name: getattr(options, name) for name in options.__slots__} | {"early_stop": "claim"})


@pytest.mark.parametrize("seed", seeds(9))
@pytest.mark.parametrize("variant", TABLES)
def test_it_agrees_with_the_rules_card_by_card(variant, seed):
    twin, cards, ended = None, 0, 0
    steps = list(playing("plute", 6, seed, variant))
    actions = actions_of(steps)
    for (before, seat, action), after in zip(actions, steps[-len(actions) :], strict=True):
        state = before.state
        if not isinstance(action, Play):
            twin = None if not isinstance(action, Claim) else twin
            continue
        fresh = loaded(state)
        if twin is not None and state.table.tricks + state.table.trick:
            assert twin[: k.LEGAL] == fresh[: k.LEGAL]
            assert twin[k.POINTS :] == fresh[k.POINTS :]
        twin, legal = fresh, play.legal_cards(state, seat)
        assert k.list_legal(twin) == len(legal)
        assert twin[k.LEGAL] == c.mask_of(legal)
        assert twin[k.TURN] == seat
        if twin[k.TRUMP] < 0:
            twin[k.TRUMP] = TRUMP_SUITS.index(action.trump or printed_suit(action.card))
        k.play(twin, c.NUMBER[action.card])
        cards += 1
        results = after.game.state.results
        if len(results) > len(state.results):
            assert k.verdict(twin) == results[-1].made
            assert k.pluting(twin) == (TEAMS.index(results[-1].plute) if results[-1].plute else -1)
            ended += 1
        else:
            agrees(twin, after.game.state)
    assert cards >= 20
    assert ended or "early_stop" not in variant


def test_playouts_end_every_hand_and_depend_on_the_seed_alone():
    started = (step.game for step in playing("plute", 6, 3) if step.game.state and step.game.state.phase == "play")
    state = next(game.state for game in started if game.state.table.trick)
    made = set()
    for seed in range(1, part(60)):
        ends = [loaded(state, seed) for _ in range(2)]
        points = [playouts.play_out(game) for game in ends]
        assert ends[0] == ends[1]
        assert points[0] == points[1]
        assert sum(ends[0][k.VALUES : k.VALUES + 2]) == 80
        made.add(points[0])
    assert len(made) > 2
