"""The current request: its content, its sender, and the checks before a view function runs."""

import json
import logging
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Literal, NamedTuple, TypeVar, cast

import orjson
from flask import Flask, Request, request
from marshmallow import Schema, ValidationError
from marshmallow.fields import Field
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import RequestEntityTooLarge, RequestTimeout, UnsupportedMediaType
from werkzeug.http import parse_accept_header

from domain.game.aggregate import Game
from domain.sentences.catalogue import ORIGINAL
from domain.sentences.message import Items, Number, Text, message
from service.accounts.players import Caller, Key
from service.api.http.endpoint import Operation, Services
from service.api.http.environ import IN_THREAD, IS_LONG
from service.api.http.parameters import AS_SEAT, IDEMPOTENCY_KEY, IF_MATCH, LANGUAGES, Parameter, Values
from service.common.errors import Fault, Malformed, NotAcceptable, Unauthenticated, refusal
from service.games.access import check_opens_all, playing_seat
from service.games.desk import Desk
from service.games.reading import Reader
from service.games.repository import Pay, counted_reading
from service.input.fields import fault_of, field_fault
from service.input.forms import escaped, load

MOST_BYTES = 64 * 1024
T = TypeVar("T")
BodyFault = Literal["cut-short", "too-slow", "in-crumbs"]
BODY_FAULT = "plateau.body-fault"
"""The key in the environ of the ``BodyFault``, which is None if the body arrived whole."""

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
PROBES = ("/healthz", "/readyz")
"""The requests of orchestrators, which count against no limit and are not logged."""


class ApiRequest(Request):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.began = time.perf_counter()
        self.id = f"req_{random.getrandbits(64):016x}"
        self.operation: Operation | None = None
        self.services: Services
        self.raw = b""
        self.body: dict[str, Any] = {}
        self.player: str | None = None
        self.problem: str | None = None
        """The code of the problem in the response."""

    @cached_property
    def address(self) -> str:
        """The client's address, as limits count addresses."""
        return address_of(self.environ, self.services.trusted_proxies)

    @cached_property
    def accept_mimetypes(self) -> MIMEAccept:
        """What the client accepts, by media types alone: parameters other than ``q`` select nothing here."""
        given = parse_accept_header(self.environ.get("HTTP_ACCEPT"), MIMEAccept)
        return MIMEAccept([(kind.partition(";")[0].strip(), quality) for kind, quality in given])

    def header(self, declared: Parameter[T]) -> T:
        """Read a header; its default is its value if there is none; reject one that does not fit."""
        text = self.environ.get(declared.environ_key)
        return declared.default if text is None else read_header(declared.name, text, declared.field)


def current() -> ApiRequest:
    """Return the request itself, because each attribute access on Flask's proxy costs a look-up."""
    return cast("ApiRequest", request._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001 - as documented


# -- before a view function runs ----------------------------------------------------------------------------------


def checker(app: Flask) -> Callable[["ApiRequest"], None]:
    """Return the function that counts and checks requests before a view function; all view functions must be registered
    already.
    """
    views: Mapping[str, Any] = app.view_functions
    operations: Mapping[str | None, Operation] = {name: view.operation for name, view in views.items()}

    def check(asked: ApiRequest) -> None:
        asked.services, asked.operation = app.extensions["plateau"], operations.get(asked.endpoint)
        if asked.method in WRITES:
            asked.services.limiter.pace("writes-from-address", asked.address)
        by_player = asked.method != "OPTIONS" and asked.operation is not None and asked.operation.auth != "none"
        if "HTTP_AUTHORIZATION" not in asked.environ or not by_player:
            if asked.path not in PROBES:
                _count_by_address()
            _check_request(asked)
        else:
            try:
                _check_request(asked)
            except Exception:
                _count_by_address()  # it is rejected before its player is known
                raise

    return check


def _check_request(asked: ApiRequest) -> None:
    """Check the body before anything else, and reject response formats that do not exist."""
    if asked.routing_exception is not None:
        return
    if asked.environ.get("HTTP_ACCEPT", "") not in ("", "*/*"):
        _check_accepts(asked)
    if asked.method in WRITES:
        is_ignored = asked.operation is not None and asked.operation.ignores_body
        asked.raw = _read_raw(asked, of_any_kind=is_ignored)
        asked.body = _parsed(asked.raw) if asked.raw and not is_ignored else {}
        if asked.method == "POST" and not _takes_key(asked.operation):
            reject_key()


def _takes_key(operation: Operation | None) -> bool:
    return operation is None or operation.repeats or IDEMPOTENCY_KEY in operation.parameters


def reject_key() -> None:
    """Reject a request with an idempotency key if the operation takes none."""
    if "HTTP_IDEMPOTENCY_KEY" in current().environ:
        raise Malformed([Fault("Idempotency-Key", "key-not-taken", message("fault.key-not-taken"))])


def _check_accepts(asked: ApiRequest) -> None:
    """Reject a request that accepts none of the operation's formats; pages and problems are accepted for all."""
    answers = asked.operation.answers if asked.operation else {}
    forms = [form for each in answers.values() for form in (each if isinstance(each, tuple) else (each,))]
    own = list(dict.fromkeys(form if isinstance(form, str) else "application/json" for form in forms if form))
    wanted = asked.accept_mimetypes
    if any(wanted[kind] > 0 for kind in ("application/json", "application/problem+json", "text/html", *own)):
        return
    listed = ", ".join(own) or "application/json"
    raise NotAcceptable("not-acceptable", refusal("not-acceptable", formats=Text(listed)))


def _read_raw(asked: ApiRequest, *, of_any_kind: bool) -> bytes:
    """Read the whole body, if there is one, unparsed: 413, 408 or 400, then 415 unless it can be of any kind."""
    announced = asked.content_length or 0
    if announced > MOST_BYTES:
        raise RequestEntityTooLarge
    fault: BodyFault | None = asked.environ.get(BODY_FAULT)
    if fault == "too-slow":
        raise RequestTimeout
    raw: bytes = asked.environ["wsgi.input"].read(announced) if announced else asked.get_data(cache=False)
    if len(raw) > MOST_BYTES:
        raise RequestEntityTooLarge
    if fault == "in-crumbs":
        raise Malformed([Fault("", "body-in-too-many-chunks", message("fault.body-in-too-many-chunks"))], "not-json")
    if fault == "cut-short" or len(raw) < announced:
        raise Malformed([Fault("", "body-cut-short", message("fault.body-cut-short"))], "not-json")
    coded = asked.environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity"
    if raw and not of_any_kind and (asked.mimetype != "application/json" or coded):
        raise UnsupportedMediaType("send JSON, with Content-Type: application/json and no encoding")
    return raw


def _parsed(raw: bytes) -> dict[str, Any]:
    """Parse a body as a JSON object: 400 for syntax errors."""
    try:
        body = orjson.loads(raw)
        if isinstance(body, dict) and (raw.count(b":") != len(body) or b"[" in raw):
            _check_depths(raw, body)  # else it is flat, with one colon for each field
    except (ValueError, TypeError, RecursionError) as error:
        raise Malformed(
            [Fault("", "not-json", message("fault.not-json", reason=Text(str(error))))], "not-json"
        ) from error
    if not isinstance(body, dict):
        raise Malformed([Fault("", "not-an-object", message("fault.not-an-object"))])
    return body


def _check_depths(raw: bytes, body: dict[str, Any]) -> None:
    """Reject duplicate fields anywhere, and nesting too deep to be serialized again."""
    _WITHOUT_DOUBLES.decode(raw.decode())
    orjson.dumps(body)


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    known = dict(pairs)
    if len(known) < len(pairs):
        doubled = sorted(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"duplicate field {', '.join(doubled)}"[:200])
    return known


_WITHOUT_DOUBLES = json.JSONDecoder(object_pairs_hook=_no_doubles)


# -- the parts of a request ---------------------------------------------------------------------------------------


class Sent(NamedTuple):
    """A write to a game: the game to which its caller has access, its parameters, its body and its headers."""

    desk: Desk
    caller: Caller
    game: Game
    wanted: Values
    body: dict[str, Any]
    raw: bytes
    expected: int | None
    key: Key | None


def write_to(game_id: str, form: Schema | None = None, admit: Callable[..., object] = playing_seat) -> Sent:
    """Check the caller's access to a game, then read the parameters, the body by its form, and the declared headers."""
    asked, me = current(), caller()
    desk, declared = asked.services.desk, asked.operation.parameters if asked.operation else ()
    game = asked.services.inviting.enter(game_id, me, admit)
    wanted = query()
    seat = wanted[AS_SEAT] if AS_SEAT in declared else None
    if seat is not None:
        game = desk.enter(game_id, partial(admit, caller=me, seat=seat))
    posted = body(form) if form else {}
    expected = asked.header(IF_MATCH) if IF_MATCH in declared else None
    key = idempotency_key() if IDEMPOTENCY_KEY in declared else None
    return Sent(desk, me, game, wanted, posted, asked.raw, expected, key)


def read_by_anyone() -> tuple[Reader, Values, Caller | None]:
    """Return the reader for the view functions, the query parameters, and the caller, if there is one."""
    return current().services.reader, query(), maybe_caller()


def services() -> Services:
    return current().services


def query(*, is_opened: bool | None = None) -> Values:
    """Read the query parameters that the operation declares; reject repeated and unreadable ones, and unknown ones.

    Operations that people open in a browser ignore unknown ones, because messengers and newsletters add parameters to
    links, such as ``fbclid``. The operation says whether it is opened, unless ``is_opened`` does.
    """
    asked = current()
    operation = cast("Operation", asked.operation)
    if not asked.query_string:
        return cast("Values", operation.defaults)
    read = _read_short_query if len(asked.query_string) <= _LONGEST_KEPT else _read_query
    return read(operation, asked.query_string, operation.is_opened if is_opened is None else is_opened)


def _read_query(operation: Operation, _query: bytes, ignores_unknown: bool) -> Values:
    """Read the query of the current request; the arguments are the key of the cache."""
    known, faults, given = operation.queries, [], dict(operation.defaults)
    for name, texts in current().args.lists():
        if name not in known and ignores_unknown:
            continue
        if name not in known:
            said = message("fault.unknown-parameter", at=Text(name[:80]), known=Items(tuple(map(Text, known))))
            faults.append(Fault(f"?{escaped(name)}", "unknown-parameter", said))
        elif len(texts) > 1:
            said = message("fault.doubled-parameter", at=Text(name), times=Number(len(texts)))
            faults.append(Fault(f"?{name}", "doubled-parameter", said))
        else:
            try:
                given[known[name]] = known[name].field.deserialize(texts[0])
            except ValidationError as error:
                faults.append(Fault(f"?{name}", "invalid-parameter", field_fault(name, fault_of(error))))
    if faults:
        raise Malformed(faults)
    return cast("Values", given)


_LONGEST_KEPT = 128
"""The longest query, in bytes, whose values are cached: clients send the same few, and long ones must not fill memory.
"""
_read_short_query = lru_cache(1024)(_read_query)


def preferred_language() -> str:
    """Return the language of a rejection: that of ``lang``, or the best one by Accept-Language, or the original."""
    accepted = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality)
    return next((wanted for wanted in (request.args.get("lang"), *accepted) if wanted in LANGUAGES), ORIGINAL)


def body(schema: Schema) -> dict[str, Any]:
    return load(schema, current().body)


def maybe_caller(*, anywhere: bool = False) -> Caller | None:
    """Return the caller, or None without a token, or, unless ``anywhere``, with a seat token of another game."""
    found = _authenticated()
    return None if found is not None and not anywhere and _is_elsewhere(found) else found


def caller(*, anywhere: bool = False) -> Caller:
    """Return the caller; reject a request without a token, and, unless ``anywhere``, a seat token of another game."""
    found = _authenticated()
    if found is None:
        raise Unauthenticated("token-missing", refusal("token-missing"))
    if not anywhere and _is_elsewhere(found):
        check_opens_all(found)
    return found


def _authenticated() -> Caller | None:
    """Return the caller, or None without a token, and count the request; reject an invalid token."""
    asked = current()
    header = asked.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    caller = asked.services.players.authenticate(token.strip()) if scheme.lower() == "bearer" else None
    if caller is None:
        _count_by_address()
        raise Unauthenticated("invalid-token", refusal("invalid-token"))
    asked.player = None if _is_elsewhere(caller) else caller.player
    asked.services.limiter.pace("requests", caller.player)
    asked.services.players.profiles.saw(caller.player)
    if asked.method in WRITES:
        asked.services.limiter.pace("writes", caller.player)
        return replace(caller, address=asked.address)
    return caller


def _is_elsewhere(caller: Caller) -> bool:
    """Return whether a seat token was sent with a request that is not about its game."""
    return caller.game is not None and (current().view_args or {}).get("game_id") != caller.game


def _count_by_address() -> None:
    """Count a request that came without a valid token, or that needs none."""
    services().limiter.pace("requests", address())


def address() -> str:
    return current().address


def paying() -> Pay:
    """Return the function that counts the events that this request reads of long logs, also later, as a stream."""
    asked = current()
    limiter, from_address = asked.services.limiter, asked.address

    def pay(events: int) -> None:
        by_player = [] if asked.player is None else [("events-read", asked.player)]
        for bucket, whom in [("events-read-from-address", from_address), *by_player]:
            if events:
                limiter.note(bucket, whom, events)
            else:
                limiter.check(bucket, whom)

    return pay


def reading() -> AbstractContextManager[None]:
    """Count the events that the view function of the current request reads of long logs."""
    return counted_reading(paying(), is_in_turn=current().environ.get(IS_LONG, True))


def computed(function: Callable[[], T]) -> T:
    """Call a function that computes for milliseconds, in a thread if it would delay other requests."""
    in_thread = current().environ.get(IN_THREAD)
    return function() if in_thread is None else cast("T", in_thread(function))


def idempotency_key() -> Key | None:
    """Read the Idempotency-Key, with the fingerprint of this request."""
    asked = current()
    name = asked.header(IDEMPOTENCY_KEY)
    if name is None:
        return None
    what = f"{asked.method} {asked.full_path} ".encode() + orjson.dumps(asked.body, option=orjson.OPT_SORT_KEYS)
    return Key(name, sha256(what).hexdigest())


def read_header(name: str, text: str, field: Field[Any]) -> Any:
    """Read the text of a header by a field; reject one that does not fit."""
    try:
        return field.deserialize(text)
    except ValidationError as error:
        raise Malformed([Fault(name, "invalid-header", field_fault(name, fault_of(error)))]) from error


_LONGEST = 64
_WITH_PORT = re.compile(r"(?:\[([^\]]*)\]|([0-9.]+))(?::\d+)?\Z")
"""Some proxies add the client's port."""

_log = logging.getLogger("plateau.http")


def address_of(environ: Mapping[str, Any], proxies: int) -> str:
    """Return the address that the first of the trusted proxies saw, or the peer's if no proxy is trusted.

    Each proxy appends the address of its client to X-Forwarded-For. Earlier entries can be forged by the client.
    """
    forwarded = environ.get("HTTP_X_FORWARDED_FOR")
    peer = environ.get("REMOTE_ADDR", "")
    if forwarded and proxies:
        hops = forwarded.rsplit(",", proxies)
        client = hops[-proxies].strip() if len(hops) >= proxies else peer
        return _network(client, peer) if len(client) <= _LONGEST else _network(peer, peer)
    if forwarded:
        _warn_once()
    return _network(peer, peer)


@lru_cache(4096)
def _network(text: str, otherwise: str) -> str:
    """Return an address as limits count it: an IPv4 address unchanged, an IPv6 address as its /64 network."""
    try:
        found = ip_address(_WITH_PORT.sub(r"\1\2", text))
    except ValueError:
        return otherwise
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))
    return str(found)


@cache
def _warn_once() -> None:
    _log.warning(
        "requests come through a proxy, and PLATEAU_TRUSTED_PROXIES is 0: "
        "the limits for each address count all clients as one"
    )
