"""Work on many things is shared among processes, and never more of it is in memory than these need."""

import os
from collections.abc import Iterator

import pytest

from service.cli import many


def test_results_come_in_order_and_things_are_taken_only_as_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    taken = []

    def things() -> Iterator[int]:
        for number in range(-2000, 0):
            taken.append(number)
            yield number

    results = many.each(abs, things(), 2000)
    assert next(iter(results)) == 2000
    assert len(taken) < 500
    assert [*results] == [*range(1999, 0, -1)]


def test_few_things_are_worked_on_in_this_process() -> None:
    assert [*many.each(lambda number: number + os.getpid(), range(3), 3)] == [
        number + os.getpid() for number in range(3)
    ]


def test_what_goes_wrong_in_another_process_goes_wrong_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        [*many.each(int, ["1"] * 20 + ["x"], 21)]
