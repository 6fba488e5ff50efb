"""Random games of Le Plateau are judged by a second opinion; in the daily run at some tables, all in the long one."""

import pytest

from domain.le_plateau import events as ev
from tests.domain.le_plateau.judging import first, hands_of, judge_hands, judge_revealed_cards
from tests.support.random_games import played
from tests.support.sampling import tables_of

SEEDS = 12
"""All are needed for each kind of end to occur without options."""


@pytest.mark.rule(
    "le-plateau", "7", "Forehand leads any card to the first trick", "the only free ones left",
    "these steps follow in order, before any lower card is turned up", "everything about it is made public",
)  # fmt: skip
@pytest.mark.rule(
    "le-plateau", "8", "Let v be the value", "Each opposing player loses v", "The declarer's side gains or loses",
    "6 / v each / 2v each / 5v", "5 / declarer 2v, partner v / 4v", "4 / v each / 3v", "3 / 2v", "2 / v",
    "After the agreed hands, the highest score wins",
)  # fmt: skip
@pytest.mark.parametrize(("seats", "variant"), tables_of("le-plateau"))
def test_a_second_opinion_finds_every_hand_and_game_as_they_were_settled(seats, variant):
    found = []
    for seed in range(SEEDS if not variant else SEEDS // 3):
        steps, hands = played("le-plateau", seats, seed, variant), hands_of(seats, seed, variant)
        judge_match(seats, hands, steps[-1].game)
        for hand in hands:
            judge_revealed_cards(hand)
        found += judge_hands(seats, seed, variant)
    ends, teams = ({*each} for each in zip(*found, strict=True))
    assert variant or len(teams) == {2: 1, 3: 1, 4: 2, 5: 2, 6: 3}[seats]
    assert variant or ends == {"made", "impossible", *(["revealed"] if seats < 6 else [])}


def judge_match(seats, hands, game):
    """A game plays the agreed hands, each seat dealing in turn; totals add up, and the best share the win."""
    deals = [first(hand, ev.HandDealt) for hand in hands]
    counting = [bool(first(hand, ev.HandWon)) or game.options.void_hands == "count" for hand in hands]
    assert sum(counting) == seats
    assert [deal.hand_number for deal in deals] == [1 + sum(counting[:index]) for index in range(len(deals))]
    assert [deal.deal_number for deal in deals] == list(range(1, len(deals) + 1))
    assert [deal.dealer for deal in deals] == [(deals[0].dealer + i) % seats for i in range(len(deals))]
    totals = tuple(map(sum, zip(*(first(hand, ev.HandScored).scores for hand in hands), strict=True)))
    assert game.outcome.scores == totals
    assert game.outcome.winners == tuple(seat for seat in range(seats) if totals[seat] == max(totals))
