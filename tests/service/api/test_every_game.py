"""Every built-in ruleset over HTTP alone: a game is created, joined, played to its end, and open then."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from domain.log import chain
from domain.registry import RULESETS
from tests.domain.laws.facts import short
from tests.support.people import Server, Table, some_action
from tests.support.sampling import GAMES, SMALLEST


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_a_game_is_played_to_its_end_and_is_open_then(server: Server, ruleset_id: str, seats: int) -> None:
    people, rng = [server.newcomer(f"Player {seat}") for seat in range(seats)], random.Random(ruleset_id)
    table = server.table(people, ruleset=ruleset_id, options=short(ruleset_id))
    assert table.view()["game"]["options"].items() >= short(ruleset_id).items()
    while (view := table.view())["to_act"]:
        seat = rng.choice(view["to_act"])
        listed = table.legal(seat)
        if rng.random() < GAMES:
            see_both_sides(table, seat, view["to_act"], listed)
        answer = table.act(seat, some_action(rng, listed), If_Match=f'"{view["version"]}"')
        assert (answer.status_code, answer.json["events"][0]["version"]) == (201, view["version"] + 1)
    assert view["game"]["status"] == "finished"
    assert all(table.view(seat)["state"].keys() == view["state"].keys() for seat in table.seats)
    events = table.events()
    assert [event["type"] for event in events][-1] == "game_finished"
    assert events[-1]["data"]["outcome"] == view["game"]["outcome"]
    assert chain.verify(events) == events[-1]["hash"]
    assert not any(event["sealed"].keys() - event["salts"].keys() for event in events)


def see_both_sides(table: Table, seat: int, to_act: Sequence[int], listed: Sequence[Any]) -> None:
    """The view of one who is to act has what can be done, and that of another player does not."""
    own = table.view(seat)
    assert own["viewer"] == {"seat": seat}
    assert own["decision"]["id"].endswith(f"_{seat}")
    if own["legal_actions"]["count"] <= 200:
        assert own["legal_actions"]["actions"] == listed
    idle = next((each for each in table.seats if each not in to_act), seat)
    if idle != seat:
        assert not {"decision", "legal_actions"} & table.view(idle).keys()
        assert table.legal(idle) == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_the_ruleset_says_what_a_client_needs_to_know(stranger, ruleset) -> None:
    listed = {each["id"]: each for each in stranger.get("/v1/rulesets").json["items"]}
    shown = stranger.get(f"/v1/rulesets/{ruleset.id}").json
    assert [*listed] == [*RULESETS]
    assert shown.items() >= listed[ruleset.id].items()
    assert shown.keys() - listed[ruleset.id].keys() == {
        "options", "choices", "words", "actions", "action_words", "proposals", "bots", "rules",
        "has_resignation", "crib",
    }  # fmt: skip
    assert shown["actions"].keys() == ruleset.actions.keys()
    assert shown["players"] == {"min": ruleset.seats[0], "max": ruleset.seats[-1]}
    assert shown["rules"].startswith(f"# {ruleset.name}")
    assert all(option["description"] for option in shown["options"]["properties"].values())
    assert {*shown["proposals"]} >= {"pause", "resume", "abort"}


def test_what_may_be_left_out_of_an_action_may_be_left_out(server, ada, bob) -> None:
    table = server.table([ada, bob], ruleset="plateau")
    for seat, square in enumerate(("a1", "d4")):
        pieces = [{"piece": "M", "up": "x"}, {"piece": "M", "up": "x"}]
        assert table.act(seat, {"type": "open", "square": square, "pieces": pieces}).status_code == 201
    listed = next(each for each in table.legal(0) if each["type"] == "move" and not each["stops"])
    move = {name: value for name, value in listed.items() if name != "stops"}
    assert table.act(0, move, "&dry_run=true").json == {"legal": True}
    assert table.act(0, move).status_code == 201
