"""Bots play a deal alike at every table: the same history has the same move, whatever the mask and who sits where."""

from itertools import count

import pytest

from domain.game import aggregate, bot_seeds, luck
from domain.registry import RULESETS
from domain.serialization import changed
from service.deal_sets.move_store import MoveStore
from service.store.event_store import EventStore
from tests.support.deal_sets import dealt, played, sealed_set
from tests.support.sampling import LARGEST, SMALLEST, TABLES, seeds
from workers import choosing

AT_TABLES = [
    (name, ruleset_id, seats)
    for ruleset_id, seats in TABLES
    for name in ("random", "greedy")
    if RULESETS[ruleset_id].symmetries and (ruleset_id, seats) in SMALLEST + LARGEST
]


def tables(ruleset_id, seats, number=1):
    """Deal at two tables of a deal set, which have different masks and players."""
    _, one = sealed_set(ruleset_id, seats)
    _, first = dealt(one, number, "gm_0", "pl_1")
    others = (dealt(one, number, f"gm_{n}", "pl_2")[1] for n in count(1))
    return first, next(other for other in others if other.mask != first.mask)


def played_by(game, name, process):
    """Play until the deal is over, a bot in every seat."""
    while not game.is_over:
        seat = min(game.waiting_for)
        choice = choosing.choice(game, seat, name, process)
        assert bot_seeds.is_seed_of(game, seat, choice.by)
        _, game = aggregate.act(game, seat, choice.action)
    return game


@pytest.mark.parametrize(("name", "ruleset_id", "seats"), AT_TABLES)
def test_bots_make_the_same_moves_under_every_mask(name, ruleset_id, seats, policy_process):
    for seed in seeds(8):
        one, other = (played_by(game, name, policy_process) for game in tables(ruleset_id, seats, seed % 3 + 1))
        assert one.unmasked == other.unmasked
        assert one.outcome == other.outcome
        assert one.state != other.state


def test_a_search_that_would_be_ended_by_time_plays_alike_too(policy_process, monkeypatch):
    """In another game it would be ended at once."""
    monkeypatch.setattr(policy_process, "_seconds", 20.0)
    monkeypatch.setattr("workers.policy_process._FOR_MOVE", 0.0)
    game, _ = tables("french-tarot", 3)
    seat = min(game.waiting_for)
    in_a_set, elsewhere = (
        choosing.choice(each, seat, "searcher-club", policy_process).by.thought.done
        for each in (game, changed(game, unmasked=None))
    )
    assert in_a_set > elsewhere


def test_a_bot_that_failed_makes_the_same_move_under_every_mask():
    games = tables("plute", 6)
    while not games[0].is_over:
        seat = min(games[0].waiting_for)
        choices = [choosing.any_legal(game, seat, "random") for game in games]
        assert choices[0].by == choices[1].by
        games = [aggregate.act(game, seat, choice.action)[1] for game, choice in zip(games, choices, strict=True)]
    assert games[0].unmasked == games[1].unmasked


def test_what_a_bot_thinks_about_does_not_name_the_table():
    games = tables("le-plateau", 3)
    asked = [choosing.representations.view(bot_seeds.shared(game), 1) for game in games]
    assert asked[0] == asked[1]
    ordinary = changed(games[0], unmasked=None)
    assert bot_seeds.shared(ordinary) is ordinary


def test_a_move_that_took_long_is_thought_once_for_all_tables(client, policy_process, monkeypatch):
    one, other = tables("french-tarot", 3)
    seat, moves = min(one.waiting_for), MoveStore(EventStore(client))
    first = choosing.choice(one, seat, "searcher-club", policy_process, moves)
    again = choosing.choice(other, seat, "searcher-club", None, moves)
    assert again.by == first.by
    assert again == choosing.choice(other, seat, "searcher-club", policy_process)
    elsewhere, _ = tables("french-tarot", 3, 2)
    monkeypatch.setattr("service.deal_sets.move_store.MOST_MOVES", 1)
    choosing.choice(elsewhere, min(elsewhere.waiting_for), "searcher-club", policy_process, moves)
    (key,) = client.keys("*:moves")
    assert client.hlen(key) == 1
    assert client.pttl(key) > 0


def test_the_luck_of_a_deal_is_the_same_at_every_table():
    _, one = sealed_set("plute", 6)
    found = [
        next(luck.deals(played(one, 1, game_id, seed)[0])) for seed, game_id in enumerate(("gm_0", "gm_1", "gm_2"))
    ]
    assert {deal.begun for deal in found} == {found[0].begun}
    assert {deal.seed(1, ("greedy", 1)) for deal in found} == {found[0].seed(1, ("greedy", 1))}
    assert len({deal.game.mask for deal in found}) > 1
