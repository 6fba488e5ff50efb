"""When which daily set is open: one a day of each game with deals, with every number of players in turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from domain.game.durations import DAY, HOUR, instant

_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A set has so many ``deals``, opens at an ``hour`` of its day (UTC) and closes after so many ``hours``.

    If an ``auction`` is given, the bot of this name bids for every seat, where the rules allow it. ``games`` are the
    rulesets that have a daily set, by their ids, each with numbers of players, which take turns.
    """

    deals: int = 12
    hour: int = 0
    hours: int = 24
    bot: str = "greedy"
    auction: str | None = None
    games: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def opens(self, day: date) -> int:
        """Return when the sets of a day open, in ms since 1970."""
        return (day - _EPOCH).days * DAY + self.hour * HOUR

    def closes(self, day: date) -> int:
        """Return when the sets of a day close, in ms since 1970."""
        return self.opens(day) + self.hours * HOUR

    def seats(self, ruleset_id: str, day: date) -> int | None:
        """Return the number of players of a ruleset's set on a day; None if it has none."""
        numbers = dict(self.games).get(ruleset_id)
        return numbers[day.toordinal() % len(numbers)] if numbers else None

    def latest(self, at: int) -> date:
        """Return the last day whose sets open by a time."""
        return _EPOCH + timedelta(days=(at - self.hour * HOUR) // DAY)

    def days(self, now: int) -> Iterator[date]:
        """Return the days whose sets are open at a time, the latest first."""
        day = self.latest(now)
        while self.closes(day) > now:
            yield day
            day -= timedelta(days=1)


def day_of(text: str) -> date | None:
    """Read a day, such as 2026-11-27; None if it is none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text and instant(f"{text}T00:00:00.000Z") >= 0 else None
