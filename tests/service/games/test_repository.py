"""The games that a process remembers: bounded, never older than known, no reason to refuse what others made right.

The desk: nothing is committed for a caller whom the command itself does not admit.
How games stand in the line for workers: on whose account, and how urgent; and what of it is written.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import redis

from domain.game import aggregate, history, seating, timeouts
from domain.game.aggregate import Game
from domain.game.durations import HOUR, SECOND
from domain.le_plateau.actions import Pass
from service.accounts.players import Caller
from service.common.errors import AtVersion, Forbidden
from service.games import repository
from service.games.commands import Act, ClaimTimeout, Command, Join, Leave, Propose, PutBot, Resign, Vote
from service.games.commit import priority_of
from service.games.repository import GameCache
from service.store.event_store import Append, EventStore
from service.store.game_index import Priority, Rank, read_priority
from service.store.redis.connections import connect
from tests.support.games import ADA, BOB, body, choose, order, play_on, sandbox, spec, wish
from tests.support.random_games import played
from tests.support.stores import empty_store
from tests.support.timed_games import Played, clock
from tests.support.wiring import Games, games_on

STEPS = played("le-plateau", 3, 1)
CLEO = Caller("pl_cleo", ADA.scopes)


def game(name: str, version: int = 1) -> Game:
    return replace(STEPS[0].game, id=name, version=version)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> GameCache:
    """A cache for ten events."""
    monkeypatch.setattr(repository, "_MOST_EVENTS", 10)
    return GameCache()


def found(games: GameCache, names: str) -> str:
    return "".join(name for name in names if name in games._games)


def test_the_game_used_least_recently_goes_first(small: GameCache) -> None:
    for name in "abc":
        small.keep(game(name, version=3))
    small.find("a")
    small.keep(game("d", version=3))
    assert found(small, "abcd") == "acd"
    small.keep(game("c", version=4))
    small.keep(game("e", version=4))
    assert found(small, "abcde") == "ce"


def test_a_game_that_grew_pushes_others_out(small: GameCache) -> None:
    for name in "abc":
        small.keep(game(name, version=3))
    small.keep(game("c", version=5))
    assert found(small, "abc") == "bc"


def test_a_game_longer_than_the_bound_is_kept_alone(small: GameCache) -> None:
    small.keep(game("a", version=3))
    small.keep(game("b", version=500))
    assert found(small, "ab") == "b"
    small.keep(game("c", version=3))
    assert found(small, "abc") == "c"


def test_a_cache_never_grows_beyond_its_bound(small: GameCache) -> None:
    rng = random.Random(0)
    for _ in range(1_000):
        name = rng.choice("abcdefgh")
        rng.choice((lambda name: small.keep(game(name, rng.randrange(1, 9))), small.find, small.drop))(name)
        assert sum(kept.game.version for kept in small._games.values()) <= 10
    assert small._games


def test_looking_for_what_is_not_there_keeps_nothing(small: GameCache) -> None:
    assert small.find("a") is None
    assert found(small, "a") == ""


def test_a_cache_never_goes_back_to_an_older_version(small: GameCache) -> None:
    newer, older = game("a", version=5), game("a", version=4)
    small.keep(newer)
    small.keep(older)
    assert small.find("a") is newer
    small.keep(game("a", version=5))
    assert small.find("a") is newer


def test_a_dropped_game_may_come_back_at_any_version(small: GameCache) -> None:
    small.keep(game("a", version=5))
    small.drop("a")
    small.drop("a")
    assert small.find("a") is None
    small.keep(game("a", version=2))
    assert small.find("a") == game("a", version=2)


def test_threads_that_keep_versions_in_any_order_leave_the_newest() -> None:
    games = GameCache()
    versions = list(range(1, 400)) * 3
    random.Random(0).shuffle(versions)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda version: games.keep(game("ab"[version % 2], version)), versions))
    assert (games.find("a").version, games.find("b").version) == (398, 399)


# -- in the use cases ---------------------------------------------------------------------------------------------


client = pytest.fixture(params=["memory", "valkey"])(empty_store)


@pytest.fixture
def here(client: redis.Redis) -> Games:
    return games_on(client)


@pytest.fixture
def elsewhere(client: redis.Redis) -> Games:
    """Another process on the same store."""
    return games_on(client)


def test_games_that_fell_out_of_the_cache_continue(client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "_MOST_EVENTS", 30)
    games, rng = games_on(client), random.Random(1)
    game_ids = [sandbox(games) for _ in range(5)]
    for number in range(40):
        play_on(games, game_ids[number % 5], rng)
    assert len(games.repository._cache._games) < 5
    for game_id in game_ids:
        assert games.show(game_id, None) == history.fold(EventStore(client).read(game_id))


def test_what_is_known_part_by_part_equals_the_whole_log_folded_at_once(here: Games, elsewhere: Games, client) -> None:
    game_id, rng = sandbox(here), random.Random(2)
    while not here.show(game_id, None).is_over:
        play_on(rng.choice((here, elsewhere)), game_id, rng)
        assert here.show(game_id, None) == history.fold(EventStore(client).read(game_id))


def test_an_action_is_not_refused_because_the_start_happened_elsewhere(here: Games, elsewhere: Games) -> None:
    game_id = here.create(ADA, spec([True, False], sandbox=False), None)[0]
    elsewhere.join(game_id, BOB, wish())
    game, _ = elsewhere.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(3))
    answer = here.act(game_id, (ADA, BOB)[seat], order(action))
    assert (answer.status, body(answer)["seat"]) == (201, seat)


def test_an_action_is_not_refused_because_the_seat_was_taken_elsewhere(here: Games, elsewhere: Games) -> None:
    game_id = here.create(ADA, spec([False, False, True], sandbox=False), None)[0]
    elsewhere.join(game_id, BOB, wish())
    assert here.repository.cached(game_id).seats_of(BOB.player) == ()
    with pytest.raises(AtVersion) as refusal:
        here.act(game_id, BOB, order(None))
    assert refusal.value.refusal.code == "game-not-active"
    here.leave(game_id, BOB, 0)


def test_an_action_is_not_refused_because_the_turn_came_elsewhere(here: Games, elsewhere: Games) -> None:
    game_id, rng = sandbox(here, seats=3), random.Random(4)
    for _ in range(20):
        play_on(elsewhere, game_id, rng)
        game, _ = elsewhere.look(game_id, ADA, None, None)
        seat, action = choose(game, rng)
        assert here.act(game_id, ADA, order(action, seat=seat, version=game.version)).status == 201


def test_a_seat_that_was_freed_elsewhere_can_be_taken(here: Games, elsewhere: Games) -> None:
    game_id = here.create(ADA, spec([True, False, False], sandbox=False), None)[0]
    here.join(game_id, BOB, wish(1))
    elsewhere.leave(game_id, BOB, 1)
    assert body(here.join(game_id, CLEO, wish(1)))["seat"] == 1
    assert [s and s.player for s in elsewhere.show(game_id, None).sitters] == ["pl_ada", "pl_cleo", None]


def test_a_seat_that_was_left_elsewhere_gives_no_right_any_more(here: Games, elsewhere: Games) -> None:
    game_id = here.create(ADA, spec([True, False, False], sandbox=False), None)[0]
    here.join(game_id, BOB, wish(1))
    elsewhere.leave(game_id, BOB, 1)
    elsewhere.join(game_id, CLEO, wish(1))
    elsewhere.join(game_id, BOB, wish(2))
    game = elsewhere.show(game_id, None)
    seat, action = choose(game, random.Random(5))
    holder = (ADA, CLEO, BOB)[seat]
    with pytest.raises(Forbidden, match="the seat of player 2 is not yours"):
        here.act(game_id, BOB, order(action, seat=1))
    assert here.act(game_id, holder, order(action, seat=seat)).status == 201


def test_a_refusal_tells_the_version_of_the_log_and_not_of_the_cache(here: Games, elsewhere: Games) -> None:
    game_id = here.create(ADA, spec([True, False, False], sandbox=False), None)[0]
    elsewhere.join(game_id, BOB, wish())
    with pytest.raises(AtVersion) as refusal:
        here.act(game_id, ADA, order(None))
    assert refusal.value.refusal.code == "game-not-active"
    assert refusal.value.version == elsewhere.show(game_id, None).version == 3


def test_a_private_game_that_one_was_let_into_elsewhere_is_there(here: Games, elsewhere: Games, client) -> None:
    game_id = here.create(ADA, spec([True, False], sandbox=False, more={"visibility": "private"}))[0]
    known = here.show(game_id, ADA)
    step = seating.join(known, BOB.player, None, None)
    records, after = history.record(known, step, known.at, "rq_invited")
    EventStore(client).append(Append(game_id, known.version, records, known.head))
    seat, action = choose(after, random.Random(6))
    assert here.act(game_id, (ADA, BOB)[seat], order(action)).status == 201
    assert here.show(game_id, BOB).id == elsewhere.show(game_id, BOB).id == game_id


def test_what_was_just_committed_or_read_is_not_read_again_and_equals_the_log(
    here: Games, elsewhere: Games, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id, rng = sandbox(here), random.Random(6)
    play_on(here, game_id, rng)
    before = elsewhere.show(game_id, None).version
    play_on(here, game_id, rng)
    stored = EventStore(client).read(game_id)
    known = [(games, games.show(game_id, None)) for games in (here, elsewhere)]
    for games, _ in known:
        monkeypatch.setattr(games.repository, "store", None)
    for games, game in known:
        assert games.repository.records(game, before) == stored[before:]
        assert games.repository.records(game, before, 1) == stored[before : before + 1]
        assert games.repository.records(game, game.version) == []


def test_what_is_kept_of_a_log_is_bounded_and_is_never_that_of_another_version(here: Games, monkeypatch) -> None:
    monkeypatch.setattr(repository, "_MOST_TAILS", 2)
    game_ids, rng = [sandbox(here) for _ in range(4)], random.Random(7)
    for game_id in game_ids:
        play_on(here, game_id, rng)
        before = here.show(game_id, None)
        play_on(here, game_id, rng)
        stored = here.repository.store.read(game_id)
        assert here.reader.records(before, before.version - 1, 100) == stored[before.version - 1 : before.version]
    assert len(here.repository._tails._tails) == 2


WITHOUT_SCOPES = Caller(ADA.player, frozenset())


def commands(caller: Caller) -> list[Command]:
    return [
        Act(caller=caller, seat=0, action=None),
        Propose(caller=caller, seat=0, kind="pause"),
        Vote(caller=caller, seat=0, proposal="p1", accept=True),
        Resign(caller=caller, seat=0),
        ClaimTimeout(caller=caller, seat=0, now=0),
        Leave(caller=caller, seat=0),
        PutBot(now=0, caller=caller, seat=0, bot="random"),
    ]


def test_a_command_checks_its_caller_no_matter_who_opened_the_game(valkey_url: str) -> None:
    with connect(valkey_url) as client:
        games = games_on(client)
        game = games.show(sandbox(games), None)
        for command in (*commands(BOB), *commands(WITHOUT_SCOPES), Join(now=0, caller=WITHOUT_SCOPES)):
            with pytest.raises(Forbidden):
                games.desk.do(game, command)
        assert games.show(game.id, None) == game


def test_a_log_that_is_full_ends_its_game_whatever_fills_it(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregate, "MOST_EVENTS", 30)
    with connect(valkey_url) as client:
        games, rng = games_on(client), random.Random(1)
        played, joined = sandbox(games, seats=3), games.create(ADA, spec([True, False, False], sandbox=False))[0]
        while not games.show(played, None).is_over:
            play_on(games, played, rng)
        while not games.show(joined, None).is_over:
            games.join(joined, BOB, wish(1))
            if not games.show(joined, None).is_over:
                games.leave(joined, BOB, 1)
        for game_id in (played, joined):
            game = games.show(game_id, None)
            assert (game.status, game.aborted_because) == ("aborted", "endless")
            assert 30 < game.version < 30 + 40
            assert game == history.fold(games.repository.store.read(game_id))
            with pytest.raises(AtVersion) as refused:
                games.act(game_id, ADA, order(None))
            assert refused.value.refusal.code == "game-not-active"


RULE = clock(per_move="PT1M")


def test_work_can_be_done_on_the_account_of_each_player_who_waits_for_it():
    assert priority_of(Played(RULE).game) == Priority(Rank.URGENT, ("pl_b", "pl_c"))


def test_what_nobody_waits_for_is_on_the_creators_account_and_in_spare_time():
    sandbox = Played(RULE, "pl_b", "pl_b", "pl_b", sandbox=True).game
    assert priority_of(sandbox) == Priority(Rank.SPARE, ("pl_a",))


def test_a_table_that_all_have_left_is_seen_to_in_spare_time_until_one_is_back():
    played = Played(RULE)
    for hours in (1, 2, 3):
        (seat,) = played.game.pending
        played.then(hours * HOUR, timeouts.act_late(played.game, seat, "random", Pass()))
    assert priority_of(played.game) == Priority(Rank.SPARE, ("pl_a",))
    played.passes(3 * HOUR + SECOND)
    assert priority_of(played.game).rank == Rank.URGENT


def test_bots_alone_come_last_and_are_on_the_creators_account():
    bots = tuple((seat, "random") for seat in range(3))
    assert priority_of(Played(None, None, None, None, bots=bots).game) == Priority(Rank.ALONE, ("pl_a",))


@pytest.mark.parametrize(
    "each", [Priority(rank, owners) for rank in Rank for owners in ((), ("pl_a",), ("pl_a", "pl_b"))]
)
def test_a_priority_is_read_as_it_was_written(each):
    assert read_priority(str(each)) == each


def test_the_words_that_stand_in_stores_stay():
    assert [str(rank) for rank in Rank] == ["answer", "spare", "bot"]
    assert (read_priority("answer"), read_priority("bot")) == (Priority(Rank.URGENT), Priority(Rank.ALONE))
    assert (read_priority("spare "), read_priority("answer pl_x")) == (
        Priority(Rank.SPARE),
        Priority(Rank.URGENT, ("pl_x",)),
    )
