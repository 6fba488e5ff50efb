"""The recorded example of each operation, and where the document shows it.

``python -m api_spec.generate`` records them into ``api_spec/examples/``; see ``api_spec/record.py``.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson

Document = dict[str, Any]
Example = Mapping[str, Any]
"""``request`` with method, path, headers and body, and ``response`` with status, headers and body."""

_NAME = "recorded"


def recorded() -> dict[str, Example]:
    found = files("api_spec").joinpath("examples").iterdir()
    by_file = {file.name: orjson.loads(file.read_bytes()) for file in found if file.name.endswith(".json")}
    return {name.removesuffix(".json"): example for name, example in sorted(by_file.items())}


def add_examples(document: Document, examples: Mapping[str, Example]) -> Document:
    """Show the examples in a document, in place: in bodies, in parameters and in responses; return the document."""
    for path, operations in document["paths"].items():
        for operation in operations.values():
            if operation["operationId"] in examples:
                _add(operation, path, examples[operation["operationId"]])
    return document


def _add(operation: Document, path: str, example: Example) -> None:
    request, response = example["request"], example["response"]
    summary = f"{request['method']} {request['path']}"
    _show(operation.get("requestBody", {}), request, "application/json", summary)
    kind = response["headers"].get("Content-Type", "").partition(";")[0]
    _show(operation["responses"][str(response["status"])], response, kind, summary)
    given = _given(path, request)
    operation["parameters"] = [
        {**parameter, "example": _typed(given[parameter["name"]], parameter)}
        if parameter["name"] in given
        else parameter
        for parameter in operation["parameters"]
    ]


def _show(part: Document, recorded_part: Mapping[str, Any], kind: str, summary: str) -> None:
    if "body" in recorded_part:
        media = part["content"][kind]
        media["examples"] = {_NAME: {"summary": summary, "value": recorded_part["body"]}}


def _given(template: str, request: Mapping[str, Any]) -> dict[str, str]:
    asked = urlsplit(request["path"])
    steps = zip(template.split("/"), asked.path.split("/"), strict=True)
    in_path = {step[1:-1]: value for step, value in steps if step.startswith("{")}
    return {**request["headers"], **{name: texts[0] for name, texts in parse_qs(asked.query).items()}, **in_path}


def _typed(text: str, parameter: Mapping[str, Any]) -> str | int | bool:
    match parameter["schema"].get("type"):
        case "integer":
            return int(text)
        case "boolean":
            return text == "true"
        case _:
            return text
