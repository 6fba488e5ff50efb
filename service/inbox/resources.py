"""Notices as their players see them, in the interface; the types describe it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from service.inbox.notices import Kind, Notice

Names = Callable[[Iterable[str]], Mapping[str, str]]
"""Looks up the names of players by their ids."""


class InvitedNoticeData(TypedDict):
    """The invitation, who made it, and the seat that it is for; a null seat is any."""

    invitation: str
    by: str
    by_name: str | None
    seat: int | None
    expires_at: str


class SeedsAwaitedNoticeData(TypedDict):
    """Your seat, and until when the seed that you committed to can be opened."""

    seat: int
    until: str


class GameStartedNoticeData(TypedDict):
    """Your seat."""

    seat: int


class TurnNoticeData(TypedDict):
    """Your seat, the decision that you have to make, and until when; null without a clock."""

    seat: int
    decision_id: str
    deadline: str | None


class ProposalMadeNoticeData(TypedDict):
    """The proposal on which you can vote, and who made it.

    ``duration`` is that of a pause, ``to_version`` the version to which a take-back goes back.
    """

    proposal: str
    kind: str
    seat: int
    by: str
    by_name: str | None
    duration: str | None
    to_version: int | None


class GameEndedNoticeData(TypedDict):
    """How the game ended; ``reason`` is that of its outcome, or why it was aborted."""

    status: Literal["finished", "aborted"]
    reason: str


class NoticeResource(TypedDict):
    """Something that happened in one of your games; ``id`` is the place in your events to continue after.

    ``version`` is that of the game at that moment.
    """

    id: str
    type: Kind
    at: str
    game_id: str
    version: int
    data: dict[str, Any]


class NoticePage(TypedDict):
    """Your events, oldest first; ``next`` is the id to continue after, null if these are the latest."""

    events: list[NoticeResource]
    next: str | None


DATA: Mapping[Kind, tuple[type, str]] = {
    "invited": (InvitedNoticeData, "You are invited to a game."),
    "seeds_awaited": (SeedsAwaitedNoticeData, "Every seat is taken, and the seed that you committed to is awaited."),
    "game_started": (GameStartedNoticeData, "A game in which you have a seat has started."),
    "your_turn": (
        TurnNoticeData,
        "It is your turn, after another player's move.",
    ),
    "deadline_near": (TurnNoticeData, "It is your turn, and little of your time is left."),
    "proposal_made": (ProposalMadeNoticeData, "Another player has made a proposal on which you can vote."),
    "game_ended": (GameEndedNoticeData, "A game in which you have a seat, or that you created, has ended."),
    "plan_dropped": (
        TurnNoticeData,
        "Your plan does not fit your turn, so its steps were dropped; `your_turn` follows.",
    ),
}
"""For each kind of notice, the type of its data, and what has happened."""


def shown(notices: Sequence[Notice], names: Names) -> list[NoticeResource]:
    """Show notices to their player, with the names that players have now beside their ids."""
    known = names({by for each in notices if (by := _by(each)) is not None})
    return [
        {
            "id": each.cursor,
            "type": each.kind,
            "at": each.at,
            "game_id": each.game_id,
            "version": each.version,
            "data": {**each.data} if (by := _by(each)) is None else {**each.data, "by_name": known.get(by)},
        }
        for each in notices
    ]


def _by(notice: Notice) -> str | None:
    by = notice.data.get("by")
    return by if isinstance(by, str) else None
