"""Generate the published interface, or check it against the code: ``python -m api_spec.generate [--check]``."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from api_spec import python_types
from domain import events
from domain.registry import BUILT_IN, RULESETS
from domain.ruleset import AnyRuleset
from service.api import spec
from service.api.json_schema import event_schemas, posted_schema, standalone
from service.runtime.wiring import wire
from service.settings import Settings

HERE = Path(__file__).parent
_PYTHON_TYPES = Path("clients/python/plateau_client/types.py")
_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def documents() -> dict[Path, str]:
    """Return every generated file, by its path below this folder."""
    if outside := RULESETS.keys() - {ruleset.id for ruleset in BUILT_IN}:
        sys.exit(f"the published interface is that of the built-in games; uninstall: {', '.join(sorted(outside))}")
    document = spec.build(wire(Settings(memory=True)))
    made = {Path("openapi.yaml"): yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)}
    made[_PYTHON_TYPES] = python_types.written(document)
    made[Path("events.schema.json")] = _events(events.EVENTS, "Events that every game has")
    for ruleset in RULESETS.values():
        made |= {Path(ruleset.id) / name: text for name, text in _of_ruleset(ruleset).items()}
    return made


def _of_ruleset(ruleset: AnyRuleset) -> dict[str, str]:
    return {
        "events.schema.json": _events(ruleset.events, f"Events of {ruleset.name}"),
        "actions.schema.json": _json(posted_schema(ruleset)),
        "options.schema.json": _json(standalone(ruleset.options.shape, closed=True)),
        "view.schema.json": _json(standalone(ruleset.view)),
    }


def _events(events: Mapping[str, type], title: str) -> str:
    return _json({"title": title, "description": "The data of each type of event.", **event_schemas(events)})


def _json(schema: dict[str, Any]) -> str:
    return json.dumps(_DIALECT | schema, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the files, or with --check, list those that differ from the code."""
    made = documents()
    if "--check" in sys.argv:
        stale = [path for path, text in made.items() if not (HERE / path).exists() or (HERE / path).read_text() != text]
        if stale:
            sys.exit(f"these files differ from the code: {', '.join(map(str, stale))}; run 'make spec'")
        return
    for path, text in made.items():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_text(text)
        sys.stdout.write(f"wrote api_spec/{path}\n")


if __name__ == "__main__":
    main()
