"""The policy process: a search ends in time, and with the playouts done then, it thinks the same again."""

from collections.abc import Iterator

import pytest

from tests.servers import PATIENCE
from workers.bots.policy import Thought
from workers.policy_process import PolicyFailed, PolicyProcess

SEARCH = "tests.workers.searching_policy:search"
ENDLESS = 10**9


@pytest.fixture(scope="module")
def process() -> Iterator[PolicyProcess]:
    process = PolicyProcess(PATIENCE)
    yield process
    process.stop()


def test_a_search_does_all_its_playouts_if_there_is_time(process: PolicyProcess) -> None:
    assert process.think(SEARCH, {}, 7, 50).playouts == 50
    assert process.think(SEARCH, {}, 7, 50) == process.think(SEARCH, {}, 7, 50) != process.think(SEARCH, {}, 8, 50)


def test_a_search_that_its_time_ended_is_the_same_again() -> None:
    process = PolicyProcess(2)
    try:
        thought = process.think(SEARCH, {}, 7, ENDLESS)
        assert 0 < thought.playouts < ENDLESS
        assert process.think_again(SEARCH, {}, 7, ENDLESS, thought.playouts) == thought
    finally:
        process.stop()


def test_a_search_that_is_done_again_has_no_limit_but_its_playouts(process: PolicyProcess) -> None:
    whole = process.think(SEARCH, {}, 7, 300)
    assert process.think_again(SEARCH, {}, 7, 300, 200) != whole
    assert process.think_again(SEARCH, {}, 7, 300, 300) == whole


@pytest.mark.parametrize("policy", ["claims_nonsense", "answers_nothing", "answers_nonsense_for_estimates"])
def test_what_is_no_thought_is_a_failure(process: PolicyProcess, policy: str) -> None:
    view = {"legal_actions": {"actions": [{"type": "pass"}]}}
    with pytest.raises(PolicyFailed):
        process.think(f"tests.workers.failing_policies:{policy}", view, 1)
    assert process.think(SEARCH, {}, 1, 3) == Thought(process.think(SEARCH, {}, 1, 3).action, 3)
