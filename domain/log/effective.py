"""Which events of a log still count, once some were taken back: what a text of the game consists of."""

from collections.abc import Iterator, Sequence

from domain.log.record import Shown
from domain.serialization import Plain


def effective(events: Sequence[Shown]) -> list[Shown]:
    """Leave out what was taken back.

    That is, for each take-back, everything after the version that it returned to. Votes stay or go with their proposal:
    one that was open before stays, unless it lapsed in between.
    """
    undone = [
        range(event["data"]["to_version"] + 1, event["version"] + 1)
        for event in events
        if event["type"] == "taken_back"
    ]
    if not undone:
        return list(events)
    gone = {*_proposals_gone(events, undone)}
    return [event for event in events if _counts(event, undone, gone)]


def _proposals_gone(events: Sequence[Shown], undone: Sequence[range]) -> Iterator[Plain]:
    """List the proposals that were made while something else was played, or lapsed then."""
    for event in events:
        lapsed = event["type"] == "proposal_closed" and event["data"]["result"] == "lapsed"
        if (event["type"] == "proposal_made" or lapsed) and _is_in(event, undone):
            yield event["data"]["proposal"]


def _counts(event: Shown, undone: Sequence[range], gone: set[Plain]) -> bool:
    if event["type"] in ("proposal_made", "vote_cast", "proposal_closed"):
        return event["data"]["proposal"] not in gone
    return not _is_in(event, undone)


def _is_in(event: Shown, undone: Sequence[range]) -> bool:
    return any(event["version"] in each for each in undone)
