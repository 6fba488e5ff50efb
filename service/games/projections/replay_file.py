"""A whole game as data that replays without the service: every scene of every viewer, the log in words, the draws.

A scene differs little from the one before, so only changes are stored. A change is a list with the new value, or an
object with a change for each key, or place in a list, that differs; null where nothing changes. Under the key "", a
list changes its length: the place, how many items are removed, and the new items. If a viewer's scene changes exactly
as that of the viewer before, the change is 0.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypedDict

from domain.game import history
from domain.game.aggregate import Game
from domain.log.record import Record
from domain.serialization import Plain, to_plain
from domain.table import Seat
from domain.texts import form
from service.accounts.players import Person
from service.common.errors import Unprocessable, refusal
from service.games.projections import representations
from service.games.projections.auditing import AuditResource, audit
from service.games.projections.naming import Nameplates, People, nameplates, put_names
from service.games.projections.narrating import SEATING, all_nameplates, put_sentences
from service.games.projections.resources import GameResource
from service.games.projections.scenes import SceneResource

MOST_SCENES = 4000
"""The most scenes in one recording; a scene takes from half a millisecond to one and a half."""

_PICKED = re.compile(r"(?=<g [^>]*data-pick=)")
"""Where the drawing of a stage is split, so that its unchanged parts are not repeated."""

Change = list[Plain] | dict[str, Any] | None
AS_BEFORE = 0


class Eyes(NamedTuple):
    """Who looks: a seat, a spectator (None), or with ``everything`` a reader who sees all that is hidden."""

    seat: Seat | None
    everything: bool = False

    @property
    def name(self) -> str:
        """Return the name as in the parameter ``as``; ``all`` sees everything."""
        return "all" if self.everything else "spectator" if self.seat is None else str(self.seat)


class Recording(TypedDict):
    """A game as its viewers saw it. ``changes`` has for each of ``versions`` a change of each viewer's scene.

    ``parts`` are what the drawings of the stage are made of: a scene has their numbers. ``sentences`` say what
    happened, by event. ``name`` is that of the rules, in the language of all the words.
    """

    game: GameResource
    name: str
    lang: str
    viewers: list[str]
    versions: list[int]
    parts: list[str]
    changes: list[list[Change | int]]
    sentences: list[str]


class Recorded(NamedTuple):
    recording: Recording
    audit: AuditResource


def eyes_on(game: Game, viewer: Seat | None, *, alone: bool) -> list[Eyes]:
    """List the viewers of a recording: all of them once the game is over; before that, or with ``alone``, only one."""
    if alone or not game.is_over:
        return [Eyes(viewer)]
    return [*map(Eyes, range(len(game.sitters))), Eyes(None), Eyes(None, everything=True)]


def names_in(game: Game, records: Iterable[Record], look_up: People) -> Nameplates:
    """Return the nameplates of everyone whom a recording can name."""
    return all_nameplates(game, look_up, [each.data["player"] for each in records if each.type in SEATING])


def record(
    game: Game,
    records: Sequence[Record],
    eyes: Sequence[Eyes],
    plates: Nameplates,
    lang: str,
    fields: Sequence[str] = (),
) -> Recorded:
    """Record a game for those who look, the first of whom reads the log.

    Beside its scenes, the recording has these ``fields`` of the state in each view.
    """
    document = audit(game, eyes[0].seat, records)
    stops = _stops(document)
    if len(stops) * len(eyes) > MOST_SCENES:
        said = refusal("too-long.fewer") if len(eyes) > 1 else refusal("too-long")
        raise Unprocessable("too-long", said)

    def people(players: Iterable[str]) -> Mapping[str, Person]:
        return {player: plates.players[player] for player in players if player in plates.players}

    events: list[Any] = [{**event} for event in document["events"]]
    put_sentences(events, game, people, lang)
    shown = representations.game_resource(game)
    put_names(shown, nameplates(game, people))
    book = _Book(game, eyes, people, lang, fields)
    recording: Recording = {
        "game": shown,
        "name": form.name(game.ruleset, lang),
        "lang": lang,
        "viewers": [each.name for each in eyes],
        "versions": stops,
        "changes": [book.changes(each) for each in history.seen_at(records, frozenset(stops))],
        "parts": [*book.parts],
        "sentences": [event["sentence"]["text"] for event in events],
    }
    return Recorded(recording, document)


def _stops(document: AuditResource) -> list[int]:
    """List the versions to step through: before each move, after each draw, and at both ends."""
    last = document["version"]
    moves = {event["version"] - 1 for event in document["events"] if event["seat"] is not None}
    return sorted({1, last, last - 1, *moves, *(draw["version"] for draw in document["draws"])} - {0})


class _Book:
    """The recorder: the last scene of each viewer, and the numbers of all parts of drawings."""

    def __init__(self, last: Game, eyes: Sequence[Eyes], people: People, lang: str, fields: Sequence[str]) -> None:
        self.parts: dict[str, int] = {}
        self._last = last
        self._eyes, self._people, self._lang, self._fields = eyes, people, lang, fields
        self._before: list[dict[str, Any]] = [{} for _ in eyes]

    def changes(self, game: Game) -> list[Change | int]:
        """Return the changes in the scene of each viewer; an open seat shows the player who took it in the end."""
        sitters = tuple(sitter or later for sitter, later in zip(game.sitters, self._last.sitters, strict=True))
        game = replace(game, sitters=sitters)
        labels = nameplates(game, self._people).labels()
        changes = [self._next(place, game, labels) for place in range(len(self._eyes))]
        same = [place > 0 and change == changes[place - 1] for place, change in enumerate(changes)]
        return [AS_BEFORE if is_same else change for is_same, change in zip(same, changes, strict=True)]

    def _next(self, place: int, game: Game, labels: Mapping[str, str]) -> Change:
        (seat, everything), before = self._eyes[place], self._before[place]
        scene = self._taken_apart(representations.scene(game, seat, self._lang, labels, everything=everything))
        scene["row"] = before.get("row", {}) | scene["row"]
        if self._fields and game.state is not None:
            state = representations.state(game, seat, everything=everything)
            scene["state"] = {field: to_plain(getattr(state, field)) for field in self._fields}
        self._before[place] = scene
        return _change(before, scene)

    def _taken_apart(self, scene: SceneResource) -> dict[str, Any]:
        """Write a scene so that little of it changes: rows by their ids, and the stage as the numbers of its parts."""
        stage = scene["stage"]
        return {
            "title": scene["title"],
            "lines": scene["lines"],
            "stage": stage and {"svg": self._numbers(stage["svg"]), "says": stage["says"]},
            "rows": [row["id"] for row in scene["rows"]],
            "row": {row["id"]: row for row in scene["rows"]},
            "seats": scene["seats"],
            "sheet": scene["sheet"],
            "totals": scene["totals"],
            "goals": scene["goals"],
            "offers": scene["offers"],
            "counterclockwise": scene["counterclockwise"],
        }

    def _numbers(self, svg: str) -> list[int]:
        return [self.parts.setdefault(part, len(self.parts)) for part in _PICKED.split(svg)]


def _change(old: Plain, new: Plain) -> Change:
    if old == new:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        pairs: Iterable[tuple[str, Plain, Plain]] = ((key, old.get(key), value) for key, value in new.items())
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            return {"": _cut(old, new)}
        pairs = ((str(place), *both) for place, both in enumerate(zip(old, new, strict=True)))
    else:
        return [new]
    return {key: change for key, was, value in pairs if (change := _change(was, value)) is not None}


def _cut(old: list[Plain], new: list[Plain]) -> list[Plain]:
    """Return the place where a list changes its length, how many items are removed there, and the new items."""
    most = min(len(old), len(new))
    start = next((place for place in range(most) if old[place] != new[place]), most)
    end = next((place for place in range(most - start) if old[-1 - place] != new[-1 - place]), most - start)
    return [start, len(old) - start - end, *new[start : len(new) - end]]
