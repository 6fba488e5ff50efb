"""A whole game as data that replays without the service: every scene of every viewer, the log in words, the draws.

A scene differs little from the one before, so only what changes is kept. A change is a list with the new value, or an
object with a change for each key, or place in a list, that is not as it was; null where nothing changes. Under the key
"" is what makes a list longer or shorter: where, how many go, and what comes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypedDict

from domain.game import history
from domain.game.aggregate import Game
from domain.log.record import Record
from domain.serialization import Plain
from domain.table import Seat
from domain.texts import form
from service.errors import Unprocessable
from service.games import representations
from service.games.auditing import AuditResource, audit
from service.games.naming import Nameplates, Names, nameplates, put_names
from service.games.narrating import SEATING, all_nameplates, put_sentences
from service.games.resources import GameResource
from service.games.scenes import SceneResource

MOST_SCENES = 4000
"""The most scenes in one recording; a scene takes from half a millisecond to one and a half."""

_PICKED = re.compile(r"(?=<g [^>]*data-pick=)")
"""Where the drawing of a stage is taken apart, so that what does not change in it is not repeated."""

Change = list[Plain] | dict[str, Any] | None


class Eyes(NamedTuple):
    """Who looks: a seat, a spectator (None), or with ``everything`` somebody who sees all that is hidden."""

    seat: Seat | None
    everything: bool = False

    @property
    def name(self) -> str:
        """Name them as the parameter ``as`` does; ``all`` sees everything."""
        return "all" if self.everything else "spectator" if self.seat is None else str(self.seat)


class Recording(TypedDict):
    """A game as its viewers saw it. ``changes`` has for each of ``versions`` a change of each viewer's scene.

    ``sentences`` say what happened, by event. ``name`` is that of the rules, in the language of all the words.
    """

    game: GameResource
    name: str
    lang: str
    viewers: list[str]
    versions: list[int]
    changes: list[list[Change]]
    sentences: list[str]


class Recorded(NamedTuple):
    """A recording, and the log that verifies it."""

    recording: Recording
    audit: AuditResource


def eyes_on(game: Game, viewer: Seat | None, *, alone: bool) -> list[Eyes]:
    """List who can look: all viewers once the game is over, and before that, or if asked ``alone``, one of them."""
    if alone or not game.is_over:
        return [Eyes(viewer)]
    return [*map(Eyes, range(len(game.sitters))), Eyes(None), Eyes(None, everything=True)]


def names_in(game: Game, records: Iterable[Record], look_up: Names) -> Nameplates:
    """Return the nameplates of everyone whom a recording can name."""
    return all_nameplates(game, look_up, [each.data["player"] for each in records if each.type in SEATING])


def record(game: Game, records: Sequence[Record], eyes: Sequence[Eyes], plates: Nameplates, lang: str) -> Recorded:
    """Record a game for those who look, the first of whom reads the log."""
    document = audit(game, eyes[0].seat, records)
    stops = _stops(document)
    if len(stops) * len(eyes) > MOST_SCENES:
        fewer = "; as=… exports what one viewer sees" if len(eyes) > 1 else ""
        raise Unprocessable("too-long", f"this game is too long for a file that replays it{fewer}")

    def names(players: Iterable[str]) -> Mapping[str, str]:
        return {player: plates.names[player] for player in players if player in plates.names}

    events: list[Any] = [{**event} for event in document["events"]]
    put_sentences(events, game, names, lang)
    shown = representations.game_resource(game)
    put_names(shown, nameplates(game, names))
    recording: Recording = {
        "game": shown,
        "name": form.name(game.ruleset, lang),
        "lang": lang,
        "viewers": [each.name for each in eyes],
        "versions": stops,
        "changes": list(_changes(history.seen_at(records, frozenset(stops)), eyes, names, lang)),
        "sentences": [event["sentence"]["text"] for event in events],
    }
    return Recorded(recording, document)


def _stops(document: AuditResource) -> list[int]:
    """List the versions to step through: before each move, after each draw, and at both ends."""
    last = document["version"]
    moves = {event["version"] - 1 for event in document["events"] if event["seat"] is not None}
    return sorted({1, last, last - 1, *moves, *(draw["version"] for draw in document["draws"])} - {0})


def _changes(games: Iterable[Game], eyes: Sequence[Eyes], names: Names, lang: str) -> Iterator[list[Change]]:
    """Yield what changes from game to game in the scene of each viewer."""
    before: list[dict[str, Any]] = [{} for _ in eyes]
    for game in games:
        labels = nameplates(game, names).labels()
        changes = []
        for place, (seat, everything) in enumerate(eyes):
            scene = _taken_apart(representations.scene(game, seat, lang, labels, everything=everything))
            scene["row"] = before[place].get("row", {}) | scene["row"]
            changes.append(_change(before[place], scene))
            before[place] = scene
        yield changes


def _taken_apart(scene: SceneResource) -> dict[str, Any]:
    """Write a scene so that little of it changes: rows by their ids, and the stage as a list of its parts."""
    stage = scene["stage"]
    return {
        "title": scene["title"],
        "lines": scene["lines"],
        "stage": stage and {"svg": _parts(stage["svg"]), "says": stage["says"]},
        "rows": [row["id"] for row in scene["rows"]],
        "row": {row["id"]: row for row in scene["rows"]},
        "seats": scene["seats"],
    }


@lru_cache(16)
def _parts(svg: str) -> list[str]:
    return _PICKED.split(svg)


def _change(old: Plain, new: Plain) -> Change:
    """Return what changes, None if nothing does."""
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
    """Return where a list changes its length, how many of it go there, and what comes."""
    most = min(len(old), len(new))
    start = next((place for place in range(most) if old[place] != new[place]), most)
    end = next((place for place in range(most - start) if old[-1 - place] != new[-1 - place]), most - start)
    return [start, len(old) - start - end, *new[start : len(new) - end]]
