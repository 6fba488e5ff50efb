"""Health, readiness, metrics, the spec as JSON and for people, and the pages that explain problems."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, TypeVar, cast

import orjson
from flask import Blueprint, Response, current_app, render_template
from markupsafe import Markup, escape

from domain.game.durations import DAY, moment
from service.api.http.endpoint import Operation
from service.api.http.errors import KINDS
from service.api.http.parameters import IF_NONE_MATCH
from service.api.http.request import current, query, services
from service.api.http.response import answer, hashed, page
from service.api.openapi import examples, spec
from service.api.openapi.examples import Example
from service.api.resources.web import web_page
from service.common import wall_clock
from service.common.errors import NotFound
from service.common.version import VERSION
from service.store.event_store import StoreUnavailable

T = TypeVar("T")
_POLLING_SECONDS = 1
_SECURITY_DAYS = 90
"""For so long a reader can rely on the contact."""
blueprint = Blueprint("operations", __name__, template_folder="templates")


class Health(TypedDict):
    """The process is running."""

    status: Literal["ok"]
    version: str


class Home(TypedDict):
    """The main resources, and the seconds that a client must wait between two polling requests."""

    name: Literal["Plateau"]
    version: str
    polling_seconds: int
    links: dict[str, str]


_LINKS = {
    "about": "/about",
    "docs": "/docs",
    "openapi": "/openapi.json",
    "rulesets": "/v1/rulesets",
    "bots": "/v1/bots",
    "players": "/v1/players",
    "games": "/v1/games",
    "me": "/v1/me",
    "my_games": "/v1/me/games",
}


@blueprint.get("/")
@Operation("operations", {200: (Home, "text/html")}, parameters=(IF_NONE_MATCH,))
def home() -> Response:
    """Where to begin: links for a program, the web client for a browser.

    A program gets the addresses of the main resources, and the seconds between two requests while it waits for others.
    A browser, which accepts `text/html`, gets the page of the web client.
    """
    query()
    if current().accept_mimetypes.best_match(("application/json", "text/html")) == "text/html":
        return web_page()
    return hashed(answer({"name": "Plateau", "version": VERSION, "polling_seconds": _POLLING_SECONDS, "links": _LINKS}))


@blueprint.get("/healthz")
@Operation("operations", {200: Health})
def health() -> Response:
    """Whether the process runs.

    For orchestrators: a response means that the process runs, regardless of the store. It counts against no limit.
    """
    query()
    return answer({"status": "ok", "version": VERSION})


@blueprint.get("/readyz")
@Operation("operations", {200: Health})
def readiness() -> Response:
    """Whether games can be read and written.

    For load balancers: 200 means that the store responds, so games can be read and written; otherwise the response is
    503. It counts against no limit.
    """
    query()
    if not services().is_ready():
        raise StoreUnavailable("Redis does not answer")
    return answer({"status": "ok", "version": VERSION})


@blueprint.get("/metrics")
@Operation("operations", {200: "text/plain"})
def metrics() -> Response:
    """Figures for Prometheus.

    Returns figures about changes, jobs, deadlines, bots and timeouts, in the text format of Prometheus. All processes
    return the same figures, from the store; without the store, the response is 503. No figure names a game or a player.
    """
    query()
    return Response(services().metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")


@blueprint.get("/openapi.json")
@Operation("operations", {200: dict}, parameters=(IF_NONE_MATCH,))
def openapi() -> Response:
    """This document.

    Returns the OpenAPI 3.1 document of this server, from which clients can be generated. It includes the rulesets that
    are installed here, and a recorded example of each operation.
    """
    query()
    return hashed(Response(_made("openapi.json", lambda: orjson.dumps(_document())), content_type="application/json"))


@blueprint.get("/docs")
@Operation("operations", {200: "text/html"}, parameters=(IF_NONE_MATCH,))
def docs() -> Response:
    """A page to read the interface.

    Shows the interface as a page for people, with the examples. The page needs no other server.
    """
    query()
    return hashed(page(_made("docs", lambda: docs_page(_document(), examples.recorded()).encode())))


@blueprint.get("/v1/problems/<kind>")
@Operation("operations", {200: "text/html"}, parameters=(IF_NONE_MATCH,))
def problem(kind: str) -> Response:
    """What a problem means.

    The `type` of a problem links to this page, which explains the problem and what to do. An unknown kind is 404.
    """
    query()
    if kind not in KINDS:
        raise NotFound("not-found", f"there is no such problem; there are: {', '.join(KINDS)}")
    return hashed(page(render_template("problem.html", name=kind, kind=KINDS[kind])))


@blueprint.get("/about")
@Operation("operations", {200: "text/html"}, parameters=(IF_NONE_MATCH,))
def about() -> Response:
    """What the operator tells players: terms, conduct, privacy, imprint.

    The text is the file `about.md` in the data folder of the web processes (`PLATEAU_DATA`).
    """
    query()
    blocks = list(services().about.blocks())
    return hashed(page(render_template("about.html", blocks=blocks, contact=services().contact, version=VERSION)))


@blueprint.get("/.well-known/security.txt")
@Operation("operations", {200: "text/plain"}, is_internal=True)
def security() -> Response:
    """Where to report a vulnerability of this service (RFC 9116).

    The address is that of the operator (`PLATEAU_MAIL_FROM`). Without one, the response is 404.
    """
    query()
    if services().contact is None:
        raise NotFound("not-found", "the operator of this service has named no address")
    expires = moment(wall_clock.now_ms() // DAY * DAY + _SECURITY_DAYS * DAY)
    lines = [f"Contact: mailto:{services().contact}", f"Expires: {expires}"]
    if services().public_url:
        lines.append(f"Canonical: {services().public_url}/.well-known/security.txt")
    return Response("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


def _document() -> dict[str, Any]:
    return _made("document", lambda: examples.add_examples(spec.build(current_app), examples.recorded()))


def _made(name: str, make: Callable[[], T]) -> T:
    """Return a value that does not change while the process runs; make it once."""
    known = current_app.extensions.setdefault("plateau.made", {})
    if name not in known:
        known[name] = make()
    return cast("T", known[name])


# -- the OpenAPI document as a page for people --------------------------------------------------------------------


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
