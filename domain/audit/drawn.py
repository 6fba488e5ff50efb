"""The draws behind a log, as data: the one source of what an export states, and of what an audit compares it with."""

from collections.abc import Iterator, Sequence

from domain.draws import Draw, DrawnNumbers
from domain.log.record import Shown
from domain.ruleset import AnyRuleset
from domain.serialization import Plain, to_plain


def copied(events: Sequence[Shown]) -> int:
    """Return up to which version a log repeats another game; for a game that is no fork, up to its start."""
    started = next((event["version"] for event in events if event["type"] == "game_started"), len(events))
    origin = events[0]["data"].get("forked_from")
    return started + (origin["events"] if origin else 0)


def draws(ruleset: AnyRuleset, options: object, seats: int, events: Sequence[Shown]) -> Iterator[tuple[Shown, Draw]]:
    """Return the draws of a log, each with the event that shows it; of a fork, only those after what it repeats."""
    for event in events[copied(events) :]:
        if event["type"] in ruleset.events:
            for draw in ruleset.draws(options, seats, event):
                yield event, draw


def as_data(version: int, draw: Draw) -> Plain:
    """State a draw as plain data: either ``numbers`` or ``order``, the other is null."""
    named = {"version": version, "label": draw.label, "number": draw.number}
    rest = {name: part for name, part in to_plain(draw).items() if name not in named}
    is_number = isinstance(draw, DrawnNumbers)
    return named | {"numbers": rest if is_number else None, "order": None if is_number else rest}
