"""Health, readiness, metrics, the spec as JSON and for people, and the pages that explain problems."""

from collections.abc import Callable
from typing import Any, Literal, TypedDict, cast

from flask import Blueprint, Response, current_app, render_template

from service.api import spec
from service.api.errors import KINDS
from service.api.operation import Operation, operation, services
from service.api.request import query
from service.api.response import answer
from service.errors import NotFound
from service.store.codec import dump
from service.store.event_store import StoreUnavailable
from service.version import VERSION

blueprint = Blueprint("operations", __name__, template_folder="templates")


class Health(TypedDict):
    """The process is running."""

    status: Literal["ok"]
    version: str


@blueprint.get("/healthz")
@operation(Operation("operations", "Whether the process is running", {200: Health}, ()))
def health() -> Response:
    """Report that the process is running."""
    query()
    return answer({"status": "ok", "version": VERSION})


@blueprint.get("/readyz")
@operation(Operation("operations", "Whether games can be read and written", {200: Health}, (503,)))
def readiness() -> Response:
    """Report whether the store responds."""
    query()
    if not services().is_ready():
        raise StoreUnavailable("Redis does not answer")
    return answer({"status": "ok", "version": VERSION})


@blueprint.get("/metrics")
@operation(Operation("operations", "Metrics for Prometheus", {200: "text/plain"}, (429, 503)))
def metrics() -> Response:
    """Return the metrics for an operator."""
    query()
    return Response(services().metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")


@blueprint.get("/openapi.json")
@operation(Operation("operations", "This document", {200: dict}, (429,)))
def openapi() -> Response:
    """Return the OpenAPI document."""
    query()
    return Response(_written("openapi.json", lambda: dump(_document())), content_type="application/json")


@blueprint.get("/docs")
@operation(Operation("operations", "The interface as a web page", {200: "text/html"}, (429,)))
def docs() -> Response:
    """Show the OpenAPI document as a web page."""
    query()
    return Response(_written("docs", _page))


@blueprint.get("/v1/problems/<kind>")
@operation(Operation("operations", "What a problem means", {200: "text/html"}, (404, 429)))
def problem(kind: str) -> Response:
    """Explain a kind of problem on a web page."""
    query()
    if kind not in KINDS:
        raise NotFound("not-found", f"there is no such problem; there are: {', '.join(KINDS)}")
    return Response(render_template("problem.html", name=kind, kind=KINDS[kind]))


def _document() -> dict[str, Any]:
    known = current_app.extensions.get("plateau.openapi")
    if known is None:
        known = current_app.extensions["plateau.openapi"] = spec.build(current_app)
    return cast("dict[str, Any]", known)


def _page() -> bytes:
    return render_template("docs.html", document=_document(), tags=_by_tag(_document())).encode()


def _written(name: str, write: Callable[[], bytes]) -> bytes:
    """Return a document that stays the same while the process runs; write it once."""
    known = current_app.extensions.setdefault("plateau.written", {})
    if name not in known:
        known[name] = write()
    return cast("bytes", known[name])


def _by_tag(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    tags: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            tags[described["tags"][0]].append({"path": path, "method": method.upper(), **described})
    return tags
