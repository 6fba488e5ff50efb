"""The analysis of a finished game: each decision is asked again of a searcher, from the view of that moment.

A decision costs the score of the best action minus that of the played one, in the worlds in which both were tried.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from domain.errors import Rejected
from domain.game import aggregate, history
from domain.game.aggregate import Game
from domain.log.record import Record
from domain.serialization import Plain, from_plain
from domain.table import Seat
from service.games.projections.representations import action_data
from workers.advising import advised, reason_of, thousandths
from workers.policy_process import PolicyProcess

_MOST_TRIED = 5_000
"""The most legal actions that are tried to find the played one."""


class Decision(NamedTuple):
    """A game before a decision, the seat, and the action that it chose, as a client posts it."""

    game: Game
    seat: Seat
    played: dict[str, Plain]


def decisions(records: Sequence[Record]) -> Iterator[Decision]:
    """List the decisions of a log that the seats themselves made, and that had an alternative.

    Events that a fork repeats are left out, and decisions for a late player.
    """
    game = history.fold(records[:1])
    copied = game.forked_from.events if game.forked_from else 0
    place, late = 1, False
    while place < len(records):
        record, taken = records[place], 1
        if record.type in game.ruleset.events:
            if copied == 0 and not late and record.seat is not None and record.seat in game.pending:
                taken, decision = _played(game, record.seat, records[place:])
                if decision is not None:
                    yield decision
            copied = max(0, copied - taken)
        late = record.type == "turn_timed_out"
        game = history.fold(records[place : place + taken], game)
        place += taken


def _played(game: Game, seat: Seat, following: Sequence[Record]) -> tuple[int, Decision | None]:
    """Find the played action by its events; return their number, and the decision if there was an alternative."""
    legal = game.ruleset.legal_actions(game.state, seat)
    events: list[object] = []
    for action in islice(legal, _MOST_TRIED):
        try:
            decided = aggregate.decide(game, seat, action)
        except Rejected:
            continue
        while len(events) < len(decided) <= len(following) and following[len(events)].type in game.ruleset.events:
            record = following[len(events)]
            event: object = from_plain(game.ruleset.events[record.type], record.whole_data())
            events.append(event)
        if events[: len(decided)] == [*decided]:
            decision = Decision(game, seat, action_data(game.ruleset, action)) if len(legal) > 1 else None
            return len(decided), decision
    return 1, None


def studied(
    decision: Decision, name: str, process: PolicyProcess, playouts: int | None = None
) -> dict[str, Any] | None:
    """Ask a bot about a decision; return its cost, None if the bot does not search or did not weigh the action.

    Raise ``PolicyFailed`` if the bot does not answer.
    """
    thought = advised(decision.game, decision.seat, name, process, decision.played, playouts)
    played = next((each for each in thought.estimates if each.action == decision.played), None)
    if played is None or thought.measure == "worth":
        return None
    return {
        "version": decision.game.version + 1,
        "seat": decision.seat,
        "played": decision.played,
        "best": thought.action,
        "cost": thousandths(max(0.0, played.behind)),
        "error": thousandths(played.behind_error),
        "measure": thought.measure,
        "playouts": thought.playouts,
        "reason": reason_of(thought),
    }
