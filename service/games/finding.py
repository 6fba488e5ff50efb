"""Which games a list is to show, by what lists keep of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from domain.events import Clock
from domain.game.aggregate import Status
from domain.game.time_control import Speed, speed_of


@dataclass(frozen=True, slots=True)
class Filter:
    """What games must have to be listed; ``open_seats`` is how many open seats at least."""

    status: Status | None = None
    ruleset: str | None = None
    speed: Speed | None = None
    open_seats: int = 0

    def beside_lists(self) -> "Filter":
        """Return what is left to test in lists that have games of the right status and ruleset only."""
        return replace(self, status=None, ruleset=None)

    def test(self) -> Callable[[bytes], bool] | None:
        """Return the test of a game's public data as lists keep it, None if there is nothing to test."""
        return None if self == Filter() else self._passes

    def _passes(self, kept: bytes) -> bool:
        shown = orjson.loads(kept)
        return (
            self.status in (None, shown["status"])
            and self.ruleset in (None, shown["ruleset"])
            and self.speed in (None, speed_shown(shown))
            and self.open_seats <= sum(seat["player"] is seat["bot"] is None for seat in shown["seats"])
        )


def speed_shown(shown: Mapping[str, Any]) -> Speed:
    """Return the speed of a game by its public data, which has none if it was written before games had one."""
    speed: Speed | None = shown.get("speed")
    return speed or speed_of(shown["clock"] and Clock(**shown["clock"]))
