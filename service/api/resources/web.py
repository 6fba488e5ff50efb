"""The web client as a browser loads it: its page at the root, and the files of the page."""

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.request import current, query
from service.api.http.response import PICTURE_POLICY, hashed
from service.common.errors import NotFound
from service.web import manual_pages
from service.web.site import EMBEDDED_POLICY, POLICY, File, site

blueprint = Blueprint("web", __name__)
_FOR_EVER = "public, max-age=31536000, immutable"
_BESIDE = "default-src 'none'; connect-src 'self'"
"""The policy of scripts that run beside the page."""


def web_page() -> Response:
    return _page(POLICY)


@blueprint.get("/embed/<game_id>")
@Operation("operations", {200: ("text/html",)}, is_internal=True)
def embedded_page(game_id: str) -> Response:
    """A page that shows a game within another site.

    The only page that other sites can frame. It has no sign-in and no controls: it shows what a spectator can see. The
    same page is sent for every id, whether the game exists or not.
    """
    del game_id  # the page reads it from its own address
    query()
    return _page(EMBEDDED_POLICY)


def _page(policy: str) -> Response:
    response = hashed(_sent(site().page))
    response.headers["Content-Security-Policy"] = policy
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@blueprint.get("/sw.js")
@Operation("operations", {200: ("text/javascript",)}, is_internal=True)
def service_worker() -> Response:
    """The script of the web client that keeps its files in a browser, and shows push messages.

    A browser runs it beside the page. It is at the root, because a service worker serves the addresses below its own,
    and it loads only the page and its files.
    """
    query()
    response = hashed(_sent(site().files["sw.js"]))  # browsers ask from time to time whether there is a new one
    response.headers["Content-Security-Policy"] = _BESIDE
    return response


@blueprint.get("/web/<release>/<path:file>")
@Operation("operations", {200: ("text/javascript", "text/css", "application/json", "image/svg+xml")}, is_internal=True)
def web_file(release: str, file: str) -> Response:
    """A file of the web client.

    The page at `/` loads these. `release` names the content of all files, so a browser keeps them for ever; a path of
    another release is 404.
    """
    query()
    found = site().files.get(file) if release == site().release else None
    if found is None:
        raise NotFound("not-found", "there is no such file in this release of the web client")
    response = _sent(found)
    response.headers["Cache-Control"] = _FOR_EVER
    if file == "streams.js" or file.endswith(".svg"):
        response.headers["Content-Security-Policy"] = PICTURE_POLICY if file.endswith(".svg") else _BESIDE
    return response


@blueprint.get("/manual")
@blueprint.get("/manual/")
@Operation("operations", {308: None}, is_internal=True)
def manual() -> Response:
    """The address of the manual as people type it; it leads to the first page, or is 404 without a manual."""
    query()
    _check_manual("index.html")
    return Response(status=308, headers={"Location": "/manual/index.html"})


@blueprint.get("/manual/<path:file>")
@Operation("operations", {200: ("text/html", "text/css", "text/javascript", "image/jpeg")}, is_internal=True)
def manual_page(file: str) -> Response:
    """A page of the manual of this version.

    The manual is a part of the released packages. A service that runs from a copy of the repository has it once
    `make manual` was called with the folder `service/web/manual`; without it, the response is 404.
    """
    query()
    _check_manual(file)
    found = manual_pages.page(file)
    response = hashed(_sent(found.file))
    response.headers["Content-Security-Policy"] = found.policy
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _check_manual(file: str) -> None:
    if file not in manual_pages.names():
        missing = "no such page" if manual_pages.names() else "no manual; build it: make manual ARGS=service/web/manual"
        raise NotFound("not-found", f"this service has {missing}")


def _sent(file: File) -> Response:
    """Send a file compressed if the client accepts that; it was compressed when the process started."""
    if current().accept_encodings["gzip"] <= 0:
        return Response(file.content, content_type=file.kind)
    return Response(file.compressed, content_type=file.kind, headers={"Content-Encoding": "gzip"})
