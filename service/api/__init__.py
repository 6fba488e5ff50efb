"""The REST interface; only this package uses Flask and HTTP."""

from collections.abc import Callable
from typing import Any

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import MapAdapter, Rule

from service.api import openapi, resources
from service.api.http import errors, middleware, request
from service.api.http.endpoint import Services
from service.api.http.environ import CONTINUATION, IS_LONG, Again
from service.api.http.request import ApiRequest
from service.api.http.response import ApiResponse
from service.games.repository import LongRequest


class _NoSessions(SessionInterface):
    """There are no sessions: callers identify themselves by token, and there are no cookies."""

    _NONE = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002 - Flask's
        return self._NONE


class _Rule(Rule):
    """A route that is only matched: Werkzeug would also compile code that builds its URL, which takes most of a start's
    time.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: ARG002 - Werkzeug's
        return _build_no_url


def _build_no_url(*_: object) -> tuple[str, str]:
    raise NotImplementedError("URLs are not built from routes")


class _App(Flask):
    """Flask without work for each request whose result is always the same here."""

    url_rule_class = _Rule
    request_class = ApiRequest
    response_class = ApiResponse
    session_interface = _NoSessions()
    hooks: middleware.Hooks

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function unchanged: no view is a coroutine."""
        return func

    def dispatch_request(self) -> Any:
        """Handle a request, and count the events that it reads of long logs; a request that is not quick leaves the
        event loop.
        """
        asked = request.current()
        with request.reading():
            if asked.operation is not None and asked.operation.is_quick:
                return super().dispatch_request()
            return request.computed(super().dispatch_request)

    def preprocess_request(self) -> Response | None:
        return self.hooks.before()

    def process_response(self, response: Response) -> Response:
        return self.hooks.after(response)

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Do nothing: requests need no teardown."""

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match only by path and method: no route depends on the host, and URLs are not built."""
        if request is None:
            return None
        return MapAdapter(self.url_map, "localhost", "/", "", "http", request.path, request.method)


def _put_off(_: LongRequest) -> ApiResponse:
    """Mark a request to be handled again, in the line of long requests; the response is not sent."""
    request.current().environ |= {IS_LONG: True, CONTINUATION: Again()}
    return ApiResponse()


def create_app(
    services: Services, origins: middleware.Origins = middleware.ANY_ORIGIN, *, compresses: bool = True
) -> Flask:
    """Create the WSGI app around the services, for programs and for web pages of these origins."""
    app = _App(__name__, static_folder=None)
    app.extensions["plateau"] = services
    app.config["MAX_CONTENT_LENGTH"] = request.MOST_BYTES + 1  # a body of unknown length is cut there, and noticed
    app.url_map.merge_slashes = False
    errors.register(app)
    app.register_error_handler(LongRequest, _put_off)
    for module in (*resources.ALL, *openapi.ALL):
        app.register_blueprint(module.blueprint)
    app.hooks = middleware.hooks(app, origins, compresses=compresses)
    return app
