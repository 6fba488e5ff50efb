"""The parameters of operations: each is declared once, for reading requests and for the spec."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar, cast, get_args

from marshmallow import ValidationError

from domain.events import Knowledge
from domain.game.aggregate import Status
from domain.game.time_control import Speed
from domain.registry import RULESETS
from domain.sentences.catalogue import languages
from domain.table import MOST_SEATS, Seat
from service.accounts import players
from service.games.access import Wanted
from service.games.projections.representations import MOST_IN_PAGE
from service.games.reading import STATUSES
from service.inbox.notice import Kind as NoticeKind
from service.input.fields import Invalid, one_of

T = TypeVar("T")
SPEEDS: tuple[Speed, ...] = get_args(Speed)
Described = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Query(Generic[T]):
    """A query parameter: how to parse its text (``Invalid``: what is wrong), and its JSON Schema.

    ``default`` is its value if a request omits it. A parameter without a description is not in the spec.
    """

    name: str
    description: str
    read: Callable[[str], T]
    schema: Mapping[str, Any]
    default: T = cast("T", None)
    required: bool = False

    def described(self) -> Described:
        """Describe the parameter for the spec."""
        shown = {"name": self.name, "in": "query", "description": self.description, "schema": self.schema}
        return shown | {"required": True} if self.required else shown


class Values(Protocol):
    """The query parameters of a request, with defaults for those omitted."""

    def __getitem__(self, parameter: Query[T], /) -> T: ...


@dataclass(frozen=True, slots=True, eq=False)
class RequestHeader:
    """A request header, as the spec describes it."""

    name: str
    description: str
    schema: Mapping[str, Any]

    def described(self) -> Described:
        """Describe the header for the spec."""
        return {"name": self.name, "in": "header", "description": self.description, "schema": self.schema}


def _whole(name: str, description: str, low: int, high: int, default: int | None = None) -> Query[Any]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 12 and low <= int(text) <= high):
            raise Invalid("whole", least=low, most=high)
        return int(text)

    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Query(name, description, read, schema if default is None else schema | {"default": default}, default)


def _one_of(
    name: str, description: str, *values: str, required: bool = False, default: str | None = None
) -> Query[Any]:
    def read(text: str) -> str:
        if text not in values:
            raise Invalid("action", actions=one_of(values))
        return text

    schema = {"enum": list(values), "type": "string"} | ({} if default is None else {"default": default})
    return Query(name, description, read, schema, default, required)


def _flag(name: str, description: str) -> Query[bool]:
    as_text = _one_of(name, description, "true", "false")
    return Query(name, description, lambda text: as_text.read(text) == "true", {"type": "boolean"}, default=False)


def _player_id(text: str) -> str:
    if re.fullmatch(players.ID_FORM, text) is None:
        raise Invalid("player-id", example="pl_0123456789abcdef")
    return text


def notice_id(text: str) -> str:
    """Read the id of a notice; raise ``Invalid``."""
    if re.fullmatch(_NOTICE_ID[1:-1], text) is None:
        raise Invalid("event-id")
    return text


def _kinds(text: str) -> Sequence[NoticeKind]:
    named = text.split(",")
    if not set(named) <= set(_KINDS):
        raise Invalid("kinds", kinds=", ".join(_KINDS))
    return cast("Sequence[NoticeKind]", named)


def _viewer(text: str) -> Wanted:
    if text == "spectator":
        return "spectator"
    try:
        return cast("Seat", AS_SEAT.read(text))
    except ValidationError as error:
        raise Invalid("viewer") from error


def cursor_to(kind: str) -> Query[str | None]:
    """Declare the cursor of a list whose ids begin with ``kind``; its value is the member to continue after."""

    def read(text: str) -> str:
        try:
            member = urlsafe_b64decode(text.encode("ascii")).decode("ascii")
        except ValueError as error:
            raise Invalid("cursor") from error
        if f" {kind}" not in member or len(member) > 64:
            raise Invalid("cursor")
        return member

    return cursor(read)


def cursor(read: Callable[[str], T]) -> Query[T | None]:
    """Declare the cursor of a list that is parsed by this function."""
    return Query("cursor", "The next_cursor of the previous page.", read, {"type": "string"})


def _admin_entry(text: str) -> str:
    member = cast("str", cursor_to("al_").read(text))
    if re.fullmatch(f" al_{_NOTICE_ID[1:-1]}", member) is None:
        raise Invalid("cursor")
    return member.removeprefix(" al_")


IN_PATH: Mapping[str, str] = {
    "game_id": "The id of a game: `gm_…`.",
    "invitation_id": "The id of an invitation: `in_…`.",
    "kind": "The last part of the `type` of a problem.",
    "number": "The number of a delivery, counted from 1.",
    "player_id": "The id of a player: `pl_…`.",
    "proposal": "The id of a proposal, from the view or from the event that proposed it.",
    "ruleset_id": "The id of a ruleset, from their list.",
    "seat": "A seat, counted from 0.",
    "secret": "The secret of a link.",
    "size": "The number of leaves of a tree of which a root was signed.",
    "subscription_id": "The id of a push subscription: `ps_…`.",
    "ticket": "The ticket of a link in a mail.",
    "token_id": "The id of a token: `tk_…`, not the token itself.",
    "webhook_id": "The id of a webhook: `wh_…`.",
}
"""The parameters in paths, and what they are."""

HIGHEST = 10**9
"""The highest version of a game, and size of the log of heads, that can be asked for."""
_NOTICE_ID = "^[0-9]{1,15}-[0-9]{1,9}$"

IDEMPOTENCY_KEY = RequestHeader(
    "Idempotency-Key",
    "A key of your choice: a request repeated with the same key has no further effect, and gets the first response, "
    "for as long as that is kept: a day, unless the operator has set another time.",
    {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[ -~]+$"},
)
IF_MATCH = RequestHeader(
    "If-Match",
    "The version that you decided on, in quotes, or the ETag of the view; rejected if the game is at another version.",
    {"type": "string", "pattern": '^(?:W/)?"[0-9]{1,12}(?:-[0-9a-f]{1,32})?(?::gzip)?"$'},
)
IF_MATCH_HEAD = RequestHeader(
    "If-Match",
    "The `head` of the game that you have seen, in quotes; rejected if the game has another one now. A seed needs it.",
    {"type": "string", "pattern": '^"[0-9a-f]{64}"$'},
)
IF_MATCH_PLAN = RequestHeader(
    "If-Match", "The ETag of the plan that you know; rejected if the plan is another one now.", {"type": "string"}
)
IF_NONE_MATCH = RequestHeader("If-None-Match", "The ETag you have; 304 if nothing has changed.", {"type": "string"})

AS_SEAT: Query[Seat | None] = _whole("as", "One of your seats, if you hold several (sandbox).", 0, MOST_SEATS - 1)
AS_VIEWER: Query[Wanted] = Query(
    "as",
    "A seat, or 'spectator'; by default your own seat (of several in a sandbox: in a view the one to act, in events "
    "the lowest), else a spectator. Another's seat only once the game is over.",
    _viewer,
    {"type": "string", "pattern": "^(?:[0-9]|1[01]|spectator)$"},
)
AT: Query[int | None] = _whole(
    "at",
    "The version to show; by default the latest. One that the game does not have is 412 `game-went-back`.",
    1,
    HIGHEST,
)
KNOWLEDGE: Query[Knowledge] = _one_of(
    "knowledge",
    "`full` shows everything that was hidden, once the game is over, and is 403 before; by default `own`.",
    *get_args(Knowledge),
)
AFTER: Query[int] = _whole(
    "after", "The version to continue after. One that the game does not have is 412 `game-went-back`.", 0, HIGHEST, 0
)
EVENTS_LIMIT: Query[int] = _whole("limit", "The maximum number of events.", 1, 1000, 100)
SINCE: Query[Literal["my-last-move"] | None] = _one_of(
    "since", "Only events after the last one by which your seat acted; 403 for a spectator.", "my-last-move"
)
LANGUAGES = languages()
LANG: Query[str | None] = _one_of(
    "lang",
    "Add what happened or what an action does, as a sentence in this language, to each event or legal action.",
    *LANGUAGES,
)
SCENE_LANG: Query[str] = _one_of("lang", "The language of the words.", *LANGUAGES, default=LANGUAGES[0])
WAIT: Query[int] = _whole(
    "wait",
    "Seconds to wait for something new if there is nothing yet. A request that waits counts as an open stream: beyond "
    "the limits on streams, it is rejected with 429.",
    0,
    60,
    0,
)
_PHRASE_ID = "0|ph_[0-9a-f]{12}"


def _phrase_id(text: str) -> str:
    if re.fullmatch(_PHRASE_ID, text) is None:
        raise Invalid("phrase-id")
    return text


PHRASES: Query[str | None] = Query(
    "phrases",
    "Also show what the players say after the phrase of this id; `0` shows all that is kept. A stream then goes on "
    "after the end of the game.",
    _phrase_id,
    {"type": "string", "pattern": f"^(?:{_PHRASE_ID})$"},
)
RECEIPTS = _flag(
    "receipts",
    "Streams only: also send a `receipt` at the beginning and after each batch of events, as the header of other "
    "responses has it.",
)
WITH: Query[Literal["view"] | None] = _one_of(
    "with",
    "Also show the viewer's whole view after the events: in a page, if it is the last one; in a stream, at its "
    "beginning and after each batch of events.",
    "view",
)
WITH_SCENE: Query[Literal["scene"] | None] = _one_of(
    "with", "Also show the scene of the view, in the language of `lang`.", "scene"
)
WITH_VIEW: Query[Literal["view", "scene"] | None] = _one_of(
    "with",
    "Also show the game as your seat sees it after the action: its `view`, or with `scene` the view with its scene. "
    "It is read as the response is sent, so it can be newer than the action when a request is repeated.",
    "view",
    "scene",
)
LIMIT: Query[int] = _whole("limit", "The maximum number of items.", 1, 100, 50)
LEGAL_ACTIONS_LIMIT: Query[int] = _whole("limit", "The maximum number of actions.", 1, MOST_IN_PAGE, MOST_IN_PAGE)
MOVES_LIMIT: Query[int] = _whole("limit", "The maximum number of moves.", 1, 100, 10)
SEAT_ANALYSED: Query[Seat | None] = _whole("as", "Only moves of this seat.", 0, MOST_SEATS - 1)
SEAT_TO_ADVISE: Query[Seat | None] = _whole(
    "as",
    "The seat to advise: in a sandbox one of yours, once the game is over any; by default one that has a decision.",
    0,
    11,
)
DRY_RUN = _flag("dry_run", "Only check whether the action would be accepted.")
EXPORT_LANG: Query[str] = _one_of("lang", "The language of the words in `html`.", *LANGUAGES, default=LANGUAGES[0])
EXPORT_FORMATS = ("text", "audit", "bundle", "html")
EXPORT_FORMAT: Query[Literal["text", "audit", "bundle", "html"] | None] = _one_of(
    "format", "The format of the export.", *EXPORT_FORMATS, required=True
)
GAME_STATUS: Query[Status | None] = _one_of("status", "Only games of this status.", *STATUSES)
RULESET: Query[str | None] = _one_of("ruleset", "Only games of this ruleset.", *RULESETS)
TO_ACT = _flag(
    "to_act",
    "Only games in which it is your turn, most urgent first; a turn that your plan plays is listed, too, for a moment.",
)
OPEN = _flag("open", "Only games with an open seat.")
OPEN_SEATS: Query[int | None] = _whole("open_seats", "Only games with at least this many open seats.", 1, MOST_SEATS)
SPEED: Query[Speed | None] = _one_of(
    "speed",
    "Only games in which a turn has ten minutes (live), a day (daily), more (slow), or no clock (none).",
    *SPEEDS,
)
PLAYER: Query[str | None] = Query(
    "player",
    "Only games that this player created or plays in; none, unless the player shows their games, or is you.",
    _player_id,
    {"type": "string", "pattern": f"^{players.ID_FORM}$"},
)
CONFIRM: Query[str | None] = Query(
    "confirm",
    "Your own id, so that nobody deletes an account by accident.",
    _player_id,
    {"type": "string", "pattern": f"^{players.ID_FORM}$"},
    required=True,
)
SORT: Query[Literal["newest", "oldest"] | None] = _one_of(
    "sort", "Which games come first, by time of creation; by default the newest.", "newest", "oldest"
)
AFTER_NOTICE: Query[str | None] = Query(
    "after", "The id of the event to continue after.", notice_id, {"type": "string", "pattern": _NOTICE_ID}
)
_KINDS: tuple[NoticeKind, ...] = get_args(NoticeKind)
_ONE_KIND = f"(?:{'|'.join(_KINDS)})"
NOTICE_TYPES: Query[Sequence[NoticeKind] | None] = Query(
    "types",
    "Only events of these types, separated by commas; by default of all.",
    _kinds,
    {"type": "string", "pattern": f"^{_ONE_KIND}(?:,{_ONE_KIND})*$"},
)
SIZE: Query[int | None] = _whole(
    "size", "The number of leaves of the tree, one of which a root was signed; by default the latest.", 1, HIGHEST
)
OLD_SIZE: Query[int] = _whole("from", "The number of leaves of the older tree.", 0, HIGHEST, 0)
LEAVES_FROM: Query[int] = _whole("from", "The index of the first leaf, counted from 0.", 0, HIGHEST, 0)
LEAVES_LIMIT: Query[int] = _whole("limit", "The maximum number of leaves.", 1, 1000, 100)
GAME_VERSION: Query[int | None] = _whole(
    "version", "The version up to which a head is wanted; by default the latest.", 1, HIGHEST
)
GAMES_CURSOR = cursor_to("gm_")
TOKENS_CURSOR = cursor_to("tk_")
INVITATIONS_CURSOR = cursor_to("in_")
ADMIN_LOG_CURSOR = cursor(_admin_entry)
