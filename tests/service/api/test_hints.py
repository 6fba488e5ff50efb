"""Hints and analyses: who can ask, what the workers answer, and what is kept."""

import math
import random
from dataclasses import replace

import fakeredis
import orjson
import pytest

from service.accounts.players import Caller
from service.bots import ADVISER, BOTS, RANDOM, Bot, adviser_of
from service.games.advice.advising import AGAIN_MS, turns_of
from service.games.advice.question_store import (
    ANALYSIS,
    HINT,
    MOST_HINTS,
    MOST_QUESTIONS,
    PREFIX,
    QuestionStore,
    job_of,
)
from service.games.projections import representations
from service.jobs.fair_queue import FairQueue
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.game_index import Priority, Rank
from tests.support.other_worlds import in_another_world
from tests.support.people import Server, assert_limited
from tests.support.random_games import played, up_to_the_middle
from tests.support.wiring import Games
from workers.adviser import STUDIES, Adviser
from workers.advising import advised
from workers.analysing import decisions
from workers.bots.policy import Estimate, Reason, Thought
from workers.dispatcher import Dispatcher
from workers.policy_process import PolicyFailed

ELSEWHERE = {"REMOTE_ADDR": "192.0.2.9"}


def listed_in(view):
    """The legal actions that a view lists, the last one first."""
    return (view["legal_actions"]["actions"] or [])[::-1]


class Oracle:
    """Stands for a bot: it prefers the last legal action, by as many points as there are; and notes what it saw."""

    def __init__(self):
        self.views, self.also = [], []

    def explain(self, policy, view, seed, playouts, also=None):
        """Value each listed action by its place in the list."""
        self.views.append((orjson.loads(orjson.dumps(view)), seed))
        self.also.append(also)
        listed = listed_in(view) or [also]
        estimates = tuple(Estimate(each, float(-n), 0.25, float(n), 0.5) for n, each in enumerate(listed))
        return Thought(listed[0], playouts, estimates, "points", Reason("reason.ahead.points", {"points": "1.0"}))


class Mute:
    """Stands for a bot that never answers."""

    def explain(self, *_, **__):
        """Fail."""
        raise PolicyFailed("hung", "no answer")


class Answering:
    """Stands for the bot of a package, which may answer anything: here, a given thought."""

    def __init__(self, thought):
        self.thought = thought

    def explain(self, *_, **__):
        """Return the thought."""
        return self.thought


def choices_are_listed(game):
    """Tell whether a seat has to act, and its view lists all it may do; with very many choices, it states a form."""
    return bool(game.pending) and bool(listed_in(representations.view(game, min(game.pending))))


def workers_of(server, explainer, is_urgent=bool):
    """The adviser as a worker process has it, and a function that handles all that waits in the change feed."""
    adviser = Adviser(Games(server.store).repository, QuestionStore(server.store), explainer, is_urgent)
    feed = ChangeFeed(server.redis, 16, DISPATCHERS, "test")
    feed.join()

    def work(turns=100):
        """Handle what is asked, up to so many turns; return how many it took."""
        for turn in range(turns):
            asked = {change.game_id for change in feed.read(1) if change.game_id.startswith(PREFIX)}
            if not asked:
                return turn
            for job in asked:
                adviser.answer(job)
        return turns

    return work


@pytest.fixture
def oracle():
    return Oracle()


@pytest.fixture
def work(server, oracle):
    return workers_of(server, oracle)


def test_a_hint_is_given_where_bots_hold_all_other_seats_and_nowhere_else_in_play(ada, bob, work):
    paths = []
    for other in ({"bot": "random"}, {"player": bob.id}):
        made = ada.post("/v1/games", {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}).json
        if "bot" in other:
            ada.ask("PUT", f"/v1/games/{made['id']}/seats/1", other)
        else:
            bob.post(f"/v1/games/{made['id']}/seats")
        paths.append(f"/v1/games/{made['id']}/hints")
    answers = [ada.post(path, {}) for path in paths]
    assert [each.json.get("code") for each in answers] in (
        ["unanswered", "game-not-over"],
        ["no-decision", "game-not-over"],
    )


def test_a_hint_in_a_sandbox_is_for_the_seat_to_act_and_changes_nothing(server, sandbox, ada, work, oracle):
    before = server.contents()
    first = ada.post(f"{sandbox.path}/hints", {})
    assert (first.status_code, first.json["code"]) == (503, "unanswered")
    assert int(first.headers["Retry-After"]) > 0
    work()
    hint = ada.post(f"{sandbox.path}/hints?lang=fr", {}).json
    view = ada.get(f"{sandbox.path}/view").json
    assert (hint["version"], hint["seat"]) == (view["version"], view["viewer"]["seat"])
    assert hint["bot"]["name"] == ADVISER
    listed = view["legal_actions"]["actions"]
    assert [each["action"] for each in hint["weighed"]] == listed[::-1][:20]
    assert [each["behind"] for each in hint["weighed"]][:3] == [0, 1000, 2000]
    assert hint["weighed"][0]["error"] == 250
    assert hint["reason"]["text"] == "Environ 1,0 points de mieux que le coup suivant"
    assert hint["weighed"][0]["says"]
    ((seen, _),) = oracle.views
    assert seen["state"] == view["state"]
    assert ada.get(f"{sandbox.path}/view").json == view
    after = server.contents()
    written = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    assert all(key.endswith((b":hints", b":changes")) or b"rate" in key for key in written), written


def test_the_same_question_is_worked_out_once(server, sandbox, ada, work, oracle):
    for _ in range(3):
        ada.post(f"{sandbox.path}/hints", {})
    work()
    answers = [ada.post(f"{sandbox.path}/hints", {}).json for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(oracle.views) == 1


def test_a_question_that_was_lost_is_put_again_after_a_while(server, sandbox, ada, monkeypatch, oracle):
    ada.post(f"{sandbox.path}/hints", {})
    workers_of(server, Mute())()
    work = workers_of(server, oracle)
    ada.post(f"{sandbox.path}/hints", {})
    assert work() == 0, "the first may still be under way"
    monkeypatch.setattr("service.games.advice.advising.AGAIN_MS", -1)
    ada.post(f"{sandbox.path}/hints", {})
    work()
    assert ada.post(f"{sandbox.path}/hints", {}).status_code == 200
    assert AGAIN_MS > 10_000


def test_a_game_that_another_process_has_ended_is_over_here_too(server, contract, closing, ada, bob):
    table = server.table([ada, bob], ruleset="plateau")
    elsewhere, begun = Server(server.redis, contract), table.version
    to_act = ada.get(table.path).json["waiting_for"][0]
    resigned = elsewhere.stranger(bob.token).post(f"{table.path}/resign", {"confirm": True})
    assert resigned.status_code == 201
    assert ada.post(f"{table.path}/analysis", {}).status_code == 202
    asked = ada.post(f"{table.path}/hints?as={to_act}&at={begun}", {})
    assert asked.json["code"] == "unanswered"  # there is no worker; refused, it would be "game-not-over"
    closing.submit(elsewhere.players.close)


def test_in_a_game_that_is_over_anyone_asks_about_any_decision(server, ada, finished, work, oracle):
    steps = played("le-plateau", 3, 0)
    games = [step.game for step in steps if step.game.pending and step.game.state.phase == "play"]
    game = games[len(games) // 2]
    (seat,) = game.pending
    path = f"{finished.path}/hints?at={game.version}"
    assert ada.post(path, {}).status_code == 503
    work()
    hint = ada.post(path, {}).json
    assert (hint["seat"], hint["version"]) == (seat, game.version)
    idle = next(each for each in range(3) if each not in game.pending)
    refused = ada.post(f"{path}&as={idle}", {})
    assert (refused.status_code, refused.json["code"]) == (409, "no-decision")
    assert ada.post(f"{finished.path}/hints?at=100000", {}).json["code"] == "game-went-back"


@pytest.mark.parametrize("ruleset_id", ["french-tarot", "le-plateau", "plateau", "plute"])
def test_a_hint_is_the_same_whatever_the_others_hold(ruleset_id, contract):
    seats, seen = {"plateau": 2, "plute": 6}.get(ruleset_id, 4), []
    steps = up_to_the_middle(ruleset_id, seats)
    while not choices_are_listed(steps[-1].game):
        steps = steps[:-1]
    game = steps[-1].game
    seat = min(game.pending)
    world = game.ruleset.sample(game.options, seat, game.ruleset.project(game.state, seat), random.Random(2))
    for told_steps in (steps, in_another_world(ruleset_id, steps, world)):
        oracle = Oracle()
        server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract)
        table, questions = server.table_of_log(told_steps), QuestionStore(server.store)
        questions.put(table.id, f"{game.version} {seat}", Priority(Rank.SPARE))
        workers_of(server, oracle)()
        seen.append((oracle.views, questions.hint(table.id, f"{game.version} {seat}")))
        server.players.close()
    assert seen[0] == seen[1]
    assert seen[0][1]


def moments(table, number=3):
    """Return some versions at which seat 0 of a game has a decision."""
    steps = played("le-plateau", 3, 0)
    return [step.game.version for step in steps if 0 in step.game.pending][:number]


def test_the_analysis_of_a_long_game_counts_for_several(server, ada, monkeypatch):
    long, short = (server.table_of_log(played("plute", 6, seed)) for seed in (1, 2))
    monkeypatch.setattr("service.games.advice.advising._EVENTS_OF_AN_ANALYSIS", ada.get(long.path).json["version"] // 5)
    server.keep_limits(analyses=6)
    assert ada.post(f"{long.path}/analysis", {}).status_code == 202
    assert_limited(ada.post(f"{short.path}/analysis", {}), "analyses")


def test_eighty_guests_of_one_address_delay_a_hint_for_another_by_one_turn(server):
    """Guests cost nothing, so the workers give each address its turn, and not each guest."""
    queue, feed = FairQueue(server.redis), ChangeFeed(server.redis, 16, DISPATCHERS, "test")
    feed.join()
    dispatcher = Dispatcher(feed, queue)
    advising, guests = server.app.extensions["plateau"].advising, [Caller(f"pl_{n}", frozenset()) for n in range(81)]
    games = [replace(step.game, id=f"gm_{n}") for n, step in enumerate([played("plute", 6, 1)[9]] * 81)]
    for n, (guest, game) in enumerate(zip(guests, games, strict=True)):
        advising.hint(game, 0, guest, "192.0.2.1" if n < 80 else "192.0.2.2")
    dispatcher.handle(feed.read(200))
    taken = [queue.take()[0] for _ in range(81)]
    assert taken.index(job_of(HINT, "gm_80")) <= 1


def test_the_guests_of_one_address_leave_places_for_questions_about_a_game(server, finished):
    versions = moments(finished, MOST_QUESTIONS)
    for n, version in enumerate(versions[:-1]):
        answer = server.newcomer(f"Guest {n}").post(f"{finished.path}/hints?as=0&at={version}", {})
        assert (answer.status_code, answer.json["code"]) == (503, "unanswered")
    waiting = server.redis.hlen(server.store.all_shards.keys_of(finished.id).questions)
    assert waiting == MOST_QUESTIONS // 2
    path = f"{finished.path}/hints?as=0&at={versions[-1]}"
    server.newcomer("Ada").ask("POST", path, {}, environ_base=ELSEWHERE)
    assert server.redis.hlen(server.store.all_shards.keys_of(finished.id).questions) == waiting + 1


def test_what_waits_and_what_is_kept_is_bounded(server):
    questions, *turns = QuestionStore(server.store), *(Priority(Rank.SPARE, (owner,)) for owner in "abc")
    for n in range(MOST_QUESTIONS):
        assert questions.has_room("gm_x", f"{n} 0", turns[n % 2])
        questions.put("gm_x", f"{n} 0", turns[n % 2])
    assert not questions.has_room("gm_x", "99 0", turns[2])
    assert questions.has_room("gm_x", "0 0", turns[2]), "it waits already"
    game = server.store.all_shards.keys_of("gm_x")
    for n in range(MOST_HINTS):
        questions.keep_hint("gm_x", f"{n} 0", b"?1")
        questions.keep_hint("gm_x", f"{n} 0", b"{}")
    assert server.redis.hlen(game.hints) == MOST_HINTS, "the answer to a question takes the place of its mark"
    questions.keep_hint("gm_x", f"{MOST_HINTS} 0", b"?1")
    questions.keep_study(ANALYSIS, "gm_x", {"0": b"null"})
    assert server.redis.hlen(game.hints) == 1
    assert all(0 < server.redis.pttl(key) <= 24 * 3600 * 1000 for key in (game.questions, game.hints, game.analysis))


def test_where_too_much_waits_hints_are_refused_and_an_analysis_continues(server, ada, sandbox, finished, oracle):
    server.keep_limits(hints=1)
    questions, free = QuestionStore(server.store), Priority(Rank.SPARE)
    for table in (sandbox, finished):
        for n in range(MOST_QUESTIONS):
            questions.put(table.id, f"{n} 0", free)
    refused = ada.post(f"{sandbox.path}/hints", {})
    assert (refused.status_code, refused.json["code"]) == (503, "unanswered")
    questions.take(sandbox.id)
    assert ada.post(f"{sandbox.path}/hints", {}).status_code == 503, "it is asked now, and counts only now"
    work = workers_of(server, oracle)
    assert ada.post(f"{finished.path}/analysis", {}).status_code == 202
    server.redis.delete(server.store.all_shards.keys_of(finished.id).questions)
    work()
    assert ada.post(f"{sandbox.path}/hints", {}).status_code == 200
    found = ada.get(f"{finished.path}/analysis").json
    assert found["done"] == found["all"]


def calls(feed):
    """Read which work workers are called to beside turns, and at which rank for whom."""
    return {(each.game_id, each.work) for each in feed.read(1) if each.game_id.startswith(PREFIX)}


def test_a_job_answers_one_question_and_calls_for_the_next_at_its_own_rank(server, sandbox, ada):
    feed = ChangeFeed(server.redis, 16, DISPATCHERS, "test")
    feed.join()
    questions = QuestionStore(server.store)
    for n, player in enumerate(("pl_a", "pl_b")):
        questions.put(sandbox.id, f"{n} 0", Priority(Rank.SPARE, (player,)))
    questions.queue(ANALYSIS, sandbox.id, Priority(Rank.ALONE, ("pl_c",)))
    job = job_of(HINT, sandbox.id)
    assert calls(feed) == {(job, "spare pl_a"), (job, "spare pl_b"), (job_of(ANALYSIS, sandbox.id), "bot pl_c")}
    assert questions.take(sandbox.id) == "0 0"
    assert calls(feed) == {(job, "spare pl_b")}
    assert [questions.take(sandbox.id), questions.take(sandbox.id)] == ["1 0", None]


def test_an_analysis_takes_the_turns_of_the_address_from_which_it_was_asked_for(server, ada, bob, finished, oracle):
    adviser = Adviser(Games(server.store).repository, QuestionStore(server.store), oracle, lambda: True)
    feed = ChangeFeed(server.redis, 16, DISPATCHERS, "test")
    feed.join()
    bob.post(f"{finished.path}/analysis", {})
    called = {(job_of(ANALYSIS, finished.id), f"bot {turns_of('127.0.0.1', bob)}")}
    assert calls(feed) == called
    assert adviser.answer(job_of(ANALYSIS, finished.id))
    assert calls(feed) == called


def test_two_analyses_that_alternate_look_for_the_decisions_of_each_game_once(
    server, ada, finished, oracle, monkeypatch
):
    begun = []
    study = STUDIES[ANALYSIS]._replace(parts=lambda records: begun.append(len(records)) or decisions(records))
    monkeypatch.setitem(STUDIES, ANALYSIS, study)
    other = server.table_of_log(played("plute", 6, 1))
    adviser = Adviser(Games(server.store).repository, QuestionStore(server.store), oracle, lambda: True)
    jobs = {table.id: job_of(ANALYSIS, table.id) for table in (finished, other)}
    for table in (finished, other):
        ada.post(f"{table.path}/analysis", {})
    while jobs:
        jobs = {game: job for game, job in jobs.items() if adviser.answer(job)}
    assert len(begun) == 2
    for table in (finished, other):
        found = ada.get(f"{table.path}/analysis").json
        assert found["done"] == found["all"] > 20


GOOD, BEST = {"type": "pass"}, Estimate({"type": "pass"}, 1.0, 0.1)


@pytest.mark.parametrize(
    "thought",
    [
        Thought("pass", 1, (BEST,), "points"),
        Thought({"type": "claim"}, 1, (BEST,), "points"),
        Thought(GOOD, 1, (BEST, Estimate({"type": "bid"}, 1.0, 0.1)), "points"),
        Thought(GOOD, 1, (BEST,), "luck"),
        *(Thought(GOOD, 1, (Estimate(GOOD, number, 0.1),), "points") for number in (None, "1", True, 1e300, math.nan)),
    ],
)
def test_what_a_bot_answers_is_checked_before_it_is_told(thought):
    game = next(step.game for step in played("plute", 6, 1) if step.game.pending)
    seat = min(game.pending)
    good = replace(thought, action=GOOD, estimates=(BEST,), measure="points")
    assert advised(game, seat, ADVISER, Answering(good)) == good
    with pytest.raises(PolicyFailed):
        advised(game, seat, ADVISER, Answering(thought))


def test_a_ruleset_that_no_bot_can_explain_gets_a_clear_answer(server, ada, sandbox, monkeypatch):
    for name in [name for name in BOTS if name != RANDOM]:
        monkeypatch.delitem(BOTS, name)
    refused = ada.post(f"{sandbox.path}/hints", {})
    assert (refused.status_code, refused.json["code"]) == (422, "unsupported")


def test_the_strongest_bot_of_a_package_advises_where_no_searcher_plays(monkeypatch):
    assert {adviser_of(each) for each in BOTS[ADVISER].rulesets} == {ADVISER}
    assert adviser_of("no-such-game") is None
    monkeypatch.setitem(BOTS, "no-such-game.careful", Bot("", "x:y", frozenset({"no-such-game"})))
    assert adviser_of("no-such-game") == "no-such-game.careful"


def test_an_analysis_lists_the_moves_that_cost_most_and_shows_how_far_it_is(server, ada, stranger, finished, oracle):
    path = f"{finished.path}/analysis"
    assert stranger.get(path).json["code"] == "no-analysis"
    begun = ada.post(path, {}).json
    assert (begun["done"], begun["all"], begun["moves"]) == (0, None, [])
    studied = [*decisions([record for step in played("le-plateau", 3, 0) for record in step.records])]
    work = workers_of(server, oracle, is_urgent=lambda: True)
    assert work(turns=2) == 2
    assert stranger.get(path).json["all"] is None, "while a player waits, the decisions are looked for one at a time"
    assert work(turns=len(studied) + 1) == len(studied) + 1
    half = stranger.get(path).json
    assert (half["done"], half["all"]) == (3, len(studied))
    workers_of(server, oracle)()
    assert ada.post(path, {}).status_code == 202
    workers_of(server, oracle)()
    done = stranger.get(f"{path}?limit=100").json
    assert done["done"] == done["all"] == len(oracle.views), "each decision was studied once, also after the break"
    assert oracle.also == [each.played for each in studied]
    listed = [listed_in(view) or [also] for (view, _), also in zip(oracle.views, oracle.also, strict=True)]
    costs = {
        each.game.version + 1: 1000 * legal.index(each.played) for each, legal in zip(studied, listed, strict=True)
    }
    dearest = done["moves"][0]
    assert [move["cost"] for move in done["moves"]] == sorted((c for c in costs.values() if c), reverse=True)[:100]
    assert (costs[dearest["version"]], dearest["error"]) == (dearest["cost"], 500)
    assert dearest["played_says"] != dearest["best_says"]
    of_one = stranger.get(f"{path}?limit=100&as=1&lang=ja").json["moves"]
    assert {move["seat"] for move in of_one} == {1}
    views = len(oracle.views)
    ada.post(path, {})
    workers_of(server, oracle)()
    assert len(oracle.views) == views, "nothing is done again"


def test_a_decision_at_which_the_bot_fails_is_tried_again_when_asked_for(server, ada, finished, oracle):
    ada.post(f"{finished.path}/analysis", {})
    workers_of(server, Mute())()
    stopped = ada.get(f"{finished.path}/analysis").json
    assert (stopped["failed"], stopped["done"], stopped["moves"]) == (stopped["all"], 0, [])
    assert ada.post(f"{finished.path}/analysis", {}).status_code == 202
    workers_of(server, oracle)()
    done = ada.get(f"{finished.path}/analysis").json
    assert (done["failed"], done["done"], done["searched"]) == (0, done["all"], done["all"])


def test_what_was_decided_for_a_late_player_or_repeated_is_no_decision(server, ada, finished):
    records = [record for step in played("le-plateau", 3, 0) for record in step.records]
    found = [*decisions(records)]
    first = found[0].game.version
    acting = next(record for record in records if record.version == first + 1)
    late = replace(acting, type="turn_timed_out", data={"by": "bot", "bot": "random"}, version=first)
    assert next(decisions([*records[:first], late, *records[first:]])).game.version > first + 1
    fork = ada.post(f"{finished.path}/forks", {"at": found[5].game.version}).json
    assert [*decisions(Games(server.store).repository.records(Games(server.store).current(fork["id"])))] == []
