"""The fields of forms and parameters, and their checks: marshmallow's, whose faults are messages instead of English.

What is wrong with a field is the entry ``form.…`` of the service's catalogues, with its parameters.
"""

import json
from collections.abc import Collection, Iterable
from typing import Any, ClassVar, cast

import marshmallow
from marshmallow import ValidationError, fields, missing, validate

from domain.errors import Reason, worded
from domain.game.durations import DURATION, duration, instant, lasting
from domain.sentences.message import Message, Text, message
from domain.wellformed import is_among
from service.accounts.names import name_rules as names
from service.common.errors import WORDS

Raw = fields.Raw

LONGEST_MOMENT = 24

LONGEST_FAULT = 300
"""In letters; what is longer than this is cut, and stays in English."""


def wrong(entry: str, /, **filled: object) -> Message:
    """Return what is wrong with a field, in the words of ``form.<entry>``."""
    return Message(f"form.{entry}", {name: Text(str(value)) for name, value in filled.items()})


def field_fault(name: str, fault: Message) -> Reason:
    """Return what is wrong, with the name of the field unless the fault already has it."""
    if not fault.id.startswith("form."):
        return fault
    said = message("fault.at", at=Text(name), fault=fault)
    whole = worded(said, WORDS)
    return said if len(whole) <= LONGEST_FAULT else whole[:LONGEST_FAULT]


class Invalid(ValidationError):
    """What is wrong with a value, in the words of ``form.<entry>``."""

    def __init__(self, entry: str, /, **filled: object) -> None:
        super().__init__([wrong(entry, **filled)])


def fault_of(error: ValidationError) -> Message:
    return cast("Message", error.messages[0])


def one_of(values: Iterable[object]) -> str:
    listed = [*map(str, values)]
    return f"one of {', '.join(listed)}" if len(listed) > 1 else listed[0]


# -- forms and their fields -----------------------------------------------------------------------------------------

UNKNOWN = wrong("unknown")


class Schema(marshmallow.Schema):
    error_messages = cast("dict[str, str]", {"type": wrong("type"), "unknown": UNKNOWN})


class _Worded:
    """A field whose faults are messages."""

    EXPECTED: ClassVar = ""
    """The entry for a value of another type."""

    def make_error(self, key: str, **_: Any) -> ValidationError:
        return Invalid(self.EXPECTED if key == "invalid" else key)


class String(_Worded, fields.String):
    EXPECTED = "string"


class List(_Worded, fields.List[Any]):
    EXPECTED = "list"


class Dict(_Worded, fields.Dict):
    EXPECTED = "mapping"


class Nested(_Worded, fields.Nested):
    """A form within a form."""


class Whole(_Worded, fields.Integer):
    """A JSON integer, with or without a fraction of zero; strings and other numbers are rejected."""

    EXPECTED = "integer"

    def _validated(self, value: Any) -> Any:
        whole = _without_point(value)
        if type(whole) is not int:
            raise self.make_error("invalid")
        return whole


class Truth(_Worded, fields.Boolean):
    """JSON's true or false; strings and numbers are rejected."""

    EXPECTED = "boolean"

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Read a value; marshmallow alone would accept 1 and "yes" as true."""
        if type(value) is not bool and value is not missing and not (value is None and self.allow_none):
            raise self.make_error("invalid")
        return super().deserialize(value, *args, **kwargs)


class Value(_Worded, fields.Field[Any]):
    """One of a few strings and integers, also written as 7.0; a value that equals one, as true does 1, is not."""

    def __init__(self, values: tuple[Any, ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._fits, listed = is_among(values), ", ".join(map(json.dumps, values))
        self._fault = wrong("one-of.these", values=listed) if len(values) > 1 else wrong("be", value=listed)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        read = _without_point(value)
        if not self._fits(read):
            raise ValidationError([self._fault])
        return read


def _without_point(value: Any) -> Any:
    """Return the integer for a number such as 7.0, which JSON does not distinguish from 7; else the value itself."""
    return int(value) if type(value) is float and value.is_integer() else value


class Name(String):
    """A name that people read, checked and normalized by ``service.accounts.names``."""

    def __init__(self, description: str, **kwargs: Any) -> None:
        form = f"1 to {names.MOST_CHARACTERS} visible characters as readers count them, blanks only between them."
        described = {"description": f"{description} {form}", "minLength": 1, "maxLength": names.MOST_BYTES}
        super().__init__(metadata=described, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        try:
            return self._fit(super()._deserialize(value, *args, **kwargs))
        except names.UnfitText as unfit:
            raise ValidationError(unfit.faults) from unfit

    def _fit(self, text: str) -> str:
        return names.fit_name(text)


class Lasting(String):
    """A duration, read as ms: from ``least`` to ``most``, by default ``usual``; if that is None, it can be null."""

    def __init__(self, description: str, least: int, most: int, usual: int | None, example: str) -> None:
        about = {"description": f"{description}, from {lasting(least)} to {lasting(most)}.", "pattern": f"^{DURATION}$"}
        default = {} if usual is None else {"default": lasting(usual)}
        super().__init__(load_default=usual, allow_none=usual is None, metadata=about | default)
        self._least, self._most, self._example = least, most, example

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        try:
            lasts = duration(text)
        except ValueError as error:
            raise Invalid("duration", example=self._example) from error
        if not self._least <= lasts <= self._most:
            raise Invalid("from-to", least=lasting(self._least), most=lasting(self._most))
        return lasts


class Moment(String):
    """A time in UTC (RFC 3339), read as ms since 1970."""

    _EXAMPLE = "2026-11-28T20:00:00Z"

    def __init__(self, description: str, **kwargs: Any) -> None:
        about = {"description": f"{description}, in UTC, such as {self._EXAMPLE}.", "format": "date-time"}
        super().__init__(metadata=about, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        try:
            if len(text) <= LONGEST_MOMENT and text[10:11] + text[-1:] == "TZ":
                return instant(text)
        except ValueError:
            pass
        raise Invalid("moment", example=self._EXAMPLE)


class PlayerName(Name):
    def _fit(self, text: str) -> str:
        return names.fit_player_name(text)


def text_field(longest: int, **kwargs: Any) -> String:
    """Create the field of a text of at least one character, without control characters."""
    printable = Regexp(r"[^\x00-\x1f\x7f]*\Z", wrong("control"))
    return String(validate=[Length(1, longest), printable, _check_readable], **kwargs)


def _check_readable(text: str) -> None:
    try:
        names.check_readable(text)
    except names.UnfitText as unfit:
        raise ValidationError(unfit.faults) from unfit


# -- their checks -----------------------------------------------------------------------------------------------------


class _Check:
    fault: Message

    def _format_error(self, *_: Any) -> Any:
        return [self.fault]


def _out_of(entry: str, least: int | None, most: int | None) -> Message:
    bounds = {name: bound for name, bound in (("least", least), ("most", most)) if bound is not None}
    return wrong(entry if len(bounds) == 2 else f"{entry}.{next(iter(bounds))}", **bounds)


class Length(_Check, validate.Length):
    def __init__(self, min: int | None = None, max: int | None = None, fault: Message | None = None) -> None:  # noqa: A002 - the library's names
        super().__init__(min, max)
        self.fault = fault or _out_of("length", min, max)


class Range(_Check, validate.Range):
    def __init__(self, min: int | None = None, max: int | None = None, fault: Message | None = None) -> None:  # noqa: A002 - the library's names
        super().__init__(min, max)
        self.fault = fault or _out_of("range", min, max)


class OneOf(_Check, validate.OneOf):
    def __init__(self, choices: Collection[Any], fault: Message | None = None) -> None:
        super().__init__(choices)
        self.fault = fault or wrong("one-of", values=self.choices_text)


class Equal(_Check, validate.Equal):
    def __init__(self, comparable: object) -> None:
        super().__init__(comparable)
        self.fault = wrong("equal", value=comparable)


class Regexp(_Check, validate.Regexp):
    def __init__(self, regex: str, fault: Message) -> None:
        super().__init__(regex)
        self.fault = fault
