"""What golden games are kept for; each ruleset that has some has a module ``<ruleset>_ways`` beside this one.

Such a module offers ``wanted(seats)``, the golden games there are to be, ``shown(events)``, the words for what a
game's events show, ``PLAYED``: how a game is played for a word that random choices would never come to, and
``WITH_VIEWS``: the names of the few games whose views are hashed too. Those are short and show many kinds of events.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, cast

from domain.registry import RULESETS
from tests.support.random_games import Step


@dataclass(frozen=True)
class Wanted:
    """A golden game to be found: its ruleset, name, players, options, and what its events must show."""

    ruleset: str
    name: str
    seats: int
    happens: str
    options: Mapping[str, Any] = field(default_factory=dict)


class Ways(Protocol):
    """What a ruleset's module of ways offers."""

    PLAYED: Mapping[str, Callable[..., Iterator[Step]]]
    WITH_VIEWS: Collection[str]

    def wanted(self, seats: int) -> list[Wanted]:
        """List the golden games for a number of players."""

    def shown(self, events: Sequence[Any]) -> set[str]:
        """Return what the events of a game show."""


RULESETS_WITH_GOLDEN_GAMES = ("le-plateau", "plateau", "french-tarot", "plute")


def ways_of(ruleset_id: str) -> Ways:
    """Return the ways of one ruleset."""
    return cast("Ways", import_module(f"tests.golden.{ruleset_id.replace('-', '_')}_ways"))


def all_wanted() -> list[Wanted]:
    """List every golden game there is to be."""
    tables = [(ruleset_id, seats) for ruleset_id in RULESETS_WITH_GOLDEN_GAMES for seats in RULESETS[ruleset_id].seats]
    return [want for ruleset_id, seats in tables for want in ways_of(ruleset_id).wanted(seats)]
