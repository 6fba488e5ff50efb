"""What was done, what followed from it, and how the game ended, in another way."""

from domain.log import chain
from tests.domain.audit.attacking import acted, forced, of_ruleset, of_type, operator


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


@operator
def a_thought_of_no_bot(bundle, rng):
    event = rng.choice(acted(bundle))
    event["bot"] = {"name": "random", "version": 1, "playouts": 0,
                    "thought": {"seed": 5, "done": 0, "chosen": "policy"}}  # fmt: skip
    event["sealed"][chain.THOUGHT] = ""
