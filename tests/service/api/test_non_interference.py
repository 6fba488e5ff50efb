"""What a viewer cannot know changes no byte of the responses to that viewer.

At moments of random games, for every viewer, another world is drawn that looks the same to that viewer, and its log put
into a second store under the same ids. Whatever the viewer may ask, both servers must give the same answer: status,
headers and body, but for the values of hashes, seals and salts, which differ in no key and no length.
"""

import random

import pytest

from tests.domain.laws.facts import facts_of
from tests.support.other_worlds import empty, in_another_world, moments, questions, told, viewers
from tests.support.random_games import played
from tests.support.sampling import FULL, SMALLEST
from tests.support.transparency import log_heads


@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_no_answer_tells_two_worlds_apart_that_look_the_same_to_the_viewer(worlds, ruleset_id, seats):
    true, other = worlds
    rng = random.Random(f"{ruleset_id} {seats}")
    elsewhere = [step.action for step in played(ruleset_id, seats, 0) if step.action is not None]
    compared = looked = hidden = differed = 0
    for number, steps in enumerate(moments(ruleset_id, seats, rng)):
        game = steps[-1].game
        empty(true)
        table = true.table_of_log(steps)
        for viewer in viewers(game, number):
            view = game.ruleset.project(game.state, viewer)
            state = game.ruleset.sample(game.options, viewer, view, rng)
            empty(other)
            again = other.table_of_log(in_another_world(ruleset_id, steps, state))
            for server in (true, other):
                log_heads(server, game.at)
            looked += 1
            hidden += facts_of(ruleset_id).has_many_worlds(game.state, viewer)
            differed += state != game.state
            assert state == game.state or table.server.contents() != again.server.contents()
            one, two = (
                server.stranger() if viewer is None else server.known(f"pl_{viewer}") for server in (true, other)
            )
            for method, path, body, headers in questions(game, viewer, rng, elsewhere):
                first, second = (person.ask(method, path, body, headers) for person in (one, two))
                assert told(first) == told(second), (viewer, method, path, body)
                compared += 1
    assert compared > 20 * looked
    assert differed >= hidden * 0.9
    assert hidden


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_somebody_who_may_know_the_difference_is_told_it(worlds, ruleset_id, seats):
    """The other way round: the comparison would notice, since a seat whose cards changed sees that they did."""
    true, other = worlds
    steps = played(ruleset_id, seats, 0)
    steps = steps[: next(i for i, step in enumerate(steps) if step.game.status == "active") + 2]
    game = steps[-1].game
    state = game.ruleset.sample(game.options, None, game.ruleset.project(game.state, None), random.Random(0))
    true.table_of_log(steps)
    other.table_of_log(in_another_world(ruleset_id, steps, state))
    for path in (
        "view",
        "board.svg",
        "scene",
        "events",
        "legal-actions",
        "export?format=text",
        "export?format=audit",
        "export?format=bundle",
        "export?format=html",
    ):
        answers = [
            {server: told(server.known(f"pl_{seat}").get(f"/v1/games/{game.id}/{path}")) for server in worlds}
            for seat in range(seats)
        ]
        differ = [answer[true] != answer[other] for answer in answers]
        assert any(differ) == (path != "legal-actions")
