"""The OpenAPI document as a page for people."""

import json
import re
from collections.abc import Mapping
from typing import Any

from flask import render_template
from markupsafe import Markup, escape

from service.api.http.errors import KINDS
from service.api.openapi.examples import Example

_WIDTH = 100


def docs_page(document: Mapping[str, Any], examples: Mapping[str, Example]) -> str:
    return render_template(
        "docs.html",
        document=document,
        tags=_by_tag(document),
        examples=examples,
        kinds=_kinds(),
        prose=prose,
        code=code,
        link=link,
    )


def _by_tag(document: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    tags: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            tags[described["tags"][0]].append({"path": path, "method": method.upper(), **described})
    return tags


def _kinds() -> dict[str, dict[str, str]]:
    kinds: dict[str, dict[str, str]] = {}
    for name, kind in KINDS.items():
        kinds.setdefault(str(kind.status), {})[name] = kind.title()
    return kinds


def prose(text: str) -> Markup:
    """Write a text of the document, whose backticks mark code."""
    return Markup(re.sub(r"(`+)(.+?)\1", r"<code>\2</code>", str(escape(text))))  # noqa: S704 - it is escaped


def code(value: Any) -> Markup:
    """Write JSON, with a link at each reference to a schema; a text as it is."""
    text = value if isinstance(value, str) else _written(value, 0)
    return Markup(re.sub(r"#/components/schemas/(\w+)", r'<a href="#schema-\1">\g<0></a>', str(escape(text))))  # noqa: S704


def link(schema: Mapping[str, Any]) -> Markup:
    name = schema["$ref"].rpartition("/")[2]
    return Markup('<a href="#schema-{0}">{0}</a>').format(name)


def _written(value: Any, indent: int) -> str:
    """Write a value in one line if there is room, else each member in lines of its own."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(line) <= _WIDTH - indent:
        return line
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    keys = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    inner = value.values() if isinstance(value, dict) else value
    inside = indent + 2
    members = [f"{' ' * inside}{key}{_written(each, inside)}" for key, each in zip(keys, inner, strict=True)]
    return "\n".join([opened, ",\n".join(members), " " * indent + closed])
