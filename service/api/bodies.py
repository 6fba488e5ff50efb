"""What clients may send: marshmallow schemas, strict about types and unknown fields."""

from functools import cache, lru_cache
from typing import Any, get_args, get_origin

import orjson
from marshmallow import Schema, ValidationError, fields, missing, validate, validates_schema

from domain.durations import DURATION
from domain.events import AtTimeout
from domain.plain import Bounds, Pattern, bare, from_plain, literals, optional, plain_fields
from domain.registry import RULESETS
from domain.ruleset import Ruleset
from service.api.http import load
from service.bots import BOTS, RANDOM
from service.players import GUEST_SCOPES
from service.refusals import Fault, Malformed


class Whole(fields.Integer):
    """A JSON integer, nothing that merely looks like one."""

    def _validated(self, value: Any) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class Truth(fields.Boolean):
    """true or false, nothing that merely looks like it."""

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Read a value that is there; marshmallow's own reading would take 1 and "yes" for true."""
        if type(value) is not bool and value is not missing and not (value is None and self.allow_none):
            raise self.make_error("invalid", input=value)
        return super().deserialize(value, *args, **kwargs)


class Listed(fields.Field[Any]):
    """One of the values listed, texts or integers: nothing that merely equals one, as 5.0 and true equal 5 and 1."""

    def __init__(self, values: tuple[Any, ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._values = values

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not any(type(value) is type(listed) and value == listed for listed in self._values):
            raise ValidationError(f"Must be one of: {', '.join(map(str, self._values))}.")
        return value


def _text(longest: int, **kwargs: Any) -> fields.String:
    printable = validate.Regexp(r"[^\x00-\x1f\x7f]*\Z", error="Control characters are not allowed.")
    return fields.String(validate=[validate.Length(1, longest), printable], **kwargs)


class NewPlayer(Schema):
    """A guest to be."""

    name = _text(64, required=True, metadata={"description": "The name to show."})


class PlayerChange(NewPlayer):
    """What may change of a player."""


class NewToken(Schema):
    """A token to be; by default with all that a guest may do."""

    scopes = fields.List(
        fields.String(validate=validate.OneOf(GUEST_SCOPES)),
        load_default=list(GUEST_SCOPES),
        validate=validate.Length(1, len(GUEST_SCOPES)),
        metadata={"description": "What the token may do."},
    )
    label = _text(64, load_default="token", metadata={"description": "A name to know it by."})


class NewSeat(Schema):
    """Who sits on a seat at creation: exactly one of the fields."""

    player = fields.String(validate=validate.Equal("me"), metadata={"description": "The creator."})
    open = Truth(validate=validate.Equal(True), metadata={"description": "Free for anyone."})  # noqa: FBT003
    bot = fields.String(validate=validate.OneOf(list(BOTS)), metadata={"description": "A bot by name."})

    @validates_schema
    def _check_one(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise ValidationError('Must be one of {"player": "me"}, {"open": true}, {"bot": "…"}.')


def _duration(text: str) -> fields.String:
    form = validate.Regexp(DURATION + r"\Z", error="Not a duration such as P3D, PT90S or P1DT12H.")
    return fields.String(validate=form, load_default=None, allow_none=True, metadata={"description": text})


class NewClock(Schema):
    """How long the seats may think, as durations (P3D, PT90S), and what becomes of a turn that takes longer."""

    per_move = _duration("Free for each decision.")
    bank = _duration("What a seat has in all for what goes beyond the time per move.")
    increment = _duration("Added to the bank after each decision.")
    on_timeout = fields.String(
        validate=validate.OneOf(get_args(AtTimeout)),
        load_default="bot",
        metadata={
            "description": "A bot decides, the seat resigns (where the ruleset knows that), or all wait for a claim."
        },
    )
    bot = fields.String(
        validate=validate.OneOf(list(BOTS)),
        load_default=RANDOM,
        metadata={"description": "The bot that decides for a seat whose time is up."},
    )


class NewGame(Schema):
    """A game to be."""

    ruleset = fields.String(required=True, validate=validate.OneOf(list(RULESETS)))
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata={"description": "Options of the ruleset."})
    seats = fields.List(
        fields.Nested(NewSeat()), required=True, validate=validate.Length(1, 12), metadata={"description": "By seat."}
    )
    visibility = fields.String(validate=validate.OneOf(["public", "unlisted", "private"]), load_default="public")
    sandbox = Truth(load_default=False, metadata={"description": "Whether one player may hold several seats."})
    clock = fields.Nested(
        NewClock(),
        allow_none=True,
        metadata={"description": "null for none; if left out, three days a move (in a sandbox none)."},
    )


class TakeSeat(Schema):
    """A seat to take: the first open one, if none is named."""

    seat = Whole(validate=validate.Range(0, 11))
    client_seed = _text(64, metadata={"description": "Mixed into every draw of the game; public."})


class HandOver(Schema):
    """A bot to sit on a seat."""

    bot = fields.String(required=True, validate=validate.OneOf(list(BOTS)))


class Nothing(Schema):
    """A request without fields."""


_KINDS = ("draw", "stop_after_hand", "pause", "resume", "take_back", "abort")


class NewProposal(Schema):
    """Something that every seat must accept."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(_KINDS),
        metadata={"description": "What to agree on; the ruleset says which of them it knows."},
    )
    duration = _duration("How long a pause is to last, as an ISO 8601 duration; two weeks if left out.")


class NewVote(Schema):
    """An answer to a proposal."""

    accept = Truth(required=True, metadata={"description": "false ends the proposal."})


@lru_cache(4096)
def read_action(ruleset_id: str, raw: bytes) -> tuple[Any, str | None]:
    """Read a posted action as the ruleset's own, and the decision that it names; raises ``Malformed``.

    ``raw`` is a JSON object. The same few plays are posted over and over: what was read is kept.
    """
    ruleset, posted = RULESETS[ruleset_id], orjson.loads(raw)
    name = posted.get("type")
    cls = ruleset.ACTIONS.get(name) if isinstance(name, str) else None
    if cls is None:
        message = f"type: must be one of {', '.join(ruleset.ACTIONS)}"
        raise Malformed([Fault("/type", "unknown-action", message)])
    read = load(_posted(cls), posted)
    return from_plain(cls, read), read.get("decision_id")


@cache
def _posted(cls: Any) -> Schema:
    """Make the schema of an action as it is posted: its own fields, and those that every action carries."""
    decision = fields.String(validate=validate.Regexp(r"d[0-9]{1,12}_[0-9]{1,2}\Z"))
    return Schema.from_dict(_fields(cls) | {"type": fields.String(), "decision_id": decision}, name=cls.__name__)()


def read_options(ruleset: Ruleset, given: dict[str, Any]) -> dict[str, Any]:
    """Check the form of the options given; raises ``Malformed``."""
    return load(schema_of(ruleset.OPTIONS), given, at="/options")


@cache
def schema_of(cls: Any) -> Schema:
    """Make the schema of a dataclass of the domain."""
    return Schema.from_dict(_fields(cls), name=cls.__name__)()


def _fields(cls: Any) -> dict[str, fields.Field[Any]]:
    return {f.key: _field(f.type, required=f.required) for f in plain_fields(cls)}


def _field(tp: Any, **kwargs: Any) -> fields.Field[Any]:  # noqa: PLR0911 - one line a kind of type
    inner = optional(tp)
    if inner is not None:
        return _field(inner, **kwargs, allow_none=True)
    values = literals(tp)
    if values is not None:
        texts = all(isinstance(value, str) for value in values)
        return fields.String(validate=validate.OneOf(values), **kwargs) if texts else Listed(values, **kwargs)
    if get_origin(tp) is tuple:
        return fields.List(_field(get_args(tp)[0]), validate=validate.Length(max=100), **kwargs)
    for annotation in get_args(tp)[1:]:
        if isinstance(annotation, Bounds):
            return Whole(validate=validate.Range(annotation.low, annotation.high), **kwargs)
        if isinstance(annotation, Pattern):
            message = f"This is no {annotation.name} code."
            return fields.String(validate=validate.Regexp(rf"(?:{annotation.regex})\Z", error=message), **kwargs)
    if bare(tp) in (bool, str):
        return Truth(**kwargs) if tp is bool else _text(64, **kwargs)
    return fields.Nested(schema_of(tp), **kwargs)
