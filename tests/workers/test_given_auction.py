"""Taker and contract are given: the bots bid at every table of a set alike, and players play from there."""

import random
from dataclasses import replace

import fakeredis
import pytest

from domain.audit import bundle, verifying
from domain.audit.stored import verify_stored
from domain.game import aggregate, history, seating, timeouts
from domain.log.record import visible
from domain.registry import RULESETS
from domain.symmetries import Mask
from service.games.projections import representations
from tests.service.deal_sets.days import DAY_ONE, Days, opened
from tests.support.deal_sets import OPENS, bundle_of, sealed_set
from tests.web.verifier import verdicts
from workers import choosing, repeating
from workers.policy_process import PolicyProcess


@pytest.fixture(scope="module")
def process():
    """The process in which bots think."""
    running = PolicyProcess(60)
    yield running
    running.stop()


def given(seats):
    """A sealed set of French Tarot in which ``greedy`` bids for all."""
    _, one = sealed_set("french-tarot", seats, deals=12)
    return replace(one, created=replace(one.created, auction="greedy"))


def table_of(one, number, game_id, process):
    """Play a deal by chance at a table of people, after the bots have bid."""
    ruleset, seats = RULESETS["french-tarot"], one.created.seats
    options = ruleset.options.complete(one.created.options, seats)
    people = tuple(f"pl_{game_id}{seat}" for seat in range(seats))
    deal = one.deal(number, ranked=True)
    new = seating.NewGame(
        game_id, ruleset, options, "private", sandbox=False, creator="tn_1", sitters=people, deal=deal
    )
    records, game = history.record(None, seating.create(new, b"g" * 32), OPENS, "c")
    rng = random.Random(game_id)
    while not game.is_over:
        seat, by = min(game.waiting_for), None
        if timeouts.bots_to_act(game):
            assert game.bidder == "greedy"
            assert not game.players_to_act
            assert "decision" not in representations.view(game, seat)
            chosen = choosing.choice(game, seat, game.mover(seat), process)
            action, by = chosen.action, chosen.by
        else:
            action = rng.choice(game.ruleset.legal_actions(game.state, seat))
        more, game = history.record(game, aggregate.act(game, seat, action), OPENS, f"r{game.version}", by=by)
        records += more
    return records, game


def auction_of(game):
    """What the bots bid, unmasked."""
    return [each for each in game.unmasked.events if type(each).__name__ in {"BidMade", "Passed", "ContractWon"}]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_bots_bid_alike_at_every_table_and_the_same_cards_take(seats, process, tmp_path):
    one = given(seats)
    won, texts = 0, {}
    for number in range(1, 5):
        tables = [table_of(one, number, f"gm_{number}{table}", process) for table in range(3)]
        masks: set[Mask | None] = {game.mask for _, game in tables}
        assert len(masks) > 1
        assert all(auction_of(game) == auction_of(tables[0][1]) for _, game in tables)
        won += any(type(each).__name__ == "ContractWon" for each in auction_of(tables[0][1]))
        assert all(verify_stored(log).fault is None for log, _ in tables)
        texts |= {f"{number} {table}": bundle_of(*each, closed=True) for table, each in enumerate(tables)}
    assert won > 1
    assert {told["code"] for told in verdicts(tmp_path, texts).values()} == {0}
    for text in texts.values():
        read = bundle.read(text)
        assert verifying.verify(read).fault is None
        again = [*repeating.repeated({"events": read.events, "head": read.events[-1]["hash"]}, process)]
        assert len(again) >= seats
        assert {each.fault for each in again} == {""}


def test_who_bids_is_in_the_log_and_a_bid_of_a_player_is_named(process):
    one = given(4)
    log, game = table_of(one, 1, "gm_1", process)
    bids = [each for each in log if each.type in {"bid_made", "passed"}]
    assert {each.bot["name"] for each in bids} == {"greedy"}
    text = bundle_of(log, game, closed=True)
    assert b'"auction":"greedy"' in text
    forged = verifying.verify(bundle.read(text.replace(b'"auction":"greedy",', b"")))
    assert forged.fault is not None
    shown = visible(log[0], game.secrets, 0, everything=False)
    assert shown["data"]["deal"]["auction"] == "greedy"


def test_a_player_cannot_bid_where_the_bots_do():
    days = Days(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
    days.schedule = replace(days.schedule, auction="greedy", games=(("french-tarot", (4,)),))
    days.server._settings = replace(days.server._settings, daily=days.schedule)
    days.server.forget_games()
    days.open()
    ada = days.server.newcomer("Ada")
    path = f"/v1/daily/french-tarot/{DAY_ONE}"
    assert days.server.stranger().get("/v1/daily").json["items"][0]["auction"] == "greedy"
    game_id = opened(ada, path)
    game = days.games().fresh(game_id)
    assert game.bidder == "greedy"
    refused = ada.post(f"/v1/games/{game_id}/actions?as=0", {"type": "pass"})
    assert (refused.status_code, refused.json["code"]) == (409, "bots-bid")
    listed = ada.get(f"/v1/games/{game_id}/legal-actions?as=0").json
    assert (listed["decision"], listed["count"], listed["actions"]) == (None, 0, [])
    assert ada.get("/v1/me/games?to_act=true").json["items"] == []
