"""A plan is carried out when its turn comes, in every game, by the workers that the service starts."""

import pytest

from service.games.plans.conditions import holds

GAMES = [("le-plateau", 4, "play"), ("french-tarot", 4, "play"), ("plute", 6, "play"), ("plateau", 2, "move")]
ALWAYS = {"path": "/version", "op": "gt", "value": 0}
NEVER = {"not": ALWAYS}


@pytest.mark.parametrize(("ruleset_id", "seats", "kind"), GAMES)
def test_a_pre_move_is_played_as_soon_as_its_turn_comes(moment, hall, ruleset_id, seats, kind):
    at = moment(ruleset_id, seats, kind)
    assert at.plan({"action": at.replies[-1]}).status_code == 200
    assert hall.work() == 0
    at.act()
    assert at.played() is None
    hall.work()
    assert at.played() == len(at.replies) - 1
    assert at.planned()["steps"] == []


def test_of_several_steps_the_first_that_holds_and_is_legal_is_played(moment, hall):
    at = moment()
    one, other = at.replies[:2]
    then = [{"action": other}]
    at.plan({"when": NEVER, "action": one}, {"when": ALWAYS, "action": other, "then": then}, {"action": one})
    at.act()
    hall.work()
    assert at.played() == 1
    assert at.planned()["steps"] == then


def test_a_condition_is_about_the_view_of_that_turn(moment, hall):
    at = moment("le-plateau", 4, "play")
    places = ("/state/trick/cards/*/card", "/state/tricks/*/cards/*/card")
    played = {"any": [{"path": place, "op": "eq", "value": at.action["card"]} for place in places]}
    assert not holds(played, at.table.view(at.second))
    at.plan({"when": played, "action": at.replies[1]}, {"action": at.replies[0]})
    at.act()
    hall.work()
    assert at.played() == 1


def test_a_step_that_is_not_legal_is_passed_over(moment, hall):
    at = moment("le-plateau", 4, "play")
    at.plan({"action": at.action}, {"action": {"type": "pass"}}, {"action": at.replies[0]})
    at.act()
    hall.work()
    assert at.played() == 0


def test_steps_that_do_not_fit_are_dropped_and_the_player_acts(moment, hall):
    at = moment("le-plateau", 4, "play")
    at.plan({"when": NEVER, "action": at.replies[0]}, {"action": {"type": "pass"}})
    at.act()
    assert len(at.planned()["steps"]) == 2
    hall.work()
    assert at.played() is None
    assert at.planned()["steps"] == []
    assert at.table.act(at.second, at.replies[0]).status_code == 201


def test_without_the_switch_a_forced_move_waits_for_its_player(moment, hall):
    at = moment("le-plateau", 4, "play", least=1, most=1)
    at.act()
    assert hall.work() == 0
    assert at.played() is None


@pytest.mark.parametrize(("ruleset_id", "seats", "kind"), [*GAMES[:3], ("plateau", 2, "any")])
def test_the_switch_plays_a_forced_move_and_stays(moment, hall, ruleset_id, seats, kind):
    at = moment(ruleset_id, seats, kind, least=1, most=1)
    at.plan(forced=True)
    at.act()
    hall.work()
    assert at.played() == 0
    assert at.planned() == {"game_id": at.table.id, "seat": at.second, "steps": [], "forced": True}


def test_the_switch_leaves_a_choice_to_the_player(moment, hall):
    at = moment("le-plateau", 4, "play")
    at.plan(forced=True)
    at.act()
    assert hall.work() == 1
    assert at.played() is None
    assert at.planned()["forced"]


def test_a_forced_move_is_played_though_the_steps_are_dropped(moment, hall):
    at = moment("le-plateau", 4, "play", least=1, most=1)
    at.plan({"when": NEVER, "action": at.replies[0], "then": [{"action": at.replies[0]}]}, forced=True)
    at.act()
    hall.work()
    assert at.played() == 0
    assert at.planned()["steps"] == []


def test_plans_follow_plans(table_of, hall):
    """Every seat plans its bid, the last one first; one action sets off the others."""
    table = table_of("le-plateau", 4)
    first = table.to_act
    for seat in table.seats:
        if seat != first:
            answer = table.people[seat].put(f"{table.path}/plan", {"steps": [{"action": {"type": "pass"}}]})
            assert answer.status_code == 200
    bid = table.legal(first)[0]
    assert table.act(first, bid).status_code == 201
    hall.work()
    passed = [each["seat"] for each in table.events() if each["type"] == "passed"]
    assert passed == [(first + number) % 4 for number in (1, 2, 3)]
