"""What was done, by the events that it led to: the rules of every game, asked once more.

The type of an event tells who did what. The same functions that decided it then decide it again.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, get_args

from domain import events as ev
from domain.audit import forms
from domain.audit.candidates import Candidates, Told
from domain.audit.faults import Wrong, compare, value
from domain.errors import Rejected
from domain.game import aggregate, opening, operating, proposals, seating, timeouts
from domain.game.aggregate import Decided, Game
from domain.game.durations import instant
from domain.game.seeds import LONGEST_SEED
from domain.log.record import Shown
from domain.registry import RULESETS
from domain.serialization import Plain, from_plain
from domain.table import Seat


def created(events: Sequence[Shown], secret: bytes) -> Decided:
    """Create a game again: without anybody seated, but for a fork, which is created with all its events."""
    told = forms.read(ev.GameCreated, {**events[0]["data"], "secret": secret.hex()}, 1)
    ruleset = RULESETS[told.ruleset]
    new = seating.NewGame(
        id=events[0]["game_id"],
        ruleset=ruleset,
        options=ruleset.options.complete(told.options, told.seats),
        visibility=told.visibility,
        sandbox=told.sandbox,
        creator=told.creator,
        sitters=(None,) * told.seats,
        clock=told.clock,
        rematch_of=told.rematch_of,
        forked_from=told.forked_from,
        bot_pace=told.bot_pace,
        opening=told.opening,
        by_deal=told.deal_anchor is not None,
        deal=None if told.deal is None else (told.deal, _deal_secret(told)),
    )
    if told.forked_from is not None:
        new = _forked(new, events, told.forked_from.events)
    return seating.create(new, secret, least_move=0)


def _deal_secret(told: ev.GameCreated) -> bytes:
    if not isinstance(told.deal_secret, str) or not _DIGITS.fullmatch(told.deal_secret):
        raise Wrong(1, "/data/deal_secret", "64 hex digits", value(told.deal_secret))
    return bytes.fromhex(told.deal_secret)


def _forked(new: seating.NewGame, events: Sequence[Shown], count: int) -> seating.NewGame:
    started = [event["type"] for event in events].index("game_started")
    seated = events[1:started]
    sat = [_well_formed(ev.EVENTS, event) for event in seated]
    sitters = {each.seat: each.player for each in sat if isinstance(each, ev.SeatTaken)}
    told = [_well_formed(new.ruleset.events, event) for event in events[started + 1 : started + 1 + count]]
    return replace(
        new,
        sitters=tuple(sitters.get(seat) for seat in range(len(new.sitters))),
        bots=tuple((each.seat, each.bot) for each in sat if isinstance(each, ev.BotSeated)),
        story=told,
    )


def event_of(events: Mapping[str, type], shown: Shown) -> object:
    """Read an event of which every part is seen; raise ``Wrong`` if its type is not known."""
    told: object = from_plain(_type_of(events, shown), whole(shown))
    return told


def _well_formed(events: Mapping[str, type], shown: Shown) -> object:
    """Read an event whose content is taken from the log; raise ``Wrong`` if its type is not known, or at a field."""
    return forms.read(_type_of(events, shown), whole(shown), shown["version"])


def _type_of(events: Mapping[str, type], shown: Shown) -> type:
    cls = events.get(shown["type"])
    if cls is None:
        raise Wrong(shown["version"], "/type", "an event of the rules", value(shown["type"]))
    return cls


def whole(shown: Shown) -> dict[str, Plain]:
    """Return the data of an event with the seat that acted."""
    return {**shown["data"], "seat": shown["seat"]} if shown["seat"] is not None else dict(shown["data"])


def done_again(game: Game, log: Sequence[Shown], candidates: Candidates) -> Decided:
    """Do again what led to the event of a log that follows a game; raise ``Wrong`` or ``Rejected``."""
    first = log[game.version]
    if first["type"] in game.ruleset.events and first["seat"] is not None:
        return _acted(game, first["seat"], log, candidates)
    event = _well_formed({**ev.EVENTS, **game.ruleset.events}, first)
    again = _COMMANDS.get(type(event))
    if again is not None:
        return again(game, event, instant(first["at"]))
    if isinstance(event, ev.TurnTimedOut):
        return _late(game, event, log, candidates)
    if isinstance(event, ev.OperatorActed):
        after = log[first["version"] : first["version"] + 1]
        return _by_operator(game, event, [_well_formed(ev.EVENTS, each) for each in after if each["type"] in ev.EVENTS])
    raise Wrong(first["version"], "/type", "what a seat or a clock can bring about now", value(first["type"]))


def _acted(game: Game, seat: Seat, log: Sequence[Shown], candidates: Candidates) -> Decided:
    aggregate.check_active(game)
    if _resigns(game, seat, log[game.version]):
        return aggregate.resign(game, seat)
    aggregate.check_turn(game, seat)
    return aggregate.act(game, seat, _action(game, seat, log, game.version, candidates))


def _late(game: Game, event: ev.TurnTimedOut, log: Sequence[Shown], candidates: Candidates) -> Decided:
    first, at = log[game.version], instant(log[game.version]["at"])
    if (late := timeouts.late_seat(game, at)) != event.seat:
        raise Wrong(first["version"], "/seat", f"a seat whose time is up, {value(late)}", value(event.seat))
    compare(first["version"], "/data/by", timeouts.lost_by(game) if timeouts.loses(game) else "bot", event.by)
    if event.bot is None:
        return timeouts.lose_late(game, event.seat)
    return timeouts.act_late(game, event.seat, event.bot, _action(game, event.seat, log, game.version + 1, candidates))


def _by_operator(game: Game, acted: ev.OperatorActed, result: Sequence[object]) -> Decided:
    match acted.act, result:
        case "abort", _:
            return operating.abort(game, acted.reason)
        case "replace", [ev.BotSeated(seat, bot)]:
            return operating.replace(game, seat, bot, acted.reason)
        case _:
            raise Wrong(game.version + 1, "/data/act", "what an operator can do", value(acted.act))


def _resigns(game: Game, seat: Seat, shown: Shown) -> bool:
    """Return whether an event tells that a seat resigned, as the rules allow it now."""
    if game.ruleset.resigned is None:
        return False
    try:
        first = game.ruleset.resign(game.state, seat)[0]
    except Rejected:
        return False
    known = game.ruleset.events
    return type(first) is known[shown["type"]] and first == event_of(known, shown)


def _action(game: Game, seat: Seat, log: Sequence[Shown], place: int, candidates: Candidates) -> object:
    known, first = game.ruleset.events, log[place] if place < len(log) else log[-1]
    action = None
    if place < len(log) and first["seat"] == seat and first["type"] in known:
        action = candidates.action_behind(game, seat, Told(known, log, place, partial(event_of, known)))
    if action is None:
        raise Wrong(first["version"], "/data", f"a legal action of seat {seat}", _described(first))
    return action


def _described(shown: Shown) -> str:
    return f"{shown['type']} {value(shown['data'])}"


def _joined(game: Game, event: ev.SeatTaken, at: int) -> Decided:
    _check_brought(game.version + 1, event.client_seed, event.seed_commitment)
    if event.joined_after is not None:
        compare(game.version + 1, "/data/joined_after", game.head, event.joined_after)
    return seating.join(
        game,
        event.player,
        event.seat,
        event.client_seed,
        event.joined_after,
        seed_commitment=event.seed_commitment,
        now=at,
    )


def _check_brought(version: int, seed: object, commitment: object) -> None:
    if not (seed is None or (isinstance(seed, str) and 1 <= len(seed) <= LONGEST_SEED)):
        raise Wrong(version, "/data/client_seed", f"a text of 1 to {LONGEST_SEED} characters", value(seed))
    if not (commitment is None or (isinstance(commitment, str) and _DIGITS.fullmatch(commitment))):
        raise Wrong(version, "/data/seed_commitment", "64 hex digits", value(commitment))


def _seated(game: Game, event: ev.BotSeated, at: int) -> Decided:
    if game.awaited is not None:
        return opening.give_up(game, event.seat, event.bot)
    sitter = game.sitters[event.seat]
    return seating.put_bot(game, (sitter.player if sitter else None) or "", event.seat, event.bot, now=at)


def _aborted(game: Game, event: ev.GameAborted, at: int) -> Decided:
    if event.reason in {"idle", "closed"} and game.status != "open":
        return timeouts.expire(game, at, timeouts.ENDLESS) if game.deal else timeouts.abandon(game)
    if event.reason not in get_args(ev.AbortReason) or event.reason in _NOT_BEFORE_THE_START:
        raise Wrong(game.version + 1, "/data/reason", "why an open game ends", value(event.reason))
    return seating.abort(game, event.reason)


_NOT_BEFORE_THE_START = frozenset({"agreed", "operator", "unopened", "idle", "closed", "endless"})
"""The reasons that are no command's own: an end for one of them is part of the result of another command."""

_DIGITS: Final = re.compile("[0-9a-f]{64}")

_Again: TypeAlias = Callable[[Game, Any, int], Decided]

_COMMANDS: Mapping[type, _Again] = {
    ev.SeatTaken: _joined,
    ev.SeatLeft: lambda game, event, _: seating.leave(game, event.player, event.seat),
    ev.BotSeated: _seated,
    ev.SeedOpened: lambda game, event, _: opening.open_seed(game, event.seat, event.client_seed),
    ev.SeedsClosed: lambda game, _, at: opening.close(game, at),
    ev.GameAborted: _aborted,
    ev.ProposalMade: lambda game, event, _: proposals.propose(
        game, event.seat, event.kind, event.duration, event.to_version
    ),
    ev.VoteCast: lambda game, event, _: proposals.vote(game, event.seat, event.proposal, accept=event.accept),
    ev.TimeoutClaimed: lambda game, event, at: timeouts.claim(game, event.seat, at),
    ev.TimeCredited: lambda game, event, _: aggregate.settled(game, [event]),
    ev.ProposalClosed: lambda game, _, at: timeouts.resume(game, at),
    ev.GameResumed: lambda game, _, at: timeouts.resume(game, at),
}
"""What each kind of event says that was done; each function gets the game, the event, and its time in ms."""
