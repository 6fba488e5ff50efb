"""Luck and play apart: what a deal was worth to each seat, worked out by the workers, and again by anyone."""

import hmac
from statistics import mean

import orjson
import pytest
from click.testing import CliRunner

from domain.game import luck
from domain.log.chain import canonical
from domain.log.secrets import of_deals
from service.bots import BOTS, RANDOM, REPLAYER
from service.cli.main import main
from service.games.advice.question_store import LUCK, QuestionStore, job_of
from tests.support.people import assert_limited
from tests.support.random_games import log_of, played
from tests.support.wiring import Games
from workers.adviser import Adviser
from workers.bots import novice, replays
from workers.policy_process import PolicyFailed, PolicyProcess

PLUTE = played("plute", 6, 2)


class Mute:
    """Stands for a bot that never ends a deal."""

    def replay(self, *_):
        """Fail."""
        raise PolicyFailed("hung", "no answer")


def work(server, table, process):
    """Do all the work of a worker on the luck of a game."""
    adviser = Adviser(Games(server.store).repository, QuestionStore(server.store), process)
    while adviser.answer(job_of(LUCK, table.id)):
        pass


@pytest.fixture
def process():
    process = PolicyProcess(60)
    yield process
    process.stop()


@pytest.fixture
def table(server):
    return server.table_of_log(PLUTE)


def seed_of(audit, deal, replay):
    """Derive the seed of a replay as docs/bots.md says."""
    secret = of_deals(bytes.fromhex(audit["events"][0]["data"]["secret"]), audit["game_id"]).of(deal)
    message = canonical(["luck", audit["game_id"], deal, replay, REPLAYER, BOTS[REPLAYER].version])
    return int.from_bytes(hmac.digest(secret, message, "sha256")[:4], "big")


def test_the_workers_replay_every_deal_and_anyone_finds_the_same(server, ada, table, process, tmp_path):
    begun = ada.get(f"{table.path}/luck")
    assert (begun.status_code, begun.json["deals"]) == (202, [])
    assert int(begun.headers["Retry-After"]) > 0
    work(server, table, process)
    done = ada.get(f"{table.path}/luck")
    assert done.status_code == 200
    assert [deal["score"] for deal in done.json["deals"]] == [[*deal.scores] for deal in luck.deals(log_of(PLUTE))]
    assert (done.json["bot"], done.json["replays"]) == (REPLAYER, luck.REPLAYS)

    audit = ada.get(f"{table.path}/export?format=audit").json
    deal = next(each for each in audit["events"] if each["type"] == "hand_dealt")
    following = audit["events"][deal["version"]]
    told = {
        "ruleset": "plute",
        "options": audit["events"][0]["data"]["options"],
        "seats": 6,
        "events": [[each["type"], each["data"]] for each in (deal, following)],
    }
    seeds = [seed_of(audit, 1, replay) for replay in range(1, luck.REPLAYS + 1)]
    scores = [replays.replayed(novice.think, told, seed, 0, 200) for seed in seeds]
    baseline = [round(1000 * mean(seat)) for seat in zip(*scores, strict=True)]
    assert done.json["deals"][0]["baseline"] == baseline
    assert len({*scores}) > 1, "the seeds matter"

    file = tmp_path / "game.json"
    file.write_bytes(orjson.dumps(audit))
    shown = CliRunner().invoke(main, ["luck", str(file)])
    assert shown.exit_code == 0, shown.output
    assert shown.output.count("Deal ") == len(done.json["deals"])
    assert f"{baseline[0] / 1000:>+8.1f} deal" in shown.output
    assert job_of(LUCK, table.id) not in str(server.redis.xrange("changes")), "nothing is left to do"


def test_luck_counts_once_and_a_job_that_was_lost_is_put_again(server, ada, table, process, monkeypatch):
    server.keep_limits(analyses=1)
    for _ in range(3):
        assert ada.get(f"{table.path}/luck").status_code == 202
    keys = server.store.all_shards.keys_of(table.id)
    called = server.redis.xlen(keys.shard.changes)
    assert 0 < server.redis.pttl(keys.luck) <= 24 * 3600 * 1000
    monkeypatch.setattr("service.games.advice.advising.AGAIN_MS", -1)
    assert ada.get(f"{table.path}/luck").status_code == 202
    assert server.redis.xlen(keys.shard.changes) == called + 1
    other = server.table_of_log(played("plute", 6, 3))
    assert_limited(ada.get(f"{other.path}/luck"), "analyses")


def test_deals_at_which_the_bot_fails_are_left_out(server, ada, table):
    ada.get(f"{table.path}/luck")
    work(server, table, Mute())
    answer = ada.get(f"{table.path}/luck")
    assert (answer.status_code, answer.json["deals"]) == (200, [])


def test_luck_is_of_games_that_are_over_and_have_deals_and_bots(server, ada, bob, table, monkeypatch):
    running = server.table([ada, bob], ruleset="plateau")
    assert ada.get(f"{running.path}/luck").json["code"] == "game-not-over"
    ada.post(f"{running.path}/resign", {"confirm": True})
    assert (ada.get(f"{running.path}/luck").status_code, ada.get(f"{running.path}/luck").json["code"]) == (
        422,
        "unsupported",
    )
    for name in [name for name in BOTS if name != RANDOM]:
        monkeypatch.delitem(BOTS, name)
    assert ada.get(f"{table.path}/luck").json["code"] == "unsupported"
