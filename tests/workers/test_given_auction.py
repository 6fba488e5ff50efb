"""Taker and contract are given: the bots bid at every table of a set alike, and players play from there."""

import random
from dataclasses import replace

import fakeredis
import pytest

from domain.audit.bundle import read
from domain.audit.stored import verify_stored
from domain.french_tarot.actions import Bid, Pass
from domain.game import aggregate, history, seating, timeouts
from domain.game.durations import HOUR, MINUTE, SECOND, instant, moment
from domain.log import chain
from domain.log.record import visible
from domain.registry import RULESETS
from domain.symmetries import Mask
from service.games.projections import representations
from tests.service.deal_sets.days import DAY_ONE, Days, opened
from tests.support.bundles import judged, noted, text_of
from tests.support.deal_sets import OPENS, bundle_of, sealed_set
from tests.support.timed_games import clock
from tests.web.verifier import fault_of, verdicts
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
        whole = read(text)
        assert judged(whole).fault is None
        again = [*repeating.repeated({"events": whole.events, "head": whole.events[-1]["hash"]}, process)]
        assert len(again) >= seats
        assert {each.fault for each in again} == {""}


def bid_by_a_player(bid):
    del bid["bot"], bid["sealed"][chain.THOUGHT], bid["salts"][chain.THOUGHT]


@pytest.mark.parametrize(
    ("place", "change", "field"),
    [
        (0, bid_by_a_player, "/bot"),
        (-1, bid_by_a_player, "/bot"),
        (-1, lambda bid: bid["bot"].update(name="random"), "/bot/name"),
    ],
    ids=["a player first", "a player last", "another bot"],
)
def test_a_bid_of_a_player_or_another_bot_is_found_and_named_by_both_verifiers(process, tmp_path, place, change, field):
    log, game = table_of(given(4), 1, "gm_1", process)
    honest = read(bundle_of(log, game, closed=True))
    bid = [event for event in honest.events if event["type"] in {"bid_made", "passed"}][place]
    change(bid)
    head = chain.GENESIS
    for event in honest.events:
        head = event["hash"] = chain.link(head, chain.sealed_form(event))
    lie = replace(honest, header={**honest.header, "head": head})
    fault = judged(lie).fault
    assert fault is not None
    assert (fault.version, fault.field) == (bid["version"], field)
    assert fault_of(verdicts(tmp_path, {"lie": text_of(lie)})["lie"]) == (bid["version"], field)


def test_who_bids_is_in_the_log(process):
    one = given(4)
    log, game = table_of(one, 1, "gm_1", process)
    bids = [each for each in log if each.type in {"bid_made", "passed"}]
    assert {each.bot["name"] for each in bids} == {"greedy"}
    shown = visible(log[0], game.secrets, 0, everything=False)
    assert shown["data"]["deal"]["auction"] == "greedy"


def test_the_clocks_of_players_begin_after_the_bots_have_bid():
    one, ruleset = given(4), RULESETS["french-tarot"]
    new = seating.NewGame(
        "gm_1", ruleset, ruleset.options.complete(one.created.options, 4), "private", sandbox=False, creator="tn_1",
        sitters=tuple(f"pl_{seat}" for seat in range(4)), deal=one.deal(1, ranked=True),
        clock=clock(bank="PT10M", increment="PT5S"),
    )  # fmt: skip
    log, game = history.record(None, seating.create(new, b"g" * 32), OPENS, "c")
    now, full, bids = instant(OPENS), (10 * MINUTE,) * 4, iter([Bid("petite"), Pass(), Pass(), Pass()])
    while game.bidder:
        assert (game.times.banks, game.times.until, timeouts.late_seat(game, now)) == (full, {}, None)
        (seat,) = game.waiting_for
        now, bid, by = now + HOUR, next(bids), noted(game, seat, "greedy")
        away = replace(game, times=replace(game.times, absent=frozenset({seat})))
        assert history.record(away, aggregate.act(away, seat, bid), moment(now), "r", by=by)[1].times.absent == {seat}
        more, game = history.record(game, aggregate.act(game, seat, bid), moment(now), f"r{game.version}", by=by)
        log += more
    (taker,) = game.waiting_for
    assert (game.times.banks, game.deadlines) == (full, {taker: now + 10 * MINUTE})
    assert history.fold(log) == game
    step = aggregate.act(game, taker, ruleset.legal_actions(game.state, taker)[0])
    _, game = history.record(game, step, moment(now + MINUTE), "m")
    assert game.times.banks[taker] == 9 * MINUTE + 5 * SECOND


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
