"""Games with seeds of players, honest ones, and the lies that an operator can tell about the seeds."""

from functools import cache

from domain.audit.bundle import Bundle
from domain.game import opening, seating
from domain.game.durations import SECOND, instant, moment
from domain.game.seeds import commitment_to
from tests.domain.audit.attacks import of_type
from tests.support.bundles import bundle_of_game, over
from tests.support.seeded_games import SECRET, Seeded, all_committed


def complete(**more):
    game = all_committed(3, **more)
    for seat in (2, 0, 1):
        game.open(seat)
    return over(game)


def with_one_missing(**more):
    game = all_committed(3, **more)
    game.open(2)
    game.open(1)
    game.close()
    return over(game)


@cache
def honest() -> Bundle:
    return bundle_of_game(complete())


@cache
def left_out() -> Bundle:
    return bundle_of_game(with_one_missing())


def commitment_in_another_name(bundle):
    joined = of_type(bundle, "seat_taken")
    joined["data"]["seed_commitment"] = commitment_to("seed 0", "gm_seeded", "pl_9")
    return 7


def opened_wrongly(bundle):
    of_type(bundle, "seed_opened")["data"]["seed"] = "the best of 20,000"
    return 6


def opened_wrongly_with_a_commitment_to_match(bundle):
    """Only one who knows what they committed to can tell: with ``--mine``."""
    mine = next(event for event in bundle.events if event["type"] == "seed_opened" and event["seat"] == 0)
    mine["data"]["seed"] = "the best of 20,000"
    of_type(bundle, "seat_taken")["data"]["seed_commitment"] = commitment_to("the best of 20,000", "gm_seeded", "pl_0")
    return 2


def commitment_taken_out(bundle):
    del of_type(bundle, "seat_taken")["data"]["seed_commitment"]
    return 7


def opened_for_nobody(bundle):
    bundle.events[5]["seat"] = 7
    return 6


def opened_twice(bundle):
    bundle.events.insert(6, {**bundle.events[5], "sealed": {}})
    return 7


def seed_of_another_kind(bundle):
    bundle.events[5]["data"]["seed"] = 7
    return 6


def too_few_awaited(bundle):
    of_type(bundle, "seeds_awaited")["data"]["seats"].pop()
    return 5


def longer_than_the_table_chose(bundle):
    data = of_type(bundle, "seeds_awaited")["data"]
    data["until"] = moment(instant(data["until"]) + SECOND)
    return 5


def shorter_than_the_table_chose(bundle):
    data = of_type(bundle, "seeds_awaited")["data"]
    data["until"] = moment(instant(data["until"]) - 60 * SECOND)
    return 5


def a_time_that_does_not_exist(bundle):
    of_type(bundle, "seeds_awaited")["data"]["until"] = 7
    return 5


def no_time_at_all(bundle):
    of_type(bundle, "seeds_awaited")["data"]["until"] = "soon"
    return 5


def phase_left_out(bundle):
    bundle.events[:] = [event for event in bundle.events if not event["type"].startswith("seed")]
    return 5


def closed_with_one_said_to_be_missing(bundle):
    of_type(bundle, "seeds_closed")["data"]["missing"].append(1)
    return 9


def an_opening_suppressed(bundle):
    """The last opening becomes a missing one: the phase must then last until its end."""
    place = next(at for at, event in enumerate(bundle.events) if event["type"] == "seeds_closed")
    del bundle.events[place - 1]
    of_type(bundle, "seeds_closed")["data"]["missing"].append(1)
    return 8


def an_end_instead_of_a_start(bundle):
    place = next(at for at, event in enumerate(bundle.events) if event["type"] == "game_started")
    at = bundle.events[place]["at"]
    aborted = {**bundle.events[-1], "at": at, "sealed": {}, "salts": {}}
    bundle.events[place:] = [aborted]
    aborted["data"] = {"reason": "unopened", "secret": SECRET.hex()}
    return 10


def a_bot_in_place_of_a_bot(bundle):
    seated = {**bundle.events[5], "type": "bot_seated", "data": {"bot": "random"}, "sealed": {}, "seat": 9}
    bundle.events.insert(6, seated)
    return 7


LIES = (
    commitment_in_another_name,
    opened_wrongly,
    opened_wrongly_with_a_commitment_to_match,
    commitment_taken_out,
    opened_for_nobody,
    opened_twice,
    seed_of_another_kind,
    too_few_awaited,
    longer_than_the_table_chose,
    shorter_than_the_table_chose,
    a_time_that_does_not_exist,
    no_time_at_all,
    phase_left_out,
    closed_with_one_said_to_be_missing,
    an_opening_suppressed,
    an_end_instead_of_a_start,
    a_bot_in_place_of_a_bot,
)


def over_before_it_begins(unopened="start"):
    """The last player joins long after the others, and the server says that the time to open has run since then."""
    game = Seeded(2, chosen=("PT2M", unopened))
    game.commit(0)
    game.now += 600 * SECOND
    began = instant(game.game.at)
    made = commitment_to("seed 1", game.game.id, "pl_1")
    game.do(seating.join(game.game, "pl_1", 1, None, seed_commitment=made, now=began))
    game.do(opening.close(game.game, game.now + 1), 1)
    return over(game)
