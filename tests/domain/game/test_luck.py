"""The deals of a game, for its luck."""

import pytest

from domain.game import luck
from domain.registry import RULESETS
from tests.support.random_games import log_of, played
from tests.support.sampling import TABLES, seeds

WITH_DEALS = [table for table in TABLES if RULESETS[table[0]].deal_scores]


@pytest.mark.parametrize(("ruleset_id", "seats"), WITH_DEALS)
def test_the_deals_of_a_game_are_all_that_were_played_with_what_each_seat_scored(ruleset_id, seats):
    for seed in seeds(16):
        steps = played(ruleset_id, seats, seed)
        deals, game = [*luck.deals(log_of(steps))], steps[-1].game
        finished = game.ruleset.deal_scores(game.state)
        assert [deal.scores for deal in deals if any(deal.scores)] == [scores for scores in finished if any(scores)]
        assert len(deals) >= len(finished) > 0
        if ruleset_id != "plute":
            assert tuple(map(sum, zip(*(deal.scores for deal in deals), strict=True))) == game.outcome.scores
        numbers = [deal.number for deal in deals]
        assert numbers == sorted({*numbers})
        for deal in deals:
            assert deal.source == game.draws.of_deal(deal.number)
            assert type(deal.begun[0]) in {game.ruleset.events[name] for name in game.ruleset.deals}
            assert deal.seed(1, ("greedy", 1)) != deal.seed(2, ("greedy", 1))
