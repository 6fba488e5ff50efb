"""Which games a list is to show, by what lists keep of them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from domain.events import Clock
from domain.game.aggregate import Status
from domain.game.time_control import Speed, speed_of


@dataclass(frozen=True, slots=True)
class Filter:
    """What listed games must have: at least so many ``open_seats``, and a ``player`` who has a part in them."""

    status: Status | None = None
    ruleset: str | None = None
    speed: Speed | None = None
    open_seats: int = 0
    player: str | None = None

    def beside_lists(self) -> "Filter":
        """Return what is left to test in lists that have games of the right status and ruleset only."""
        return replace(self, status=None, ruleset=None)

    def test_of_public(self, statuses: Collection[Status]) -> Callable[[bytes], bool]:
        """Return the test in a list that has private games, too, for public ones of these statuses."""

        def passes(kept: bytes) -> bool:
            shown = orjson.loads(kept)
            return shown["visibility"] == "public" and shown["status"] in statuses and self._fits(shown)

        return passes

    def test(self) -> Callable[[bytes], bool] | None:
        """Return the test of a game's public data as lists keep it, None if there is nothing to test."""
        return None if self == Filter() else lambda kept: self._fits(orjson.loads(kept))

    def _fits(self, shown: Mapping[str, Any]) -> bool:
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
