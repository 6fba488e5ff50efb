"""Generate the published interface, or check it against the code: ``python -m api_spec.generate [--check]``."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from api_spec import event_fields, python_types, record
from domain import events
from domain.registry import BUILT_IN, RULESETS
from domain.ruleset import AnyRuleset
from service.api.json_schema import event_schemas, posted_schema, standalone
from service.api.openapi import spec
from service.api.openapi.examples import add_examples
from service.config.settings import Settings
from service.runtime.wiring import wire

HERE = Path(__file__).parent
_EXAMPLES = Path("examples")
_PYTHON_TYPES = Path("clients/python/plateau_client/types.py")
_REFINE = Path("../service/web/static/refine")
_VERIFIER = Path("../service/web/static/verify_bundle.mjs")
_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def documents() -> dict[Path, str]:
    """Return every generated file, by its path below this folder."""
    if outside := RULESETS.keys() - {ruleset.id for ruleset in BUILT_IN}:
        sys.exit(f"the published interface is that of the built-in games; uninstall: {', '.join(sorted(outside))}")
    document = spec.build(wire(Settings(memory=True)))
    examples = record.recorded(document)
    made = {_EXAMPLES / f"{name}.json": _written(example) for name, example in examples.items()}
    made[_PYTHON_TYPES] = python_types.written(document)
    made[Path("openapi.yaml")] = yaml.dump(
        add_examples(document, examples), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120
    )
    made[_VERIFIER] = event_fields.written_into((HERE / _VERIFIER).read_text())
    made[Path("events.schema.json")] = _events(events.EVENTS, "Events that every game has")
    for ruleset in RULESETS.values():
        made |= {Path(ruleset.id) / name: text for name, text in _of_ruleset(ruleset).items()}
    made[_REFINE / "known.js"] = _refinements()
    return made


def _refinements() -> str:
    known = [ruleset.id for ruleset in BUILT_IN if (HERE / _REFINE / f"{ruleset.id}.js").is_file()]
    loads = "".join(f'  "{each}": () => import("./{each}.js"),\n' for each in known)
    return f"""/** The games that have a refinement; `make spec` writes this. */

/** @type {{Record<string, () => Promise<import("./index.js").Refinement>>}} */
export const KNOWN = {{
{loads}}};
"""


class _Plain(yaml.SafeDumper):
    """A writer of YAML that refers to nothing elsewhere in the file, so that changes stay where they are."""

    def ignore_aliases(self, _data: object) -> bool:
        """Write everything in full."""
        return True


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
    return _written(_DIALECT | schema)


def _written(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def left_over(made: Mapping[Path, str]) -> list[Path]:
    """List the examples of operations that are no more."""
    return [path for file in (HERE / _EXAMPLES).glob("*") if (path := file.relative_to(HERE)) not in made]


def main() -> None:
    """Write the files, or with --check, list those that differ from the code."""
    try:
        made = documents()
    except record.Unrecorded as error:
        sys.exit(str(error))
    superfluous = left_over(made)
    if "--check" in sys.argv:
        stale = [path for path, text in made.items() if not (HERE / path).exists() or (HERE / path).read_text() != text]
        if stale or superfluous:
            sys.exit(f"these files differ from the code: {', '.join(map(str, stale + superfluous))}; run 'make spec'")
        return
    for path in superfluous:
        (HERE / path).unlink()
    for path, text in made.items():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_text(text)
        sys.stdout.write(f"wrote api_spec/{path}\n")


if __name__ == "__main__":
    main()
