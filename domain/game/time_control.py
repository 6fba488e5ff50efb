"""The clocks of a game: arithmetic on given times, in milliseconds since 1970.

``passed`` returns the clocks after a request. Nothing here reads the current time: the time of a request is that of its
events.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from domain import events as ev
from domain.errors import InvalidOptions, OptionProblem
from domain.game.durations import DAY, MINUTE, SECOND, duration, instant, lasting
from domain.sentences.message import Message, Parameter, Text, message
from domain.serialization import changed
from domain.table import Seat
from domain.wellformed import fault_of

PLAY_BY_POST = ev.Clock(per_move="P3D", bank=None, increment=None, on_timeout="bot", bot="random")
"""The default clock of a game."""

LEAST_MOVE = 5 * SECOND
"""The minimum time for a move, in ms, that a new game's clock can give; the service can set another."""

Speed = Literal["none", "live", "daily", "slow"]
"""How fast a game goes: without a clock, or by the time for a turn, up to ten minutes, up to a day, or more."""

_LIVE, _DAILY = 10 * MINUTE, DAY
_TURNS_OF_A_BANK = 40
"""How many turns a bank is taken to last."""

_MOVES_OF_A_BANK = 12
"""A bank that must last for a whole game has at least this many times the minimum time for a move."""

_BESIDE_THE_GAME = {ev.ProposalMade, ev.VoteCast, ev.TimeoutClaimed, ev.BotSeated, ev.OperatorActed}
"""Events of a seat that leave its pending decision as it is."""


@dataclass(frozen=True)
class Times:
    """The clocks of a game after its last event."""

    since: Mapping[Seat, int] = field(default_factory=dict)
    """When the clock of each pending decision began to run; credited time moves it on."""
    until: Mapping[Seat, int] = field(default_factory=dict)
    """When the time for each pending decision ends."""
    banks: tuple[int, ...] = ()
    """The time that each seat has left beyond the time per move."""
    used: Mapping[Seat, int] = field(default_factory=dict)
    """The time that pending decisions had used when the game was paused."""
    resumes: int | None = None
    """When the pause ends."""
    credited: int = 0
    """Downtimes are credited up to this time: the end of the last credited one, or of a pause."""
    claimed: frozenset[Seat] = frozenset()
    """The seats whose timeout was claimed and whose time is still up; credited time undoes a claim."""
    absent: frozenset[Seat] = frozenset()
    """The seats whose last turn timed out and that have done nothing since."""


def check(clock: ev.Clock, least_move: int = LEAST_MOVE) -> None:
    """Reject a clock that is not possible, or gives less than ``least_move`` ms a move.

    Raise ``InvalidOptions`` with all problems.
    """
    fault = fault_of(ev.Clock, clock)
    if fault is not None:
        raise InvalidOptions([OptionProblem("clock", "wrong-type", message("fault.clock", fault=fault))])
    bounds = {"per_move": (least_move, 90 * DAY), "bank": (SECOND, 365 * DAY), "increment": (0, DAY)}
    problems = [problem for name in bounds for problem in _faults(name, getattr(clock, name), *bounds[name])]
    if clock.per_move is None and clock.bank is None:
        problems.append(_problem("clock", "no-time"))
    if clock.increment is not None and clock.bank is None:
        problems.append(_problem("clock/increment", "no-bank"))
    if not problems and _is_spent_soon(clock, least_move):
        least, whole = lasting(least_move), lasting(_MOVES_OF_A_BANK * least_move)
        problems.append(
            _problem("clock/bank", "too-short", bank=Text(clock.bank or ""), whole=Text(whole), least=Text(least))
        )
    if problems:
        raise InvalidOptions(problems)


def speed_of(clock: ev.Clock | None) -> Speed:
    """Return how fast a game with this clock goes."""
    if clock is None:
        return "none"
    if clock.per_move is not None:
        turn = duration(clock.per_move)
    else:
        turn = duration(clock.bank or "PT0S") // _TURNS_OF_A_BANK + duration(clock.increment or "PT0S")
    return "live" if turn <= _LIVE else "daily" if turn <= _DAILY else "slow"


def _is_spent_soon(clock: ev.Clock, least_move: int) -> bool:
    """Return whether a seat with nothing but its bank has hardly any time."""
    if clock.per_move is not None or clock.bank is None or duration(clock.increment or "PT0S") >= least_move:
        return False
    return duration(clock.bank) < _MOVES_OF_A_BANK * least_move


def _faults(name: str, text: str | None, least: int, most: int) -> Iterable[OptionProblem]:
    try:
        if text is not None and not least <= duration(text) <= most:
            bounds = {"least": Text(lasting(least)), "most": Text(lasting(most))}
            yield _problem(f"clock/{name}", "out-of-bounds", given=Text(text), **bounds)
    except ValueError:
        yield _problem(f"clock/{name}", "no-duration", given=Text(text or ""))


def _problem(option: str, code: str, **parameters: Parameter) -> OptionProblem:
    fault = Message(f"fault.{code}", parameters)
    return OptionProblem(option, code, message("fault.at", at=Text(option), fault=fault))


def passed(
    clock: ev.Clock | None,
    times: Times,
    at: int,
    events: Sequence[object],
    before: Mapping[Seat, int],
    after: Mapping[Seat, int],
) -> Times:
    """Return the clocks after a request, by its time, its events, and the decisions around it.

    ``before`` are the decisions that were pending, ``after`` those that the game waits for now; both by version.
    """
    if times.absent:
        times = changed(times, absent=times.absent - {getattr(event, "seat", None) for event in events})
    for event in events:
        if type(event) in _HEARD:
            times = _heard(clock, times, at, event)
        elif type(event) is ev.TurnTimedOut:
            times = changed(times, absent=times.absent | {event.seat})
        elif type(event) is ev.TakenBack and clock is not None and times.banks:
            times = changed(times, banks=_charged(clock, times, times.since, at, has_moved=False))
    if clock is None:
        return times
    since = {
        seat: times.since[seat] if seat in times.since and before.get(seat) == version else at - times.used.get(seat, 0)
        for seat, version in after.items()
    }
    return _standing(clock, times, at, since, times.since.keys() & actors(events))


def actors(events: Iterable[object]) -> set[Seat | None]:
    """Return the seats that acted, by the events of a request; None among them if some event has no actor."""
    return {getattr(event, "seat", None) for event in events if type(event) not in _BESIDE_THE_GAME}


def _standing(clock: ev.Clock, times: Times, at: int, since: Mapping[Seat, int], decided: Set[Seat]) -> Times:
    """Charge the seats that have decided, unless the game was paused instead, and set the new deadlines."""
    is_paused = times.resumes is not None
    banks = times.banks if is_paused or not times.banks else _charged(clock, times, decided, at)
    free = duration(clock.per_move) if clock.per_move else 0
    until = {seat: began + free + (banks[seat] if banks else 0) for seat, began in since.items()}
    return changed(
        times,
        since=since,
        until=until,
        banks=banks,
        used=times.used if is_paused else {},
        claimed=frozenset(seat for seat in times.claimed - decided if seat in until and until[seat] <= at),
    )


_HEARD = {ev.GameStarted, ev.TimeCredited, ev.GamePaused, ev.GameResumed, ev.TimeoutClaimed}


def _heard(clock: ev.Clock | None, times: Times, at: int, event: object) -> Times:
    match event:
        case ev.GameStarted(players) if clock and clock.bank:
            return changed(times, banks=(duration(clock.bank),) * len(players))
        case ev.TimeCredited(began, ended):
            return _credited(times, instant(began), instant(ended))
        case ev.GamePaused(length):
            used = {seat: at - began for seat, began in times.since.items()}
            return changed(times, used=used, resumes=at + duration(length))
        case ev.GameResumed():
            return changed(times, resumes=None, credited=max(times.credited, at))
        case ev.TimeoutClaimed(_, late):
            return changed(times, claimed=times.claimed | {late})
        case _:
            return times


def _credited(times: Times, began: int, ended: int) -> Times:
    began = max(began, times.credited)
    since = {seat: start + max(0, ended - max(began, start)) for seat, start in times.since.items()}
    return changed(times, since=since, credited=max(times.credited, ended))


def _charged(
    clock: ev.Clock, times: Times, decided: Iterable[Seat], at: int, *, has_moved: bool = True
) -> tuple[int, ...]:
    """Take the time beyond the time per move from the banks, and add the increment for a move."""
    free, increment = (duration(text) if text else 0 for text in (clock.per_move, clock.increment))
    banks = list(times.banks)
    for seat in decided:
        beyond = max(0, at - times.since[seat] - free)
        banks[seat] = max(0, banks[seat] - beyond) + (increment if has_moved else 0)
    return tuple(banks)
