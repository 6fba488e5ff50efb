"""The bodies that set up destinations: an address or a subscription, which notices it carries, and when it is quiet."""

import re
from typing import Any, get_args

from marshmallow import post_load, validates_schema

from domain.game.durations import DAY, MINUTE
from service.inbox.notices import Kind
from service.input import fields
from service.input.fields import Invalid, Schema, Whole, wrong
from service.notifications.content.choices import USUAL, Choices, QuietHours
from service.notifications.delivery.outside_addresses import LONGEST_URL
from service.notifications.mail.mail_destination import checked
from service.notifications.push.encryption import check_browser_key, from_base64url

KINDS: tuple[Kind, ...] = get_args(Kind)
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"


class _TimeOfDay(fields.String):
    """A time of day, read as minutes after midnight."""

    def __init__(self, description: str) -> None:
        super().__init__(required=True, metadata={"pattern": f"^(?:{_CLOCK})$", "description": description})

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        if re.fullmatch(_CLOCK, text) is None:
            raise Invalid("clock", example="22:30")
        return text


class NewQuietHoursSchema(Schema):
    """Hours of each day, in the player's time zone; they pass midnight if they end before they start."""

    start = _TimeOfDay("When they start.")
    end = _TimeOfDay("When they end.")

    @validates_schema
    def _check_length(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("start") == data.get("end"):
            raise Invalid("quiet")

    @post_load
    def _made(self, data: dict[str, str], **_: Any) -> QuietHours:
        return QuietHours(_minutes(data["start"]), _minutes(data["end"]))


class ChoicesSchema(Schema):
    """What a destination carries, and when."""

    types = fields.List(
        fields.String(validate=fields.OneOf(KINDS)),
        load_default=list(USUAL),
        validate=fields.Length(1, len(KINDS)),
        metadata={"description": "The types of notices to send; by default your_turn and deadline_near."},
    )
    quiet_hours = fields.Nested(
        NewQuietHoursSchema(),
        load_default=None,
        allow_none=True,
        metadata={"description": "Hours without messages; notices that still matter are sent afterwards."},
    )


class _Address(fields.String):
    """A mail address, in the form to send to."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        try:
            return checked(text)
        except ValueError as error:
            raise Invalid("address", fault=error) from error


class MailSetUpSchema(ChoicesSchema):
    """Where mails go, what they carry, and when."""

    address = _Address(
        required=True,
        validate=fields.Length(3, 254),
        metadata={"description": "The mail address.", "format": "idn-email"},
    )
    interval = fields.Lasting("How long a mail waits for further notices", MINUTE, DAY, 10 * MINUTE, "PT10M")


class _PublicKey(fields.String):
    """The public key of a browser; kept as it was written."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text: str = super()._deserialize(value, *args, **kwargs)
        try:
            check_browser_key(from_base64url(text))
        except ValueError as error:
            raise Invalid("curve", curve="P-256") from error
        return text


class BrowserKeysSchema(Schema):
    """The keys of a browser, as its subscription has them."""

    p256dh = _PublicKey(
        required=True,
        validate=fields.Regexp(r"[A-Za-z0-9_-]{87}=?\Z", wrong("bytes", count=65)),
        metadata={"description": "The browser's public key."},
    )
    auth = fields.String(
        required=True,
        validate=fields.Regexp(r"[A-Za-z0-9_-]{22}(?:==)?\Z", wrong("bytes", count=16)),
        metadata={"description": "The secret that it shares."},
    )


class NewPushSubscriptionSchema(ChoicesSchema):
    """The browser to subscribe: its PushSubscription as JSON, and choices."""

    endpoint = fields.String(
        required=True,
        validate=fields.Length(1, LONGEST_URL),
        metadata={"description": "The address of the push service for this browser.", "format": "uri"},
    )
    keys = fields.Nested(BrowserKeysSchema(), required=True)
    expires = Whole(
        data_key="expirationTime",
        load_default=None,
        allow_none=True,
        validate=fields.Range(min=0),
        metadata={
            "description": "When the subscription ends according to the browser, in ms since 1970. It has no effect: "
            "the push service decides.",
            "format": "int64",
        },
    )


def choices_in(body: dict[str, Any]) -> Choices:
    return Choices(tuple(dict.fromkeys(body["types"])), body["quiet_hours"])


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)
