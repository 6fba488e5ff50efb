"""The clocks of a game: arithmetic on given times, in milliseconds since 1970.

``passed`` says what a request did to the clocks; ``deadline`` until when a seat may think. Nothing here reads a clock:
the time of a request is that of its events.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from domain.durations import DAY, SECOND, duration, instant
from domain.events import Clock, GamePaused, GameResumed, GameStarted, TimeCredited, TimeoutClaimed
from domain.ruleset import InvalidOptions, OptionProblem, Seat

PLAY_BY_POST = Clock(per_move="P3D", bank=None, increment=None, on_timeout="bot", bot="random")
"""What a game is played with if nothing else is asked for."""

_BOUNDS = {"per_move": (SECOND, 90 * DAY), "bank": (SECOND, 365 * DAY), "increment": (0, DAY)}


@dataclass(frozen=True, slots=True)
class Times:
    """Where the clocks of a game stand after its last event."""

    since: Mapping[Seat, int] = field(default_factory=dict)
    """When the clock of each pending decision began to run."""
    banks: tuple[int, ...] = ()
    """What each seat has left beyond the time per move."""
    used: Mapping[Seat, int] = field(default_factory=dict)
    """What pending decisions had used up when the game was paused."""
    resumes: int | None = None
    """When the pause is over."""
    credited: int = 0
    """The end of the last downtime that was credited."""
    claimed: frozenset[Seat] = frozenset()
    """The seats whose timeout was claimed."""


def check(clock: Clock) -> None:
    """Refuse a clock that makes no sense; raises ``InvalidOptions`` with all problems."""
    problems = [problem for name in _BOUNDS for problem in _faults(name, getattr(clock, name))]
    if clock.per_move is None and clock.bank is None:
        problems.append(_problem("clock", "no-time", "give per_move, bank, or both; null is a game without a clock"))
    if clock.increment is not None and clock.bank is None:
        problems.append(_problem("clock/increment", "no-bank", "an increment is added to the bank, and there is none"))
    if problems:
        raise InvalidOptions(problems)


def _faults(name: str, text: str | None) -> Iterable[OptionProblem]:
    low, high = _BOUNDS[name]
    try:
        if text is not None and not low <= duration(text) <= high:
            yield _problem(
                f"clock/{name}", "out-of-bounds", f"{text} is out of bounds: PT{low // SECOND}S to P{high // DAY}D"
            )
    except ValueError as error:
        yield _problem(f"clock/{name}", "no-duration", str(error))


def _problem(option: str, code: str, message: str) -> OptionProblem:
    return OptionProblem(option, code, f"{option}: {message}")


def deadline(clock: Clock, times: Times, seat: Seat) -> int:
    """Say when the time of a seat with a pending decision is up."""
    free = duration(clock.per_move) if clock.per_move else 0
    return times.since[seat] + free + (times.banks[seat] if times.banks else 0)


@dataclass(frozen=True, slots=True)
class Request:
    """What the clocks hear of a request: when, its events, and whose decisions were pending before and after it."""

    at: int
    events: Iterable[Any]
    before: Mapping[Seat, int]
    after: Mapping[Seat, int]


def passed(clock: Clock | None, times: Times, request: Request) -> Times:
    """Say where the clocks stand after a request."""
    for event in request.events:
        times = _heard(clock, times, request.at, event)
    if clock is None:
        return times
    stays = {seat for seat, version in request.after.items() if request.before.get(seat) == version}
    if times.resumes is None:
        decided = request.before.keys() - stays
        times = replace(times, banks=_banks(clock, times, decided, request.at), claimed=times.claimed - decided)
    since = {
        seat: times.since[seat] if seat in stays else request.at - times.used.get(seat, 0) for seat in request.after
    }
    return replace(times, since=since, used=times.used if times.resumes else {})


def _heard(clock: Clock | None, times: Times, at: int, event: Any) -> Times:
    match event:
        case GameStarted(players) if clock and clock.bank:
            return replace(times, banks=(duration(clock.bank),) * len(players))
        case TimeCredited(began, ended):
            return _credited(times, instant(began), instant(ended))
        case GamePaused(length):
            used = {seat: at - began for seat, began in times.since.items()}
            return replace(times, used=used, resumes=at + duration(length))
        case GameResumed():
            return replace(times, resumes=None)
        case TimeoutClaimed(_, late):
            return replace(times, claimed=times.claimed | {late})
        case _:
            return times


def _credited(times: Times, began: int, ended: int) -> Times:
    since = {seat: start + max(0, ended - max(began, start)) for seat, start in times.since.items()}
    return replace(times, since=since, credited=ended)


def _banks(clock: Clock, times: Times, decided: Iterable[Seat], at: int) -> tuple[int, ...]:
    """Take from the banks what decisions took beyond the time per move, and add the increment."""
    if not times.banks:
        return ()
    free, increment = (duration(text) if text else 0 for text in (clock.per_move, clock.increment))
    banks = list(times.banks)
    for seat in decided:
        beyond = max(0, at - times.since[seat] - free)
        banks[seat] = max(0, banks[seat] - beyond) + increment
    return tuple(banks)


def owed(times: Times, downtimes: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the downtimes that some clock ran through and that were not credited yet."""
    return [
        (began, ended)
        for began, ended in downtimes
        if ended > times.credited and any(start < ended for start in times.since.values())
    ]
