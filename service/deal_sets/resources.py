"""What clients receive of deal sets, as types."""

from typing import Any, TypedDict

from service.games.projections.resources import EventResource


class MyDeals(TypedDict):
    """What you have played of a set: how many deals you have opened and finished, and the game to continue.

    ``scores`` are yours, by deal, null where you have not finished one that you opened; ``par`` are those of the bots'
    own table, in the seat that you had, null until they have played it.
    """

    opened: int
    finished: int
    game: str | None
    scores: list[int | None]
    par: list[int | None]


class DailyResource(TypedDict):
    """The set of a day: the same deals for everyone, against the same bots, between two times.

    Each deal is a game of these ``options``. In the ``auction``, the bot of this name bids for every seat, if it is not
    null. ``mine`` is null without a token.
    """

    id: str
    ruleset: str
    seats: int
    date: str
    deals: int
    bot: str
    auction: str | None
    options: dict[str, Any]
    opens: str
    closes: str
    mine: MyDeals | None


class DailyList(TypedDict):
    """The sets that are open now, the latest first; ``next_cursor`` is always null."""

    items: list[DailyResource]
    next_cursor: str | None


class StandingResource(TypedDict):
    """What a player reached: points against the mean of the field, and the percentage of the field that they beat.

    ``rank`` is null for guests, who come last. ``deals`` were finished; ``games`` are those of all that were opened.
    """

    rank: int | None
    player: str
    name: str | None
    points: int
    percent: int
    deals: int
    games: list[str]


class DealResource(TypedDict):
    """A deal that counts: its secret (hex), the score of the bots' own table, and the mean of the field."""

    number: int
    secret: str
    par: int | None
    mean: int | None


class DailyResults(TypedDict):
    """A page of the results of a set, best first, with its deals."""

    items: list[StandingResource]
    deals: list[DealResource]
    next_cursor: str | None


class CardResource(TypedDict):
    """Your day, to be shared: as text, and as a picture; it tells nothing of the cards."""

    text: str
    svg: str


class SetEventPage(TypedDict):
    """Events of a set in order; ``next`` is the version to continue after, null at the end of the log."""

    events: list[EventResource]
    next: int | None
