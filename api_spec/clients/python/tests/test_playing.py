"""What the loop that plays does if a plan was made on another device between a look at the game and an action."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from plateau_client import Client, Table

PASS = {"type": "pass"}


def view(version: int, *, listed: bool = True, status: str = "active", **more: object) -> httpx.Response:
    shown = {"version": version, "viewer": {"seat": 2}, "waiting_for": [2], "game": {"status": status, "outcome": None}}
    if status == "active":
        shown |= {"decision": {"id": f"d{version}"}, "legal_actions": {"actions": [PASS] if listed else None}}
    return httpx.Response(200, json=shown | more, headers={"ETag": f'"{version}"'})


def legal(decision: str | None) -> httpx.Response:
    return httpx.Response(
        200,
        json={"decision": decision and {"id": decision}, "actions": [PASS] if decision else [], "next_cursor": None},
    )


def problem(status: int) -> httpx.Response:
    texts = dict.fromkeys(("type", "title", "detail", "instance", "code"), "gone")
    return httpx.Response(status, json=texts | {"status": status})


DONE = httpx.Response(201, json={"events": []})
NOTHING = httpx.Response(200, json={"events": [], "next": None})


@pytest.fixture
def played() -> Callable[..., list[int]]:
    """A function that plays a game with these responses, and returns the versions that were acted on."""

    def play(*responses: httpx.Response) -> list[int]:
        left: Iterator[httpx.Response] = iter(responses)
        http = httpx.Client(transport=httpx.MockTransport(lambda _: next(left)))
        table: Table = Client("http://plateau/", "secret", http=http).table("gm_1")
        chosen: list[int] = []

        def choose(seen, choices):
            chosen.append(seen["version"])
            return choices[0]

        table.play(choose)
        assert not [*left]
        return chosen

    return play


OVER = (view(10, status="finished"), httpx.Response(304))


@pytest.mark.parametrize("status", [409, 412])
def test_a_turn_that_a_plan_has_played_is_passed_over(played, status):
    assert played(view(6), problem(status), view(8), DONE, *OVER) == [6, 8]


def test_the_loop_looks_again_if_the_turn_was_played_before_its_choices_were_read(played):
    first, second = view(6, listed=False), view(8, listed=False)
    assert played(first, legal(None), second, legal("d9"), view(9), DONE, *OVER) == [9]


def test_a_turn_comes_again_whose_plan_was_removed(played):
    planned = view(6, planned=True)
    assert played(view(6), problem(412), planned, NOTHING, view(6), DONE, *OVER) == [6, 6]
