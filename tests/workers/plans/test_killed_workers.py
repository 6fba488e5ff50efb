"""Plans are carried out once, however often the real processes that carry them out are killed."""

from typing import Any

import pytest

from service.games.commands import Act
from tests.support.games import ADA
from tests.support.sampling import part
from tests.support.server import wait_until
from tests.workers.places import Place

PASS: Any = {"action": {"type": "pass"}}


def passes(place: Place, game_id: str) -> list[int | None]:
    """List the seats that passed."""
    return [each.seat for each in place.store.read(game_id) if each.type == "passed"]


@pytest.mark.long
def test_of_killed_workers_none_plays_a_step_twice_or_loses_it(place: Place) -> None:
    place.hand("dispatch")
    games = [place.begin("me", "me", "me", "me") for _ in range(2 + part(4))]
    for game_id in games:
        for seat in (1, 2, 3):
            game = place.games.current(game_id)
            place.games.planning.put(game, ADA, seat, [{**PASS, "then": [PASS]}], False, lambda *_: None)  # noqa: FBT003
    worker = place.hand("worker")
    for game_id in games:
        game = place.games.current(game_id)
        bid = game.ruleset.legal_actions(game.state, 0)[0]
        place.games.do(game_id, Act(caller=ADA, seat=0, action=bid))
        reached = sum(len(passes(place, each)) for each in games)
        if game_id in games[::2]:
            wait_until(lambda: sum(len(passes(place, each)) for each in games) > reached, "a planned move")  # noqa: B023
            worker.kill()
            worker.start()
    wait_until(lambda: all(len(passes(place, each)) == 3 for each in games), "the planned moves")
    for game_id in games:
        place.verify(game_id)
        assert passes(place, game_id) == [1, 2, 3]
