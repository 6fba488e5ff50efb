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


BEST = "the best of 20,000"


def changes(type_, version, **data):
    """Change the data of the first event of a type, which is found at a version."""

    def lie(bundle):
        of_type(bundle, type_)["data"] |= {
            name: value(of_type(bundle, type_)["data"][name]) if callable(value) else value
            for name, value in data.items()
        }
        return version

    return lie


def later(milliseconds):
    return lambda at: moment(instant(at) + milliseconds)


def opened_wrongly_with_a_commitment_to_match(bundle):
    """Only one who knows what they committed to can tell: with ``--mine``."""
    mine = next(event for event in bundle.events if event["type"] == "seed_opened" and event["seat"] == 0)
    mine["data"]["client_seed"] = BEST
    of_type(bundle, "seat_taken")["data"]["seed_commitment"] = commitment_to(BEST, "gm_seeded", "pl_0")
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


def phase_left_out(bundle):
    bundle.events[:] = [event for event in bundle.events if not event["type"].startswith("seed")]
    return 5


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


LIES = {
    "a commitment in another name": changes(
        "seat_taken", 7, seed_commitment=commitment_to("seed 0", "gm_seeded", "pl_9")
    ),
    "opened wrongly": changes("seed_opened", 6, client_seed=BEST),
    "a seed of another kind": changes("seed_opened", 6, client_seed=7),
    "too few awaited": changes("seeds_awaited", 5, seats=lambda seats: seats[:-1]),
    "longer than the table chose": changes("seeds_awaited", 5, until=later(SECOND)),
    "shorter than the table chose": changes("seeds_awaited", 5, until=later(-60 * SECOND)),
    "a time that does not exist": changes("seeds_awaited", 5, until=7),
    "no time at all": changes("seeds_awaited", 5, until="soon"),
    "closed with one said to be missing": changes("seeds_closed", 9, missing=lambda seats: [*seats, 1]),
} | {
    lie.__name__.replace("_", " "): lie
    for lie in (
        opened_wrongly_with_a_commitment_to_match, commitment_taken_out, opened_for_nobody, opened_twice,
        phase_left_out, an_opening_suppressed, an_end_instead_of_a_start, a_bot_in_place_of_a_bot,
    )
}  # fmt: skip


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
