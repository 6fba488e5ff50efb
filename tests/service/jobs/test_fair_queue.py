"""The queue for workers, on every kind of store: urgent work first, owners in turn, each game once."""

import random
from collections import Counter

import pytest
import redis

from service.jobs.fair_queue import FairQueue, Job, Waiting
from service.store import keys
from service.store.game_index import Priority, Rank
from tests.support.stores import ON_SERVERS, empty_store

TURNS_FOR_OTHERS = 8


client = pytest.fixture(params=ON_SERVERS)(empty_store)


@pytest.fixture
def queue(client: redis.Redis) -> FairQueue:
    return FairQueue(client)


def jobs(owner: str, number: int, rank: Rank = Rank.URGENT) -> list[Job]:
    return [Job(f"{owner}-{rank}-{each:04}", each + 1, Priority(rank, (owner,))) for each in range(number)]


def taken(queue: FairQueue, most: int = 10_000) -> list[str]:
    """Take games out of the queue, and return their ids."""
    found = []
    while len(found) < most and (job := queue.take()) is not None:
        found.append(job[0])
    return found


def test_a_game_comes_out_once_with_its_version(queue: FairQueue) -> None:
    assert queue.put([Job("gm_1", 7), Job("gm_2", None)]) == Waiting(games=2, calls=0)
    assert sorted([queue.take(), queue.take()]) == [("gm_1", 7), ("gm_2", None)]
    assert queue.take() is None


def test_a_game_that_waits_is_not_added_again_and_is_seen_to_at_its_last_version(queue: FairQueue) -> None:
    for version in (7, 9, 8):
        assert queue.put([Job("gm_1", version)]).games == 1
    assert queue.take() == ("gm_1", 9)
    queue.put([Job("gm_1", None), Job("gm_1", 10)])
    assert queue.take() == ("gm_1", None)
    queue.put([Job("gm_1", 10), Job("gm_1", None)])
    assert queue.take() == ("gm_1", None)
    assert queue.waiting() == 0


def test_operators_see_how_many_games_wait_by_rank_and_how_many_calls(queue: FairQueue) -> None:
    assert queue.by_rank() == {Rank.URGENT: 0, Rank.SPARE: 0, Rank.ALONE: 0}
    queue.put([Job("gm_1", 7), Job("gm_2", 1, Priority(Rank.ALONE)), Job("gm_3", 1, Priority(Rank.ALONE))])
    assert queue.by_rank() == {Rank.URGENT: 1, Rank.SPARE: 0, Rank.ALONE: 2}
    assert (queue.waiting(), queue.calls()) == (3, 0)
    queue.take()
    assert queue.by_rank()[Rank.URGENT] == 0


def test_one_owners_thousand_games_let_one_go_first(queue: FairQueue) -> None:
    queue.put(jobs("eve", 1000))
    taken(queue, 100)
    queue.put(jobs("ada", 1))
    assert "ada-answer-0000" in taken(queue, 2)


def test_owners_take_turns_no_matter_who_came_first_and_with_however_many(queue: FairQueue) -> None:
    queue.put(jobs("eve", 100))
    queue.put(jobs("ada", 10))
    queue.put(jobs("bob", 10))
    first = Counter(game.partition("-")[0] for game in taken(queue, 30))
    assert first == {"ada": 10, "bob": 10, "eve": 10}


def test_who_comes_back_over_and_over_with_one_game_takes_no_more_than_their_turns(queue: FairQueue) -> None:
    queue.put(jobs("eve", 50))
    queue.put(jobs("bob", 1))
    seen = []
    for _ in range(20):
        seen += taken(queue, 1)
        if seen[-1].startswith("bob"):
            queue.put(jobs("bob", 1))
    assert Counter(game.partition("-")[0] for game in seen) == {"bob": 10, "eve": 10}


def shared(*owners: str) -> Job:
    return Job("gm_shared", 1, Priority(Rank.URGENT, owners))


@pytest.mark.parametrize("owners", [("eve", "bob"), ("bob", "eve")])
def test_a_game_of_two_owners_takes_the_earlier_turn(queue: FairQueue, owners: tuple[str, ...]) -> None:
    queue.put(jobs("eve", 300))
    queue.put([shared(*owners)])
    assert "gm_shared" in taken(queue, 2)


def test_a_game_of_two_owners_uses_up_a_turn_of_one_of_them(queue: FairQueue) -> None:
    queue.put(jobs("eve", 3))
    queue.put([shared("eve", "bob")])
    queue.put([*jobs("bob", 1), *jobs("ada", 1), *jobs("eve", 4)[3:]])
    order = taken(queue)
    assert {"gm_shared", "ada-answer-0000", "eve-answer-0000"} == set(order[:3])
    assert {"bob-answer-0000", "eve-answer-0001"} == set(order[3:5])
    assert order[5:] == ["eve-answer-0002", "eve-answer-0003"]


def test_a_game_moves_forward_when_a_player_with_an_earlier_turn_waits_too(queue: FairQueue) -> None:
    queue.put(jobs("eve", 300))
    queue.put([shared("eve")])
    assert queue.put([shared("eve", "bob")]).games == 301
    assert "gm_shared" in taken(queue, 2)
    assert "gm_shared" not in taken(queue)


def test_a_game_of_the_same_owner_keeps_its_place_when_it_is_added_again(queue: FairQueue) -> None:
    first, second = jobs("eve", 2)
    queue.put([first, second])
    queue.put([first])
    queue.put([second])
    assert taken(queue) == [first.game_id, second.game_id]


def test_what_players_wait_for_goes_before_sandboxes_and_these_before_bots_alone(queue: FairQueue) -> None:
    for rank in (Rank.ALONE, Rank.SPARE, Rank.URGENT):
        queue.put(jobs("eve", 2, rank))
    assert [game.split("-")[1] for game in taken(queue)] == ["answer", "answer", "spare", "spare", "bot", "bot"]


def test_of_every_few_turns_one_goes_to_a_less_urgent_rank(queue: FairQueue) -> None:
    for rank in Rank:
        queue.put(jobs("eve", 200, rank))
    share = Counter(game.split("-")[1] for game in taken(queue, 8 * TURNS_FOR_OTHERS))
    assert share == {"answer": 8 * (TURNS_FOR_OTHERS - 1), "spare": 4, "bot": 4}


def test_a_turn_for_a_less_urgent_rank_goes_to_the_next_one_if_there_is_none(queue: FairQueue) -> None:
    queue.put(jobs("eve", 40))
    queue.put(jobs("ada", 2, Rank.SPARE))
    found = taken(queue)
    assert [found.index(f"ada-spare-000{number}") for number in (0, 1)] == [7, 15]


def test_a_game_whose_rank_has_changed_stands_in_the_other_one_alone(queue: FairQueue) -> None:
    queue.put([Job("gm_1", 1, Priority(Rank.SPARE, ("ada",))), *jobs("eve", 3, Rank.SPARE)])
    queue.put([Job("gm_1", 2, Priority(Rank.URGENT, ("ada",)))])
    assert queue.take() == ("gm_1", 2)
    assert "gm_1" not in taken(queue)


def test_somebody_waits_while_an_urgent_game_is_in_the_queue(queue: FairQueue) -> None:
    queue.put(jobs("eve", 3, Rank.SPARE))
    assert not queue.is_urgent()
    queue.put(jobs("ada", 1))
    assert queue.is_urgent()
    taken(queue)
    assert not queue.is_urgent()


def test_whatever_comes_and_goes_each_game_comes_out_once_and_nothing_stays_behind(
    queue: FairQueue, client: redis.Redis
) -> None:
    rng = random.Random(11)
    waiting: set[str] = set()
    for number in range(400):
        if rng.random() < 0.5:
            owner, rank = rng.choice(["ada", "bob", "eve", ""]), rng.choice(list(Rank))
            game = f"gm_{rng.randrange(40)}"
            queue.put([Job(game, number, Priority(rank, (owner,)))])
            waiting.add(game)
        elif (job := queue.take()) is not None:
            waiting.remove(job[0])
        else:
            assert not waiting
        assert queue.waiting() == len(waiting)
    assert sorted(taken(queue)) == sorted(waiting)
    assert [key.decode() for key in client.keys("*")] == [keys.ROUNDS]


def test_owners_who_came_once_are_forgotten_as_the_rounds_continue(queue: FairQueue, client: redis.Redis) -> None:
    queue.put(jobs("eve", 50))
    for number in range(200):
        queue.put(jobs(f"guest{number}", 1))
    taken(queue, 230)
    assert client.zcard(keys.next_rounds(Rank.URGENT)) == 1


def test_a_queue_of_which_keys_were_deleted_by_hand_begins_anew(queue: FairQueue, client: redis.Redis) -> None:
    queue.put(jobs("eve", 3))
    client.delete(keys.games_of_rank(Rank.URGENT))
    assert queue.take() is None
    queue.put(jobs("eve", 3))
    assert len(taken(queue)) == 3
