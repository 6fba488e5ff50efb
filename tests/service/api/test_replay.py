"""Replay: every version can be seen as it was seen then, and once the game is over with all that was hidden."""

import json
import random
import re

import pytest

from domain.laws.law import some
from domain.registry import RULESETS
from domain.serialization import to_plain
from domain.table import EVERYTHING
from service.store.event_store import Append, Appended
from tests.support.random_games import played
from tests.support.sampling import FULL, GAMES

MOMENTS = 12 if GAMES >= 1 else 4


def viewers(seats):
    return [*range(seats), "spectator"]


def asked(server, seats, game_id, viewer, more):
    """Ask as the holder of a seat, or as a stranger."""
    person = server.stranger() if viewer == "spectator" else server.known(f"pl_{viewer}")
    answers = [person.get(f"/v1/games/{game_id}/{what}?as={viewer}{more}") for what in ("view", "board.svg")]
    assert [answer.status_code for answer in answers] == [200, 200]
    return [(answer.text, answer.headers["ETag"]) for answer in answers]


@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_a_past_version_is_seen_as_it_was_seen_then(server, ruleset_id, seats):
    steps = played(ruleset_id, seats, 4)
    game_id = steps[0].game.id
    begun = [number for number, step in enumerate(steps) if step.game.state is not None]
    chosen = some(random.Random(f"replay {ruleset_id} {seats}"), begun, MOMENTS)
    served = {}
    for number, step in enumerate(steps):
        before = step.before
        outcome = server.store.append(
            Append(game_id, before.version if before else 0, step.records, head=before.head if before else "")
        )
        assert isinstance(outcome, Appended)
        if number in chosen:
            for viewer in viewers(seats):
                served[step.game.version, viewer] = asked(server, seats, game_id, viewer, "")
    assert len(served) == len(chosen) * (seats + 1)
    for (version, viewer), shown in served.items():
        assert asked(server, seats, game_id, viewer, f"&at={version}") == shown


@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_once_a_game_is_over_everything_that_was_hidden_is_shown(server, ruleset_id, seats):
    steps = played(ruleset_id, seats, 4)
    table = server.table_of_log(steps)
    begun = [step for step in steps if step.game.state is not None]
    for step in some(random.Random(f"full {ruleset_id} {seats}"), begun, MOMENTS):
        path = f"{table.path}/view?at={step.game.version}&as=spectator&knowledge="
        own, full = (server.stranger().get(path + knowledge).json for knowledge in ("own", "full"))
        everything = RULESETS[ruleset_id].project(step.game.state, EVERYTHING)
        assert full["state"] == json.loads(json.dumps(to_plain(everything)))
        assert full["viewer"] == {"seat": None, "knowledge": "full"}
        assert {**own, "state": None, "viewer": None} == {**full, "state": None, "viewer": None}


def test_a_seat_sees_everything_from_where_it_sits(server, finished):
    full = finished.people[1].get(f"{finished.path}/view?at=40&knowledge=full").json
    assert full["viewer"] == {"seat": 1, "knowledge": "full"}
    assert all(hand["cards"] is not None for hand in full["state"]["hands"])
    pictures = [
        server.stranger().get(f"{finished.path}/board.svg?at=40&as=1&knowledge={which}").text
        for which in ("own", "full")
    ]
    hands = [{*re.findall(">(Hand of [^<]+)<", text)} for text in pictures]
    assert [len(each) for each in hands] == [1, 3]
    assert hands[0] < hands[1]
