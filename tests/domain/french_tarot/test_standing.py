"""The law of what a scene says of the attack's points: true for every viewer at every moment of the play."""

import re
from itertools import pairwise

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot import events as ev
from domain.french_tarot.picture.scenes import scene_of
from domain.table import EVERYTHING
from tests.support.random_games import playing
from tests.support.sampling import seeds, tables_of

WORTH = {"R": 9, "D": 7, "C": 5, "V": 3}
OUDLERS = {"T1", "T21", "EX"}
NEEDED = {0: 56, 1: 51, 2: 41, 3: 36}
POINTS = r"(\d+(?:\.5)?)"
HAS = re.compile(rf"The (attack|taker alone) has (at least )?{POINTS} points")
NEEDS = re.compile(
    rf"With(?:out oudlers)?(.*?),? (?:it|the attack) needs (at most )?(\d+) points(?:: (at most )?{POINTS} more)?(.*)"
)


def halves(cards):
    return sum(9 if card in OUDLERS else 1 if card[0] == "T" else WORTH.get(card[0], 1) for card in cards)


def pile_of(attack, tricks, imprenable, beside):
    """Return the attack's half points and oudlers, by hand: the Excuse goes home, and its side gives half a point."""
    points, cards = halves(beside), {*beside}
    for trick in tricks:
        for played in trick.cards:
            is_excuse = played.card == "EX" or (played.card == "T1" and imprenable)
            if (played.seat if is_excuse else trick.winner) in attack:
                points += halves([played.card])
                cards.add(played.card)
            if is_excuse:
                points += (trick.winner in attack) - (played.seat in attack)
    return points, cards & OUDLERS


def deals_of(steps):
    """List the deals that were scored, each with the states of its play and the events of its end."""
    found, states = [], []
    for step in steps:
        states = [] if any(isinstance(event, ev.CardsDealt) for event in step.events) else states
        revealed = [event for event in step.events if isinstance(event, ev.DealRevealed | ev.DealScored)]
        if revealed:
            found.append((states, *revealed))
        if step.game.status == "active" and step.game.state.phase == "play":
            states = [*states, step.game.state]
    return found


@pytest.mark.parametrize(("players", "variant"), tables_of("french-tarot"))
@pytest.mark.parametrize("seed", seeds(8))
def test_what_is_said_of_the_points_is_what_the_count_allows(players, variant, seed):
    for states, revealed, scored in deals_of(playing("french-tarot", players, seed, variant)):
        final = scored.calculation
        for state in states:
            taker, contract = state.deal.contract.taker, state.deal.contract.contract
            beside = {"garde_sans": revealed.chien, "garde_contre": ()}.get(contract, revealed.ecart)
            attack = {taker, taker if revealed.partner is None else revealed.partner}
            now, oudlers = pile_of(attack, state.table.tricks, state.deal.imprenable is not None, beside)
            is_hidden = state.deal.called is not None and not state.deal.called.revealed
            for viewer in (None, *range(players), EVERYTHING):
                knows = contract == "garde_contre" or viewer in ((taker, EVERYTHING) if contract != "garde_sans" else
                                                                  (EVERYTHING,))  # fmt: skip
                lines = scene_of(french_tarot.project(state, viewer)).lines
                ((has, needs),) = [pair for pair in pairwise(lines) if HAS.match(pair[0])]
                whose, least, points = HAS.match(has).groups()
                said_oudlers, most, target, most_more, more, rest = NEEDS.fullmatch(needs).groups()
                shown, target = round(2 * float(points)), int(target)
                found = {*re.findall("T21|T1|EX", said_oudlers)}
                assert (whose == "taker alone") is is_hidden
                assert bool(least) is (is_hidden or not knows)
                assert target == NEEDED[len(found)]
                if least:
                    assert shown <= now
                    assert found <= oudlers
                else:
                    assert (shown, found) == (now, oudlers)
                if more is None:
                    assert rest in (", and has them", ", and is half a point short")
                    assert (rest == ", and has them") is (shown >= 2 * target)
                    assert rest == ", and has them" or shown == 2 * target - 1
                else:
                    assert bool(most) is bool(most_more) is bool(least)
                    assert 2 * float(more) == 2 * target - shown
                assert final.count.half_points >= shown
                assert final.contract.target <= target
                assert final.contract.won_by == "attack" or rest != ", and has them"
