"""Attacks on the bundle of a finished game.

Outsiders change a file. Operators, and anyone once the secret is public, also make the log consistent again: versions,
salts, seals, hashes, the draws stated and the header. Each attack changes a bundle in place and returns nothing; it
raises ``StopIteration`` or ``LookupError`` where a game has nothing that it could change.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from domain.audit.bundle import Bundle
from domain.chance import commitment
from domain.game.durations import instant, moment
from domain.log import chain
from domain.registry import RULESETS

Attack: TypeAlias = Callable[[Bundle, random.Random], None]

OUTSIDERS: dict[str, Attack] = {}
OPERATORS: dict[str, Attack] = {}


def by(attackers: dict[str, Attack]) -> Callable[[Attack], Attack]:
    """List an attack."""

    def listed(attack: Attack) -> Attack:
        attackers[attack.__name__.replace("_", " ")] = attack
        return attack

    return listed


outsider, operator = by(OUTSIDERS), by(OPERATORS)


def of_type(bundle: Bundle, *types: str) -> Any:
    return next(event for event in bundle.events if event["type"] in types)


def of_ruleset(bundle: Bundle) -> list[Any]:
    return [event for event in bundle.events if event["type"] in RULESETS[bundle.header["ruleset"]].events]


def acted(bundle: Bundle) -> list[Any]:
    return [event for event in of_ruleset(bundle) if event["seat"] is not None]


def forced(bundle: Bundle) -> list[Any]:
    return [event for event in of_ruleset(bundle) if event["seat"] is None and event["data"]]


def deal(bundle: Bundle) -> Any:
    return of_type(bundle, "hand_dealt", "cards_dealt")


def sealed_event(bundle: Bundle) -> Any:
    return next(event for event in bundle.events[1:] if event["sealed"])


def flipped(text: str, place: int) -> str:
    return f"{text[:place]}{'1' if text[place] == '0' else '0'}{text[place + 1 :]}"


# -- outsiders --------------------------------------------------------------------------------------------------------


@outsider
def a_flipped_digit_of_a_hash(bundle, rng):
    event = rng.choice(bundle.events)
    event["hash"] = flipped(event["hash"], rng.randrange(64))


@outsider
def a_changed_type(bundle, rng):
    rng.choice(bundle.events)["type"] += "s"


@outsider
def a_changed_value(bundle, rng):
    event = rng.choice(forced(bundle))
    event["data"][rng.choice([*event["data"]])] = "other"


@outsider
def a_part_that_is_added_to_the_data(bundle, rng):
    rng.choice(bundle.events)["data"]["note"] = 1


@outsider
def a_part_beside_the_data(bundle, rng):
    rng.choice(bundle.events)["note"] = 1


@outsider
def an_event_left_out(bundle, rng):
    del bundle.events[rng.randrange(len(bundle.events))]


@outsider
def an_event_doubled(bundle, rng):
    place = rng.randrange(len(bundle.events))
    bundle.events.insert(place, bundle.events[place])


@outsider
def two_events_swapped(bundle, rng):
    place = rng.randrange(len(bundle.events) - 1)
    bundle.events[place : place + 2] = reversed(bundle.events[place : place + 2])


@outsider
def a_tail_torn_off(bundle, rng):
    del bundle.events[rng.randrange(len(bundle.events)) :]


@outsider
def no_event_at_all(bundle, rng):
    bundle.events.clear()


@outsider
def another_time(bundle, rng):
    event = rng.choice(bundle.events)
    event["at"] = moment(instant(event["at"]) + 1)


@outsider
def another_seat(bundle, rng):
    event = rng.choice(acted(bundle))
    event["seat"] = (event["seat"] + 1) % 2


@outsider
def the_id_of_another_game_in_an_event(bundle, rng):
    rng.choice(bundle.events)["game_id"] += "0"


@outsider
def a_flipped_digit_of_a_seal(bundle, rng):
    seals = sealed_event(bundle)["sealed"]
    for pointer in seals:
        seals[pointer] = flipped(seals[pointer], rng.randrange(64))


@outsider
def another_value_behind_a_seal(bundle, rng):
    bundle.events[0]["data"]["secret"] = flipped(bundle.events[0]["data"]["secret"], 3)


@outsider
def a_wrong_salt(bundle, rng):
    event = sealed_event(bundle)
    event["salts"] = {pointer: flipped(salt, 0) for pointer, salt in event["salts"].items()}


@outsider
def an_opening_held_back(bundle, rng):
    event = bundle.events[0]
    event["salts"] = {}
    del event["data"]["secret"]


@outsider
def another_head_in_the_header(bundle, rng):
    bundle.header["head"] = flipped(bundle.header["head"], rng.randrange(64))


@outsider
def another_version_in_the_header(bundle, rng):
    bundle.header["version"] += 1


@outsider
def true_for_a_version_in_the_header(bundle, rng):
    bundle.header["version"] = float(bundle.header["version"])


@outsider
def another_game_in_the_header(bundle, rng):
    bundle.header["game_id"] += "0"


@outsider
def another_ruleset_in_the_header(bundle, rng):
    bundle.header["ruleset"] = next(other for other in RULESETS if other != bundle.header["ruleset"])


@outsider
def older_rules_in_the_header(bundle, rng):
    bundle.header["rules_version"] -= 1


@outsider
def a_draw_left_out(bundle, rng):
    del bundle.draws[rng.randrange(len(bundle.draws))]


@outsider
def a_draw_with_another_number(bundle, rng):
    rng.choice(bundle.draws)["number"] += 764


@outsider
def a_draw_too_many(bundle, rng):
    bundle.draws.append({**bundle.draws[-1]})


@outsider
def a_draw_of_another_pack(bundle, rng):
    draw = next(draw for draw in bundle.draws if draw["order"])
    draw["order"]["of"].reverse()


# -- the operator -----------------------------------------------------------------------------------------------------


@operator
def the_data_of_another_action(bundle, rng):
    events = acted(bundle)
    one, other = rng.choice(
        [(a, b) for a in events for b in events if a["type"] == b["type"] and a["data"] != b["data"]]
    )
    one["data"], other["data"] = other["data"], one["data"]


@operator
def an_action_by_another_seat(bundle, rng):
    event = rng.choice(acted(bundle))
    event["seat"] = (event["seat"] + 1) % bundle.events[0]["data"]["seats"]


@operator
def an_action_by_nobody(bundle, rng):
    rng.choice(acted(bundle))["seat"] = None


@operator
def an_action_twice(bundle, rng):
    place = bundle.events.index(rng.choice(acted(bundle)))
    bundle.events.insert(place, {**bundle.events[place], "sealed": {**bundle.events[place]["sealed"]}})


@operator
def an_action_left_out(bundle, rng):
    bundle.events.remove(rng.choice(acted(bundle)))


@operator
def what_follows_left_out(bundle, rng):
    bundle.events.remove(rng.choice(forced(bundle)))


@operator
def what_follows_in_another_order(bundle, rng):
    events = bundle.events
    places = [i for i, event in enumerate(events[:-2]) if event["seat"] is None and events[i + 1]["seat"] is None]
    place = rng.choice([i for i in places if i and events[i]["data"] != events[i + 1]["data"]])
    events[place : place + 2] = reversed(events[place : place + 2])


@operator
def another_number_in_what_follows(bundle, rng):
    numbers = [
        (event["data"], key) for event in forced(bundle) for key, part in event["data"].items() if type(part) is int
    ]
    data, key = rng.choice(numbers)
    data[key] += 1


@operator
def true_for_a_number(bundle, rng):
    numbers = [(event["data"], key) for event in of_ruleset(bundle) for key, part in event["data"].items()
               if type(part) is int and part in {0, 1}]  # fmt: skip
    data, key = rng.choice(numbers)
    data[key] = bool(data[key])


@operator
def a_deal_with_the_number_765(bundle, rng):
    data = deal(bundle)["data"]
    data["deal_number" if "deal_number" in data else "hand_number"] = 765


@operator
def a_dealer_of_choice(bundle, rng):
    data = deal(bundle)["data"]
    data["dealer"] = (data["dealer"] + 1) % bundle.events[0]["data"]["seats"]


@operator
def two_hands_swapped(bundle, rng):
    one, other = deal(bundle)["data"]["hands"][:2]
    one["cards"], other["cards"] = other["cards"], one["cards"]


@operator
def two_cards_swapped(bundle, rng):
    one, other = deal(bundle)["data"]["hands"][:2]
    one["cards"][0], other["cards"][0] = other["cards"][0], one["cards"][0]


@operator
def a_hand_in_another_order(bundle, rng):
    deal(bundle)["data"]["hands"][0]["cards"].reverse()


@operator
def other_scores(bundle, rng):
    scores = bundle.events[-1]["data"]["outcome"]["scores"]
    scores[0] += 1


@operator
def another_winner(bundle, rng):
    outcome = bundle.events[-1]["data"]["outcome"]
    outcome["winners"] = [seat for seat in range(len(outcome["scores"])) if seat not in outcome["winners"]]


@operator
def another_reason_of_the_end(bundle, rng):
    bundle.events[-1]["data"]["outcome"]["reason"] += "s"


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
def another_seed(bundle, rng):
    assert bundle.draws[0]
    of_type(bundle, "seat_taken")["data"]["client_seed"] = "another"


@operator
def a_seed_left_out(bundle, rng):
    assert bundle.draws[0]
    joins = [event for event in bundle.events if event["type"] == "seat_taken" and event["data"]["client_seed"]]
    joins[0]["data"]["client_seed"] = None


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
def another_commitment(bundle, rng):
    bundle.events[0]["data"]["commitment"] = commitment(bytes(32))


@operator
def another_secret_at_the_end(bundle, rng):
    bundle.events[-1]["data"]["secret"] = bytes(32).hex()


@operator
def another_secret_with_its_commitment(bundle, rng):
    assert bundle.draws[0]  # without draws, nothing follows from the secret and the seeds
    bundle.events[0]["data"] |= {"secret": bytes(32).hex(), "commitment": commitment(bytes(32))}
    bundle.events[-1]["data"]["secret"] = bytes(32).hex()


@operator
def a_secret_that_is_none(bundle, rng):
    bundle.events[-1]["data"]["secret"] = "secret"


@operator
def hidden_parts_that_are_not_sealed(bundle, rng):
    sealed_event(bundle)["sealed"].clear()


@operator
def a_public_part_that_is_sealed(bundle, rng):
    event = rng.choice([event for event in forced(bundle) if event["data"]])
    event["sealed"][f"/{next(iter(event['data']))}"] = ""


@operator
def a_thought_of_no_bot(bundle, rng):
    event = rng.choice(acted(bundle))
    event["bot"] = {"name": "random", "version": 1, "playouts": 0,
                    "thought": {"seed": 5, "done": 0, "chosen": "policy"}}  # fmt: skip
    event["sealed"][chain.THOUGHT] = ""


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


@operator
def an_event_of_no_type(bundle, rng):
    rng.choice(of_ruleset(bundle))["type"] = "nothing_happened"


@operator
def an_event_of_another_shape(bundle, rng):
    rng.choice([event for event in of_ruleset(bundle) if event["data"]])["data"].clear()


@operator
def the_end_too_early(bundle, rng):
    place = bundle.events.index(acted(bundle)[-1])
    del bundle.events[place:-1]


@operator
def an_event_after_the_end(bundle, rng):
    join = of_type(bundle, "seat_taken")
    bundle.events.append({**join, "at": bundle.events[-1]["at"], "sealed": {}})


@operator
def the_end_twice(bundle, rng):
    bundle.events.append({**bundle.events[-1], "sealed": {}})


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
