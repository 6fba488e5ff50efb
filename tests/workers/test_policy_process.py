"""The policy process: a search ends in time, and with the playouts done then, it thinks the same again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE
from workers import policy_process
from workers.policy_process import PolicyFailed, PolicyProcess

SEARCH = "tests.workers.searching_policy:search"
ENDLESS = 10**9


@pytest.fixture(scope="module")
def process() -> Iterator[PolicyProcess]:
    process = PolicyProcess(PATIENCE)
    yield process
    process.stop()


@pytest.fixture(scope="module")
def hurried() -> Iterator[PolicyProcess]:
    """A process whose searches are ended soon, and sooner for an analysis."""
    process = PolicyProcess(3)
    yield process
    process.stop()


def test_a_search_does_all_its_playouts_if_there_is_time(process: PolicyProcess) -> None:
    assert process.think(SEARCH, {}, 7, 50).playouts == 50
    assert process.think(SEARCH, {}, 7, 50) == process.think(SEARCH, {}, 7, 50) != process.think(SEARCH, {}, 8, 50)


def test_a_search_that_its_time_ended_is_the_same_again(hurried: PolicyProcess) -> None:
    thought = hurried.think(SEARCH, {}, 7, ENDLESS)
    assert 0 < thought.playouts < ENDLESS
    assert hurried.think_again(SEARCH, {}, 7, ENDLESS, thought.playouts) == thought


def test_a_search_ends_sooner_where_it_is_for_an_analysis(hurried: PolicyProcess) -> None:
    view = {"game": {"ruleset": "none"}}
    hint, study = (hurried.explain(SEARCH, view, 7, ENDLESS, also) for also in (None, {"type": "pass"}))
    assert 0 < study.playouts < hint.playouts < ENDLESS


def test_a_search_that_is_done_again_has_no_limit_but_its_playouts(process: PolicyProcess) -> None:
    whole = process.think(SEARCH, {}, 7, 300)
    assert process.think_again(SEARCH, {}, 7, 300, 200) != whole
    assert process.think_again(SEARCH, {}, 7, 300, 300) == whole


def test_a_process_that_starts_late_is_ended_and_the_next_question_starts_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise that it is ready would be taken for the answer to the next question."""
    (tmp_path / "sitecustomize.py").write_text(
        f"import os, time\nwhile not os.path.exists({str(tmp_path / 'go')!r}):\n    time.sleep(0.01)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    process = PolicyProcess(PATIENCE)
    try:
        monkeypatch.setattr(policy_process, "_START_SECONDS", 0.05)
        with pytest.raises(PolicyFailed, match="it did not start"):
            process.think(SEARCH, {}, 7, 50)
        monkeypatch.setattr(policy_process, "_START_SECONDS", PATIENCE)
        (tmp_path / "go").touch()
        assert process.think(SEARCH, {}, 7, 50).playouts == 50
    finally:
        process.stop()


FAILING = [
    *("raises", "leaves", "dies", "answers_nothing", "answers_nonsense_for_estimates", "answers_what_cannot_be_sent"),
    *("claims_nonsense", "writes_beside_its_answer"),
]


@pytest.mark.parametrize("policy", FAILING)
def test_what_is_no_thought_is_a_failure(process: PolicyProcess, policy: str) -> None:
    view = {"legal_actions": {"actions": [{"type": "pass"}]}}
    with pytest.raises(PolicyFailed):
        process.think(f"tests.workers.failing_policies:{policy}", view, 1)
    assert process.think(SEARCH, {}, 1, 3).playouts == 3


def test_what_a_policy_prints_is_no_answer(process: PolicyProcess) -> None:
    view = {"legal_actions": {"actions": [{"type": "pass"}]}}
    assert process.think("tests.workers.failing_policies:prints", view, 1).action == {"type": "pass"}


@pytest.mark.parametrize("policy", ["hangs", "hangs_and_does_not_listen", "hangs_in_c"])
def test_a_policy_that_hangs_is_ended(hasty_policy_process: PolicyProcess, policy: str) -> None:
    with pytest.raises(PolicyFailed) as failed:
        hasty_policy_process.think(f"tests.workers.failing_policies:{policy}", {}, 1)
    assert failed.value.reason == "hung"
