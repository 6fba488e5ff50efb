"""Attacks by those who only have the file."""

from domain.game.durations import instant, moment
from domain.registry import RULESETS
from tests.domain.audit.attacking import acted, flipped, forced, outsider, sealed_event


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
