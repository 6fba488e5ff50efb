"""The parameters of operations: each is declared once, for reading requests and for the spec."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar, cast, get_args

from marshmallow import ValidationError, fields

from domain.events import Knowledge
from domain.game.aggregate import Status
from domain.game.time_control import Speed
from domain.registry import RULESETS
from domain.sentences.catalogue import languages
from domain.sentences.message import Message, Number, message
from domain.table import MOST_SEATS, Seat
from service.accounts import players
from service.accounts.tickets import LONGEST
from service.games.access import Wanted
from service.games.projections.representations import MOST_IN_PAGE
from service.games.reading import STATUSES
from service.inbox.notices import Kind as NoticeKind
from service.input.fields import Invalid, Length, OneOf, Range, Regexp, String, wrong

T = TypeVar("T")
SPEEDS: tuple[Speed, ...] = get_args(Speed)


@dataclass(frozen=True, eq=False)
class Parameter(Generic[T]):
    """A parameter of operations: its field reads its text, and gives its JSON Schema.

    ``default`` is its value if a request omits it. A parameter without a description is not in the spec.
    """

    name: str
    description: str
    field: fields.Field[Any]
    default: T = cast("T", None)
    required: bool = False
    """Whether the spec lists it as required; the view function rejects requests without it."""
    place: Literal["query", "header"] = "query"

    @cached_property
    def environ_key(self) -> str:
        return f"HTTP_{self.name.upper().replace('-', '_')}"


class Values(Protocol):
    """The query parameters of a request, with defaults for those omitted."""

    def __getitem__(self, parameter: Parameter[T], /) -> T: ...


class _OfText:
    """A field that reads a text that is present: checking for missing values would take longer than the rest."""

    validators: list[Any]
    _deserialize: Callable[..., Any]

    def deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        """Read a text; raise ``ValidationError``."""
        read = self._deserialize(value, None, None)
        for check in self.validators:
            check(read)
        return read


class Text(_OfText, String):
    def _deserialize(self, value: str, *_: Any, **__: Any) -> Any:
        return value


class _Digits(_OfText, fields.Integer):
    def __init__(self, low: int, high: int) -> None:
        self._fault = wrong("whole", least=low, most=high)
        super().__init__(validate=Range(low, high, self._fault))

    def _deserialize(self, value: str, *_: Any, **__: Any) -> int:
        if not (value.isascii() and value.isdigit() and len(value) <= 12):
            raise ValidationError([self._fault])
        return int(value)


class _Flag(_OfText, fields.Boolean):
    def _deserialize(self, value: str, *_: Any, **__: Any) -> bool:
        if value not in ("true", "false"):
            raise Invalid("choice", values="true, false")
        return value == "true"


class Read(Text):
    """A text that a function reads; it raises ``Invalid``."""

    def __init__(self, read: Callable[[str], object], **schema: str | int) -> None:
        super().__init__(metadata=schema)
        self._read = read

    def _deserialize(self, value: str, *_: Any, **__: Any) -> Any:
        return self._read(value)


def _whole(name: str, description: str, low: int, high: int, default: int | None = None) -> Parameter[Any]:
    return Parameter(name, description, _Digits(low, high), default)


def _one_of(name: str, description: str, *values: str, default: str | None = None) -> Parameter[Any]:
    fault = wrong("only", value=values[0]) if len(values) == 1 else wrong("choice", values=", ".join(values))
    return Parameter(name, description, Text(validate=OneOf(values, fault)), default)


def _flag(name: str, description: str) -> Parameter[bool]:
    return Parameter(name, description, _Flag(), default=False)


def matching(form: str, fault: Message) -> Text:
    return Text(validate=Regexp(rf"^{form}\Z", fault))


def ticket_of(description: str, fault: Message) -> Parameter[str | None]:
    return Parameter(
        "ticket", description, Text(validate=[Length(max=LONGEST, fault=fault), Regexp(r"^[ -~]*\Z", fault)])
    )


def _kinds(text: str) -> Sequence[NoticeKind]:
    named = tuple(text.split(","))
    if not set(named) <= set(_KINDS):
        raise Invalid("kinds", kinds=", ".join(_KINDS))
    return cast("Sequence[NoticeKind]", named)


def _viewer(text: str) -> Wanted:
    try:
        return "spectator" if text == "spectator" else cast("Seat", AS_SEAT.field.deserialize(text))
    except ValidationError as error:
        raise Invalid("viewer") from error


def cursor_to(kind: str) -> Parameter[str | None]:
    """Declare the cursor of a list whose ids begin with ``kind``; its value is the member to continue after."""

    def read(text: str) -> str:
        member = decoded_cursor(text)
        if f" {kind}" not in member or len(member) > 64:
            raise Invalid("cursor")
        return member

    return cursor(read)


def cursor(read: Callable[[str], T]) -> Parameter[T | None]:
    return Parameter("cursor", "The next_cursor of the previous page.", Read(read))


def decoded_cursor(text: str) -> str:
    """Return the content of a cursor; raise ``Invalid``."""
    try:
        return urlsafe_b64decode(text.encode("ascii")).decode("ascii")
    except ValueError as error:
        raise Invalid("cursor") from error


def _admin_entry(text: str) -> str:
    member = decoded_cursor(text)
    if re.fullmatch(f" al_{_NOTICE_ID}", member) is None:
        raise Invalid("cursor")
    return member.removeprefix(" al_")


def _place(text: str) -> int:
    place = decoded_cursor(text)
    if re.fullmatch("[1-9][0-9]{0,8}", place) is None:
        raise Invalid("cursor")
    return int(place)


def _key(text: str) -> str:
    if not (1 <= len(text) <= _LONGEST_KEY and text.isascii() and text.isprintable()):
        raise ValidationError([message("fault.key-form", most=Number(_LONGEST_KEY))])
    return text


def _version(text: str) -> int | None:
    """Read the version in If-Match; an ETag can have a viewer and a digest after it, which do not matter to a write."""
    if text.strip() == "*":
        return None
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        raise ValidationError([message("fault.match-form")])
    return int(found[1])


def _event_id(text: str) -> str:
    if len(text) > 64 or not text.isascii():
        raise Invalid("event-id.stream")
    return text


def _head(text: str) -> str | None:
    """Read the head of a game in If-Match; ``*``, which is any head, is none."""
    if text.strip() == "*":
        return None
    if re.fullmatch(_HEAD, text.strip()) is None:
        raise ValidationError([message("fault.head-form")])
    return text.strip()[1:-1]


IN_PATH: Mapping[str, str] = {
    "date": "The day of a set, such as `2026-11-27`.",
    "game_id": "The id of a game: `gm_…`.",
    "invitation_id": "The id of an invitation: `in_…`.",
    "kind": "The last part of the `type` of a problem.",
    "number": "The number of a delivery, counted from 1.",
    "player_id": "The id of a player: `pl_…`.",
    "proposal_id": "The id of a proposal, from the view or from the event that proposed it.",
    "ruleset": "The id of a ruleset, from their list.",
    "seat": "A seat, counted from 0.",
    "secret": "The secret of a link.",
    "set_id": "The id of a deal set: `set_…`.",
    "size": "The number of leaves of a tree with a signed root.",
    "subscription_id": "The id of a push subscription: `ps_…`.",
    "ticket": "The ticket of a link in a mail.",
    "token_id": "The id of a token: `tk_…`, not the token itself.",
    "tournament_id": "The id of a tournament: `tn_…`.",
    "webhook_id": "The id of a webhook: `wh_…`.",
}
"""The parameters in paths, with their descriptions."""

HIGHEST = 10**9
"""The highest version of a game, and size of the log of heads, in a request."""
_NOTICE_ID = "[0-9]{1,15}-[0-9]{1,9}"
_LONGEST_KEY = 128

_VERSION = re.compile('(?:W/)?"([0-9]{1,12})(?:-[0-9a-f]{1,32})?(?::gzip)?"')
_HEAD = '"[0-9a-f]{64}"'


def _header(name: str, description: str, field: fields.Field[Any]) -> Parameter[Any]:
    return Parameter(name, description, field, place="header")


IDEMPOTENCY_KEY: Parameter[str | None] = _header(
    "Idempotency-Key",
    "A key of your choice: a request repeated with the same key has no further effect, and gets the first response, "
    "as long as it is kept: by default a day.",
    Read(_key, minLength=1, maxLength=_LONGEST_KEY, pattern="^[ -~]+$"),
)
IF_MATCH: Parameter[int | None] = _header(
    "If-Match",
    "The version that you decided on, in quotes, or the ETag of the view; rejected if the game is at another version.",
    Read(_version, pattern=f"^{_VERSION.pattern}$".replace("([0-9]{1,12})", "[0-9]{1,12}")),
)
IF_MATCH_HEAD: Parameter[str | None] = _header(
    "If-Match",
    "The `head` of the game that you have seen, in quotes; rejected if the game now has another one. A seed needs it.",
    Read(_head, pattern=f"^{_HEAD}$"),
)
IF_MATCH_PLAN = _header("If-Match", "The ETag of the plan that you know; rejected if the plan has changed.", Text())
IF_NONE_MATCH = _header("If-None-Match", "The ETag you have; 304 if nothing has changed.", Text())
LAST_EVENT_ID: Parameter[str | None] = _header(
    "Last-Event-ID",
    "Streams only: the id of the last event that arrived, which a browser sends when it reconnects; overrides `after`.",
    Read(_event_id),
)

AS_SEAT: Parameter[Seat | None] = _whole("as", "One of your seats, if you hold several (sandbox).", 0, MOST_SEATS - 1)
AS_VIEWER: Parameter[Wanted] = Parameter(
    "as",
    "A seat, or 'spectator'; by default your own seat (of several in a sandbox: in a view the one to act, in events "
    "the lowest), or a spectator without one. Another's seat only once the game is over.",
    Read(_viewer, pattern="^(?:[0-9]|1[01]|spectator)$"),
)
AT: Parameter[int | None] = _whole(
    "at",
    "The version to show; by default the latest. A version that the game does not have is 412 `game-went-back`.",
    1,
    HIGHEST,
)
KNOWLEDGE: Parameter[Knowledge] = _one_of(
    "knowledge",
    "`full` shows everything hidden once the game is over, and is 403 before; by default `own`.",
    *get_args(Knowledge),
)
AFTER: Parameter[int] = _whole(
    "after", "The version to continue after; 412 `game-went-back` if the game does not have it.", 0, HIGHEST, 0
)
EVENTS_LIMIT: Parameter[int] = _whole("limit", "The maximum number of events.", 1, 1000, 100)
SINCE: Parameter[Literal["my-last-move"] | None] = _one_of(
    "since", "Only events after the last one by which your seat acted; 403 for a spectator.", "my-last-move"
)
LANGUAGES = languages()
LANG: Parameter[str | None] = _one_of(
    "lang",
    "Add a sentence in this language to each event or legal action.",
    *LANGUAGES,
)
SCENE_LANG: Parameter[str] = _one_of("lang", "The language of the words.", *LANGUAGES, default=LANGUAGES[0])
WAIT: Parameter[int] = _whole(
    "wait",
    "Seconds to wait for new data if there is none yet. A request that waits counts as an open stream: over the limits "
    "on streams, it is rejected with 429.",
    0,
    60,
    0,
)
_PHRASE_ID = "0|ph_[0-9a-f]{12}"

PHRASES: Parameter[str | None] = Parameter(
    "phrases",
    "Also show the phrases after the one with this id; `0` shows all that are kept. A stream then continues after the "
    "end of the game.",
    matching(f"(?:{_PHRASE_ID})", wrong("phrase-id")),
)
RECEIPTS = _flag(
    "receipts",
    "Streams only: also send a `receipt` at the beginning and after each batch of events, as in the header of other "
    "responses.",
)
WITH: Parameter[Literal["view"] | None] = _one_of(
    "with",
    "Also show the viewer's whole view after the events: in a page, if it is the last one; in a stream, at its "
    "beginning and after each batch of events.",
    "view",
)
WITH_SCENE: Parameter[Literal["scene"] | None] = _one_of(
    "with", "Also show the scene of the view, in the language of `lang`.", "scene"
)
WITH_VIEW: Parameter[Literal["view", "scene"] | None] = _one_of(
    "with",
    "Also show the game as your seat sees it after the action: its `view`, or with `scene` the view with its scene. "
    "It is read when the response is sent, so for a repeated request it can be newer than the action.",
    "view",
    "scene",
)
LIMIT: Parameter[int] = _whole("limit", "The maximum number of items.", 1, 100, 50)
LEGAL_ACTIONS_LIMIT: Parameter[int] = _whole("limit", "The maximum number of actions.", 1, MOST_IN_PAGE, MOST_IN_PAGE)
MOVES_LIMIT: Parameter[int] = _whole("limit", "The maximum number of moves.", 1, 100, 10)
SEAT_ANALYSED: Parameter[Seat | None] = _whole("as", "Only moves of this seat.", 0, MOST_SEATS - 1)
SEAT_TO_ADVISE: Parameter[Seat | None] = _whole(
    "as",
    "The seat to advise: in a sandbox one of yours, once the game is over any; by default one that has a decision.",
    0,
    11,
)
DRY_RUN = _flag("dry_run", "Only check whether the action would be accepted.")
EXPORT_LANG: Parameter[str] = _one_of("lang", "The language of the words in `html`.", *LANGUAGES, default=LANGUAGES[0])
EXPORT_FORMATS = ("text", "audit", "bundle", "html")
EXPORT_FORMAT: Parameter[Literal["text", "audit", "bundle", "html"] | None] = replace(
    _one_of("format", "The format of the export.", *EXPORT_FORMATS), required=True
)
GAME_STATUS: Parameter[Status | None] = _one_of("status", "Only games of this status.", *STATUSES)
RULESET: Parameter[str | None] = _one_of("ruleset", "Only games of this ruleset.", *RULESETS)
TO_ACT = _flag(
    "to_act",
    "Only games in which it is your turn, most urgent first; a turn that your plan plays is also listed briefly.",
)
OPEN = _flag("open", "Only games with an open seat.")
OPEN_SEATS: Parameter[int | None] = _whole(
    "open_seats", "Only games with at least this many open seats.", 1, MOST_SEATS
)
SPEED: Parameter[Speed | None] = _one_of(
    "speed",
    "Only games in which a turn has ten minutes (live), a day (daily), more (slow), or no clock (none).",
    *SPEEDS,
)
_PLAYER_ID = matching(players.ID_FORM, wrong("player-id", example="pl_0123456789abcdef"))
PLAYER: Parameter[str | None] = Parameter(
    "player",
    "Only games that this player created or plays in; none unless the player shows their games or is you.",
    _PLAYER_ID,
)
CONFIRM: Parameter[str | None] = Parameter(
    "confirm", "Your own id, to prevent accidental deletion.", _PLAYER_ID, required=True
)
SORT: Parameter[Literal["newest", "oldest"] | None] = _one_of(
    "sort", "Which games come first, by time of creation; by default the newest.", "newest", "oldest"
)
AFTER_NOTICE: Parameter[str | None] = Parameter(
    "after", "The id of the event to continue after.", matching(_NOTICE_ID, wrong("event-id"))
)
_KINDS: tuple[NoticeKind, ...] = get_args(NoticeKind)
_ONE_KIND = f"(?:{'|'.join(_KINDS)})"
NOTICE_TYPES: Parameter[Sequence[NoticeKind] | None] = Parameter(
    "types",
    "Only events of these types, separated by commas; by default of all.",
    Read(_kinds, pattern=f"^{_ONE_KIND}(?:,{_ONE_KIND})*$"),
)
SIZE: Parameter[int | None] = _whole(
    "size", "The number of leaves of a tree with a signed root; by default the latest.", 1, HIGHEST
)
OLD_SIZE: Parameter[int] = _whole("from_size", "The number of leaves of the older tree.", 0, HIGHEST, 0)
AFTER_LEAF: Parameter[int] = _whole("after", "The number of leaves to continue after.", 0, HIGHEST, 0)
LEAVES_LIMIT: Parameter[int] = _whole("limit", "The maximum number of leaves.", 1, 1000, 100)
GAME_VERSION: Parameter[int | None] = _whole(
    "version", "The maximum version of the head; by default the latest.", 1, HIGHEST
)
GAMES_CURSOR = cursor_to("gm_")
TOKENS_CURSOR = cursor_to("tk_")
INVITATIONS_CURSOR = cursor_to("in_")
TOURNAMENTS_CURSOR = cursor_to("tn_")
STANDINGS_CURSOR = cursor(_place)
ADMIN_LOG_CURSOR = cursor(_admin_entry)
