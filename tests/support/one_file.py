"""Games in one file: written without a service, and read as the file reads itself."""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson

from service.accounts.players import Person
from service.games.projections import replay_file as recording
from service.web.one_file import one_file, previewed
from tests.golden.logs import golden_log

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")
BLOCK = re.compile(r'<script type="application/zlib" id="(\w+)">([^<]+)</script>')


@cache
def written(name: str, lang: str = "en") -> bytes:
    """Write a golden game, such as ``plute/ends-plute``, for all who can look."""
    game, records = golden_log(name)
    plates = recording.names_in(game, records, lambda players: {each: Person(NAMES[int(each[3:])]) for each in players})
    eyes, fields = recording.eyes_on(game, None, alone=False), previewed(game.ruleset.id)
    recorded, audit = recording.record(game, records, eyes, plates, lang, fields)
    return one_file(
        recorded["name"], game.ruleset.id, lang, {"game": orjson.dumps(recorded), "audit": orjson.dumps(audit)}
    )


def blocks_in(page: str) -> dict[str, Any]:
    """Read the data in a file."""
    found = {name: zlib.decompress(b64decode(text)) for name, text in BLOCK.findall(page)}
    return {name: json.loads(content) for name, content in found.items() if name not in ("style", "imports")}


def scenes_in(recorded: dict[str, Any]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the scenes of a recording: the version, the viewer, and what they saw."""
    last: dict[str, Any] = {viewer: {} for viewer in recorded["viewers"]}
    for version, changes in zip(recorded["versions"], recorded["changes"], strict=True):
        own: Any = None
        for viewer, change in zip(recorded["viewers"], changes, strict=True):
            own = own if change == recording.AS_BEFORE else change
            last[viewer] = _changed(last[viewer], own)
            scene = {name: part for name, part in last[viewer].items() if name not in ("row", "state")}
            rows = [last[viewer]["row"][row] for row in scene["rows"]]
            if stage := scene.get("stage"):
                stage = stage | {"svg": "".join(recorded["parts"][each] for each in stage["svg"])}
            yield version, viewer, scene | {"rows": rows, "stage": stage}


def _changed(old: Any, change: Any) -> Any:
    if change is None:
        return old
    if isinstance(change, list):
        return change[0]
    if "" in change:
        place, gone, *come = change[""]
        return [*old[:place], *come, *old[place + gone :]]
    if isinstance(old, list):
        return [_changed(each, change.get(str(place))) for place, each in enumerate(old)]
    return old | {key: _changed(old.get(key), each) for key, each in change.items()}
