"""Request bodies: marshmallow schemas, strict about types and unknown fields."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar, cast, get_args
from zoneinfo import available_timezones

import orjson
from marshmallow import validates_schema

from domain.events import AtTimeout, OperatorAct, Unopened
from domain.game.durations import DAY, DURATION, MINUTE
from domain.game.seating import SLOWEST_BOT
from domain.game.seeds import USUAL as USUAL_OPENING
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.table import MOST_SEATS
from domain.tournaments.events import Pairing
from domain.tournaments.tournament import LEAST_PLACES, MOST_DEALS, MOST_PLACES, MOST_ROUNDS
from service.accounts.players import GUEST_SCOPES
from service.accounts.profiles import PORTRAITS
from service.api.type_names import PROPOSAL_KINDS
from service.bots import BOTS, RANDOM
from service.common.errors import Fault, Malformed
from service.games.invitations.inviting import LONGEST, SHORTEST, USUAL
from service.games.phrases import PHRASES
from service.inbox.notices import Kind as NoticeKind
from service.input import fields
from service.input.fields import Invalid, Name, PlayerName, Schema, Truth, Whole, text_field, wrong
from service.input.forms import action_of, load, schema_of
from service.notifications.delivery.outside_addresses import LONGEST_URL
from service.tournaments.tournaments import USUAL_BOT, USUAL_DEALS

LONGEST_OPERATOR = 200
LONGEST_REASON = 200


def _portrait(**given: Any) -> fields.String:
    return fields.String(
        validate=fields.OneOf(PORTRAITS),
        metadata={"description": "The head that a table shows beside the name. Public."},
        **given,
    )


class NewPlayerSchema(Schema):
    """The guest to create."""

    name = PlayerName("The name to show:", required=True)
    operator = text_field(
        LONGEST_OPERATOR,
        load_default=None,
        metadata={"description": "For the account of a bot: who runs it, and where to reach them. Public."},
    )
    portrait = _portrait(load_default=None)


class ShownPartsChangeSchema(Schema):
    """What others see of the player, part by part; parts that are omitted stay as they are."""

    language = Truth(metadata={"description": "Whether others see the language."})
    time_zone = Truth(metadata={"description": "Whether others see the time zone."})
    seen = Truth(metadata={"description": "Whether the day of the last request is kept, and others see it."})
    games = Truth(metadata={"description": "Whether others can list the player's public games."})


def _check_time_zone(text: str) -> None:
    if text not in _time_zones():
        raise Invalid("time-zone", example="Europe/Paris")


_NO_PLACES = frozenset({"Factory", "localtime", "posixrules"})
"""Names in the database of time zones that stand for no place: they mean the zone of the host, or none."""


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones() - _NO_PLACES)


class PlayerChangeSchema(Schema):
    """The change to a player; fields that are omitted stay as they are."""

    name = PlayerName("The name to show:")
    portrait = _portrait()
    language = fields.String(
        validate=[
            fields.Length(2, 35),
            fields.Regexp(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*\Z", wrong("language", example="fr or pt-BR")),
        ],
        allow_none=True,
        metadata={"description": "The player's language as a BCP 47 tag, null for none."},
    )
    time_zone = fields.String(
        validate=[fields.Length(1, 64), _check_time_zone],
        allow_none=True,
        metadata={"description": "The player's time zone by its IANA name, such as Europe/Paris; null for none."},
    )
    shows = fields.Nested(ShownPartsChangeSchema())
    operator = text_field(
        LONGEST_OPERATOR, metadata={"description": "Who runs the bot; only the account of a bot has one."}
    )


class NewTokenSchema(Schema):
    """The token to create; by default with every scope that a guest has."""

    scopes = fields.List(
        fields.String(validate=fields.OneOf(GUEST_SCOPES)),
        load_default=list(GUEST_SCOPES),
        validate=fields.Length(1, len(GUEST_SCOPES)),
        metadata={"description": "The scopes of the token."},
    )
    label = Name("A name to recognize it by:", load_default="token")


class NewSeatTokenSchema(Schema):
    """The seat token to create."""

    label = Name("A name to recognize it by:", load_default="seat")


class NewSeatSchema(Schema):
    """Who has a seat when the game is created: exactly one of the fields."""

    player = fields.String(validate=fields.Equal("me"), metadata={"description": "The creator."})
    open = Truth(validate=fields.Equal(True), metadata={"description": "Open to any player."})  # noqa: FBT003
    bot = fields.String(validate=fields.OneOf(list(BOTS)), metadata={"description": "The name of a bot."})

    @validates_schema
    def _check_one(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise Invalid("one-of.these", values='{"player": "me"}, {"open": true}, {"bot": "…"}')


class ForkSeatSchema(Schema):
    """Who has a seat of a fork: exactly one of the fields."""

    player = fields.String(validate=fields.Equal("me"), metadata={"description": "The maker of the fork."})
    bot = fields.String(validate=fields.OneOf(list(BOTS)), metadata={"description": "The name of a bot."})

    @validates_schema
    def _check_one(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise Invalid("one-of.these", values='{"player": "me"}, {"bot": "…"}')


class NewForkSchema(Schema):
    """The position to fork, and who plays on."""

    at = Whole(validate=fields.Range(1, 10**9), metadata={"description": "The version; by default the latest."})
    as_ = Whole(
        data_key="as",
        validate=fields.Range(0, MOST_SEATS - 1),
        allow_none=True,
        metadata={
            "description": "The seat whose knowledge the fork begins with, null for a spectator's. By default your own "
            "seat, or once the game is over the true position. Another's seat only once the game is over."
        },
    )
    seats = fields.List(
        fields.Nested(ForkSeatSchema()),
        validate=fields.Length(1, MOST_SEATS),
        metadata={"description": "By seat; by default you hold all of them."},
    )
    visibility = fields.String(
        validate=fields.OneOf(["public", "unlisted", "private"]),
        load_default="private",
        metadata={"description": "At most that of the game, and private before the game is over."},
    )


_DURATIONS = "P3D, PT90S or P1DT12H"
_IS_DURATION = fields.Regexp(DURATION + r"\Z", wrong("duration", example=_DURATIONS))


def _duration(text: str) -> fields.String:
    return fields.String(validate=_IS_DURATION, load_default=None, allow_none=True, metadata={"description": text})


class NewClockSchema(Schema):
    """How long players have to move, as durations (P3D, PT90S), and what happens at a timeout."""

    per_move = _duration("Free time for each decision.")
    bank = _duration("A seat's total for time beyond the time per move.")
    increment = _duration("Added to the bank after each decision.")
    on_timeout = fields.String(
        validate=fields.OneOf(get_args(AtTimeout)),
        load_default="bot",
        metadata={
            "description": "A bot decides, the seat loses (if the rules have resignation), or all wait for a claim."
        },
    )
    bot = fields.String(
        validate=fields.OneOf(list(BOTS)),
        load_default=RANDOM,
        metadata={"description": "The bot that decides for a seat whose time is up."},
    )


class NewOpeningSchema(Schema):
    """How seeds that players commit to are opened, once every seat is taken."""

    within = fields.String(
        validate=_IS_DURATION,
        load_default=USUAL_OPENING.within,
        metadata={"description": "The time in which players must open them, from PT5S to P14D."},
    )
    unopened = fields.String(
        validate=fields.OneOf(get_args(Unopened)),
        load_default=USUAL_OPENING.unopened,
        metadata={"description": "If one is not opened in time, the game starts without it, or ends (`abort`)."},
    )


class NewGameSchema(Schema):
    """The game to create."""

    ruleset = fields.String(required=True, validate=fields.OneOf(list(RULESETS)))
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata={"description": "Options of the ruleset."})
    seats = fields.List(
        fields.Nested(NewSeatSchema()),
        required=True,
        validate=fields.Length(1, MOST_SEATS),
        metadata={"description": "By seat."},
    )
    visibility = fields.String(validate=fields.OneOf(["public", "unlisted", "private"]), load_default="public")
    sandbox = Truth(load_default=False, metadata={"description": "Whether one player can hold several seats."})
    clock = fields.Nested(
        NewClockSchema(),
        allow_none=True,
        metadata={"description": "null for no clock; by default three days a move (in a sandbox, no clock)."},
    )
    bot_pace = fields.Lasting(
        "How long a bot waits before it moves while a player is at the table, so that players can follow; by default "
        "that of the service. Except in a sandbox, it waits at least long enough to hide how long it thinks. A "
        "duration",
        0,
        SLOWEST_BOT,
        None,
        "PT0.75S",
    )
    opening = fields.Nested(
        NewOpeningSchema(),
        load_default=None,
        allow_none=True,
        metadata={"description": "How seeds are opened; by default within two minutes, else the game starts without."},
    )


_COMMITMENT = (
    'Instead of a seed: the SHA-256, in hex, of ["seed", game id, your id, seed] as canonical JSON. You open the seed '
    "once every seat is taken."
)


def _digits(count: int, what: str, *, required: bool = False) -> fields.String:
    form = fields.Regexp(f"[0-9a-f]{{{count}}}\\Z", wrong("be", value=f"{count} hex digits in lower case"))
    return fields.String(required=required, validate=form, metadata={"description": what})


class TakeSeatSchema(Schema):
    """The seat to take; by default the first open one."""

    seat = Whole(validate=fields.Range(0, MOST_SEATS - 1))
    client_seed = text_field(64, metadata={"description": "Mixed into every draw of the game; public."})
    seed_commitment = _digits(64, _COMMITMENT)


class OpenSeedSchema(Schema):
    """The seed to open."""

    seat = Whole(
        validate=fields.Range(0, MOST_SEATS - 1),
        metadata={"description": "By default the first of your seats whose seed is awaited."},
    )
    client_seed = text_field(
        64, required=True, metadata={"description": "The seed that you committed to; public from now."}
    )


def _notice_types(**kwargs: Any) -> fields.List:
    return fields.List(
        fields.String(validate=fields.OneOf(get_args(NoticeKind))),
        validate=fields.Length(1, len(get_args(NoticeKind))),
        allow_none=True,
        metadata={"description": "Which notices to send; null for all."},
        **kwargs,
    )


class NewInvitationSchema(Schema):
    """The invitation to make: for a player, by id or by name, or for anyone who has the link."""

    EXACTLY_ONE: ClassVar = ("link", "player", "name")

    link = Truth(validate=fields.Equal(True), metadata={"description": "For anyone who has the link."})  # noqa: FBT003
    player = fields.String(
        validate=fields.Regexp(r"pl_[0-9a-z]{1,32}\Z", wrong("player")),
        metadata={"description": "The id of the player to invite."},
    )
    name = Name("The name of the player to invite:")
    seat = Whole(validate=fields.Range(0, MOST_SEATS - 1), metadata={"description": "The seat; by default any."})
    expires_in = fields.Lasting("How long it is open", SHORTEST, LONGEST, USUAL, _DURATIONS)

    @validates_schema
    def _check_one(self, data: dict[str, Any], **_: Any) -> None:
        if len(data.keys() & self.EXACTLY_ONE) != 1:
            raise Invalid("exactly-one", fields='"link": true, "player": "pl_…" and "name": "…"')


class TakeByLinkSchema(Schema):
    """Who takes the seat that a link opens."""

    name = PlayerName("Needed without a token: the name to show.")
    client_seed = text_field(64, metadata={"description": "Mixed into every draw of the game; public."})
    seed_commitment = _digits(64, f"{_COMMITMENT} Needs a token.")


class NewWebhookSchema(Schema):
    """The webhook to make."""

    url = fields.String(
        required=True,
        validate=fields.Length(1, LONGEST_URL),
        metadata={"description": "The receiver: https, a public address, port 443 or from 1024 on.", "format": "uri"},
    )
    types = _notice_types(load_default=None)


class WebhookChangeSchema(Schema):
    """The change to a webhook; fields that are omitted stay as they are."""

    types = _notice_types()
    enabled = Truth(metadata={"description": "Whether messages are sent."})


class HandOverSchema(Schema):
    """The bot to put on a seat."""

    bot = fields.String(required=True, validate=fields.OneOf(list(BOTS)))


class NewOperatorActSchema(Schema):
    """What the operator does to a game, and why; with `replace`, also to which seat, and the bot that takes it."""

    act = fields.String(
        required=True,
        validate=fields.OneOf(get_args(OperatorAct)),
        metadata={"description": "`abort` ends the game without a result, `replace` puts a bot on a player's seat."},
    )
    reason = text_field(
        LONGEST_REASON,
        required=True,
        metadata={"description": "The reason, permanently public in the log. Do not name anyone in it."},
    )
    seat = Whole(
        validate=fields.Range(0, MOST_SEATS - 1), metadata={"description": "With `replace`: the seat of the player."}
    )
    bot = fields.String(
        validate=fields.OneOf(list(BOTS)), metadata={"description": "With `replace`: the bot to put there."}
    )

    @validates_schema
    def _check_seat(self, data: dict[str, Any], **_: Any) -> None:
        wanted = {"seat", "bot"} if data["act"] == "replace" else set[str]()
        if data.keys() & {"seat", "bot"} != wanted:
            raise Invalid("of-replace")


class NewTournamentSchema(Schema):
    """The tournament to create; you become its director."""

    name = Name("What it is called:", required=True)
    ruleset = fields.String(required=True, validate=fields.OneOf(list(RULESETS)))
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata={"description": "Options of the ruleset."})
    seats = Whole(required=True, validate=fields.Range(2, MOST_SEATS), metadata={"description": "Seats of a table."})
    deals = Whole(
        validate=fields.Range(0, MOST_DEALS),
        metadata={"description": f"Deals a round, by default {USUAL_DEALS}; 0, the default, for a game without deals."},
    )
    rounds = Whole(required=True, validate=fields.Range(1, MOST_ROUNDS))
    pairing = fields.String(
        validate=fields.OneOf(get_args(Pairing)),
        load_default="lots",
        metadata={"description": "How tables are drawn; for games with deals, by `lots`."},
    )
    bot = fields.String(
        validate=fields.OneOf(list(BOTS)),
        metadata={
            "description": f"The bot for seats that are left over, by default {USUAL_BOT}; without deals, none: a bye."
        },
    )
    auction = fields.String(
        validate=fields.OneOf(list(BOTS)),
        metadata={"description": "The bot that bids for every seat, so that taker and contract are given."},
    )
    clock = fields.Nested(NewClockSchema(), required=True)
    round_time = fields.Lasting("How long a round lasts at most", 10 * MINUTE, 90 * DAY, 7 * DAY, _DURATIONS)
    starts = fields.Moment("When the first round begins", required=True)
    most = Whole(
        validate=fields.Range(LEAST_PLACES, MOST_PLACES),
        load_default=MOST_PLACES,
        metadata={"description": "How many players have places; more are reserves."},
    )
    account_days = Whole(
        validate=fields.Range(0, 3650), load_default=0, metadata={"description": "How old an account must be."}
    )
    finished_games = Whole(
        validate=fields.Range(0, 100),
        load_default=0,
        metadata={"description": "How many games to have finished."},
    )
    invited = Truth(load_default=False, metadata={"description": "Whether players must bring the invitation."})


class EntrySchema(Schema):
    """What a player brings to enter."""

    invitation = text_field(64, metadata={"description": "What the director has given you, if the tournament asks."})


_NEEDS = {"adjust": {"player", "points"}, "withdraw": {"player"}, "substitute": {"player", "by"}, "cancel": set[str]()}
"""What each act of a director needs beside its reason."""


class NewTournamentActSchema(Schema):
    """What the director does, and why."""

    act = fields.String(
        required=True,
        validate=fields.OneOf(list(_NEEDS)),
        metadata={
            "description": "`adjust` adds points to those of a player (a penalty, or a correction), `withdraw` takes a "
            "player out of later rounds, `substitute` gives the place to a reserve, `cancel` ends the tournament."
        },
    )
    reason = text_field(
        LONGEST_REASON, required=True, metadata={"description": "The reason, permanently public in the log."}
    )
    player = text_field(70, metadata={"description": "The player, except with `cancel`."})
    points = Whole(validate=fields.Range(-10_000, 10_000), metadata={"description": "With `adjust`: how many to add."})
    by = text_field(70, metadata={"description": "With `substitute`: the reserve."})

    @validates_schema
    def _check_parts(self, data: dict[str, Any], **_: Any) -> None:
        if data.keys() - {"act", "reason"} != _NEEDS[data["act"]]:
            raise Invalid("of-act")


class NothingSchema(Schema):
    """A request without fields."""


class ReceiptSchema(Schema):
    """A receipt, as the header Plateau-Receipt has it."""

    game = text_field(64, required=True, metadata={"description": "The id of the game."})
    version = Whole(required=True, validate=fields.Range(1, 10**12), metadata={"description": "The version."})
    hash = _digits(64, "The hash of the event of that version.", required=True)
    at = text_field(64, required=True, metadata={"description": "The time of that event."})
    key_id = _digits(16, "The id of the key that signed.", required=True)
    signature = _digits(128, "The Ed25519 signature.", required=True)


class NewCosignatureSchema(Schema):
    """A witness and what it has signed: the statement of the root, under a label of its own."""

    witness = _digits(64, "The Ed25519 public key of the witness.", required=True)
    signature = _digits(
        128,
        "The signature over `plateau-cosignature-v1`, a line feed, and the canonical form of the root's `at`, "
        "`key_id`, `root` and `size`.",
        required=True,
    )


class ResignationSchema(Schema):
    """The confirmation of a resignation; without it, an empty or truncated body could end a game."""

    confirm = Truth(
        required=True,
        validate=fields.Equal(True),  # noqa: FBT003
        metadata={"description": "Must be true: a resignation cannot be taken back."},
    )


class NewProposalSchema(Schema):
    """A proposal that every seat must accept."""

    kind = fields.String(
        required=True,
        validate=fields.OneOf(PROPOSAL_KINDS),
        metadata={
            "description": "What to agree on; the ruleset's 'proposals' lists what is possible.",
            "enum": PROPOSAL_KINDS,
        },
    )
    duration = _duration("The length of a pause, as an ISO 8601 duration; two weeks by default.")
    to_version = Whole(
        load_default=None,
        allow_none=True,
        validate=fields.Range(min=1),
        metadata={
            "description": "The version that a take-back returns to, one of the view's `take_back`; by default the one "
            "before the proposer's last action."
        },
    )


class NewVoteSchema(Schema):
    """A vote on a proposal."""

    accept = Truth(required=True, metadata={"description": "false closes the proposal."})


class NewPhraseSchema(Schema):
    """A phrase to say."""

    phrase = fields.String(
        required=True,
        validate=fields.OneOf(PHRASES),
        metadata={"description": "The phrase, from `choices`.", "enum": PHRASES},
    )


_LONGEST_KEPT = 256
"""The longest body, in bytes, whose action is cached. Plays are shorter; padded bodies must not fill the memory."""


def read_action(ruleset: AnyRuleset, raw: bytes) -> tuple[Any, str | None]:
    """Read a posted action, a JSON object, and the decision that it names; raise ``Malformed``.

    Clients post the same few plays over and over, so the results for short ones are cached.
    """
    return _read_short(ruleset, raw) if len(raw) <= _LONGEST_KEPT else _read(ruleset, raw)


def _read(ruleset: AnyRuleset, raw: bytes) -> tuple[Any, str | None]:
    return action_of(ruleset, orjson.loads(raw))


_read_short = lru_cache(4096)(_read)


def read_options(ruleset: AnyRuleset, given: dict[str, Any]) -> dict[str, Any]:
    """Check the form of the options; raise ``Malformed``."""
    return load(schema_of(cast("type", ruleset.options.shape)), given, at="/options")


def faults_of_options(posted: Mapping[str, Any]) -> list[Fault]:
    """Find faults in the options of a new game, whose form depends on the ruleset."""
    ruleset, options = posted.get("ruleset"), posted.get("options", {})
    if not isinstance(ruleset, str) or ruleset not in RULESETS or not isinstance(options, dict):
        return []
    try:
        read_options(RULESETS[ruleset], options)
    except Malformed as malformed:
        return list(malformed.faults)
    return []
