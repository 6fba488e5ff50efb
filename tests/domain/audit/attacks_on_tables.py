"""Other options, other players, another time, and events of the frame that nobody brought about."""

from collections.abc import Mapping
from typing import Any

from domain.audit.bundle import Bundle
from domain.game.durations import instant, moment
from tests.domain.audit.attacking import acted, of_type, operator


@operator
def an_option_that_makes_the_game_longer(bundle, rng):
    options = bundle.events[0]["data"]["options"]
    options[next(name for name in ("hands", "deals") if name in options)] += 1


@operator
def an_option_that_does_not_exist(bundle, rng):
    bundle.events[0]["data"]["options"]["more"] = 1


@operator
def more_seats(bundle, rng):
    bundle.events[0]["data"]["seats"] += 1


@operator
def a_clock_that_makes_no_sense(bundle, rng):
    clock = {"per_move": None, "bank": None, "increment": None, "on_timeout": "bot", "bot": "random"}
    bundle.events[0]["data"]["clock"] = clock


@operator
def a_player_who_holds_two_seats(bundle, rng):
    one, other = [event for event in bundle.events if event["type"] == "seat_taken"][:2]
    one["data"]["player"] = other["data"]["player"]


@operator
def a_seat_taken_twice(bundle, rng):
    one, other = [event for event in bundle.events if event["type"] == "seat_taken"][:2]
    other["seat"] = one["seat"]


@operator
def other_players_at_the_start(bundle, rng):
    of_type(bundle, "game_started")["data"]["players"].reverse()


@operator
def a_player_who_leaves_during_the_game(bundle, rng):
    join = of_type(bundle, "seat_taken")
    left = {**join, "type": "seat_left", "data": {"player": join["data"]["player"]}, "sealed": {}}
    bundle.events.insert(len(bundle.events) - 1, {**left, "at": bundle.events[-1]["at"]})


@operator
def a_time_that_goes_back(bundle, rng):
    event = rng.choice(bundle.events[1:])
    event["at"] = moment(instant(bundle.events[0]["at"]) - 1)


@operator
def a_time_in_another_form(bundle, rng):
    event = rng.choice(bundle.events)
    event["at"] = event["at"].replace("Z", "+00:00")


@operator
def events_of_one_request_at_two_times(bundle, rng):
    last = bundle.events[-1]
    last["at"] = moment(instant(last["at"]) + 1)


def _inserted(bundle: Bundle, type_: str, seat: int | None, data: Mapping[str, Any]) -> None:
    last = bundle.events.index(acted(bundle)[-1])
    model = bundle.events[last]
    new = {**model, "type": type_, "seat": seat, "data": dict(data), "sealed": {}, "salts": {}}
    bundle.events.insert(last, {key: part for key, part in new.items() if key != "bot"})


@operator
def an_end_by_agreement_that_nobody_voted_on(bundle, rng):
    last = bundle.events.index(acted(bundle)[-1])
    _inserted(bundle, "game_aborted", None, {"reason": "agreed", "secret": bundle.events[-1]["data"]["secret"]})
    del bundle.events[last + 1 :]


@operator
def a_turn_that_timed_out_without_a_clock(bundle, rng):
    event = acted(bundle)[-1]
    _inserted(bundle, "turn_timed_out", event["seat"], {"by": "bot", "bot": "random"})


@operator
def a_claim_without_a_clock(bundle, rng):
    _inserted(bundle, "timeout_claimed", 0, {"late": 1})


@operator
def a_take_back_that_nobody_proposed(bundle, rng):
    _inserted(bundle, "taken_back", None, {"to_version": 4})


@operator
def a_pause_that_nobody_proposed(bundle, rng):
    _inserted(bundle, "game_paused", None, {"duration": "PT5M"})


@operator
def a_proposal_of_an_unknown_kind(bundle, rng):
    _inserted(bundle, "proposal_made", 0, {"proposal": "p1", "kind": "surrender", "duration": None})


@operator
def a_vote_on_no_proposal(bundle, rng):
    _inserted(bundle, "vote_cast", 0, {"proposal": "p1", "accept": True})


@operator
def a_resumption_without_a_pause(bundle, rng):
    _inserted(bundle, "game_resumed", None, {"reason": "over"})


@operator
def a_bot_that_sits_down_on_a_seat_that_does_not_exist(bundle, rng):
    _inserted(bundle, "bot_seated", 17, {"bot": "random"})
