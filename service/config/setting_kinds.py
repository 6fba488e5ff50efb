"""What kinds of values a setting can have: how each is parsed, and the allowed values in words."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

from email_validator import EmailNotValidError, validate_email

from domain.deal_sets.schedule import Schedule
from domain.registry import RULESETS
from service.accounts.limits import LIMITS
from service.bots import BOTS
from service.store.redis import cluster_address
from service.store.redis.sentinel_address import OWN_PARAMETERS, SCHEMES, SentinelAddress


class Kind(NamedTuple):
    """How to parse the text of a setting (a ValueError rejects it), and the allowed values in words."""

    parse: Callable[[str], Any]
    allowed: str
    has_password: bool = False


def whole_number(lowest: int, highest: int) -> Kind:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and lowest <= int(text) <= highest):
            raise ValueError
        return int(text)

    return Kind(parse, f"a whole number from {lowest} to {highest}")


_MOST = 1_000_000
"""The highest that a limit can be set to."""


def _limits(text: str) -> Mapping[str, int]:
    limits: dict[str, int] = {}
    for part in text.split(","):
        bucket, _, amount = (word.strip() for word in part.partition("="))
        if bucket not in LIMITS:
            raise Unfit(f"{bucket!r} is no limit; the limits are {', '.join(LIMITS)}")
        try:
            limits[bucket] = whole_number(LIMITS[bucket].lowest, _MOST).parse(amount)
        except ValueError:
            raise Unfit(f"{bucket} must be a whole number from {LIMITS[bucket].lowest} to {_MOST}") from None
    return limits


def _one_of(words: Mapping[str, Any]) -> Kind:
    def parse(text: str) -> Any:
        if text.lower() not in words:
            raise ValueError
        return words[text.lower()]

    return Kind(parse, "one of " + ", ".join(words))


def _address(text: str) -> str:
    if any(character.isspace() or character in "/@?#" for character in text):
        raise ValueError
    return text.removeprefix("[").removesuffix("]")


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as no_home:
        raise ValueError from no_home


def _origins(text: str) -> frozenset[str]:
    if text.lower() in ("*", "none"):
        return frozenset({"*"}) if text == "*" else frozenset()
    origins = frozenset(part.strip().lower() for part in text.split(","))
    if not all(re.fullmatch(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?", origin) for origin in origins):
        raise ValueError
    return origins


def _public_keys(text: str) -> tuple[str, ...]:
    keys = tuple(dict.fromkeys(part.strip().lower() for part in text.split(",")))
    if len(keys) > _MOST_KEYS or not all(re.fullmatch("[0-9a-f]{64}", key) for key in keys):
        raise ValueError
    return keys


_MOST_KEYS = 100


class Unfit(ValueError):
    """A text is not allowed, for a reason that the message can show."""


def _games_url(text: str) -> str:
    if not cluster_address.is_of_cluster(text):
        return _redis_url(text)
    try:
        address = cluster_address.read(text)
    except ValueError as error:
        raise Unfit(str(error)) from error
    _redis_url(address.first)
    return text


def _redis_url(text: str) -> str:
    if text.partition("://")[0] in SCHEMES:
        return _sentinel_url(text)
    parts = urlsplit(text)
    place = parts.path if parts.scheme == "unix" else parts.hostname
    if parts.scheme not in {"redis", "rediss", "unix"} or not place or parts.port == 0:
        raise ValueError
    if parts.scheme != "unix" and not re.fullmatch(r"/?|/\d+", parts.path):
        raise Unfit("the path after the port must be the number of a database")
    _check_parameters(parts, _PARAMETERS | (_TLS_PARAMETERS if parts.scheme == "rediss" else {}))
    return text


def _sentinel_url(text: str) -> str:
    try:
        server = urlsplit(SentinelAddress.read(text).server)
    except ValueError as error:
        raise Unfit(str(error)) from error
    _check_parameters(server, _PARAMETERS | OWN_PARAMETERS | (_TLS_PARAMETERS if server.scheme == "rediss" else {}))
    return text


def _check_parameters(parts: SplitResult, parameters: Mapping[str, str]) -> None:
    """Check what is after the '?' of an address; ``parameters`` has the form of each value."""
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name not in parameters:
            raise Unfit(f"the parameter {name!r} after the '?' is not one of {', '.join(parameters)}")
        if not re.fullmatch(parameters[name], value):
            raise Unfit(f"the value of {name!r} is not valid")


_PARAMETERS = {
    "db": r"\d+",
    "username": ".+",
    "password": ".+",
    "client_name": r"[!-~]+",
    "socket_timeout": r"\d+(\.\d+)?",
    "socket_connect_timeout": r"\d+(\.\d+)?",
    "health_check_interval": r"\d+",
}
"""The parameters allowed after the '?', and their form; the client library accepts more, some of them harmful here."""

_TLS_PARAMETERS = {
    "ssl_ca_certs": ".+",
    "ssl_ca_path": ".+",
    "ssl_certfile": ".+",
    "ssl_keyfile": ".+",
    "ssl_password": ".+",
    "ssl_cert_reqs": "none|optional|required",
    "ssl_check_hostname": "(?i:true|false|yes|no|1|0)",
}


def _smtp_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme == "file" and not parts.netloc and parts.path.startswith("/"):
        return text
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or parts.port == 0 or parts.path not in ("", "/"):
        raise ValueError
    _check_parameters(parts, {"ca_certs": ".+"} | ({"starttls": "yes|no"} if parts.scheme == "smtp" else {}))
    return text


def _archive_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise Unfit("it has no user, password or parameters; credentials of a bucket come from the environment")
    is_folder = parts.scheme == "file" and not parts.netloc and parts.path.startswith("/")
    if not (is_folder or (parts.scheme in {"s3", "gs", "az"} and parts.netloc)):
        raise ValueError
    return text


def _sender(text: str) -> str:
    try:
        validate_email(text, allow_display_name=True, check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError as error:
        raise ValueError from error
    return text


def _public_url(text: str) -> str:
    if not re.fullmatch(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]*)?", text):
        raise ValueError
    return text.rstrip("/")


_NUMBERS = {"deals": (1, 100), "hour": (0, 23), "hours": (1, 24 * 14)}


def _daily(text: str) -> Schedule | None:
    """Read what differs from the usual schedule: ``deals=6, games=GAME+GAME/4/5``; "" is the usual one."""
    if text.lower() == "off":
        return None
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = (word.strip() for word in part.partition("="))
        if name in _NUMBERS:
            given[name] = whole_number(*_NUMBERS[name]).parse(value)
        elif name in {"bot", "auction"} and value in BOTS:
            given[name] = value
        elif name == "games":
            given[name] = dict(map(_numbers_of_players, value.split("+")))
        else:
            raise Unfit(f"{part.strip()!r} is not one of its parts")
    bot = given.get("bot", Schedule().bot)
    games = given.pop("games", {each.id: tuple(each.seats) for each in RULESETS.values() if each.one_deal})
    return Schedule(**given, games=tuple(each for each in games.items() if BOTS[bot].plays(each[0])))


def _numbers_of_players(text: str) -> tuple[str, tuple[int, ...]]:
    name, *numbers = (word.strip() for word in text.split("/"))
    ruleset = RULESETS.get(name)
    if ruleset is None or not ruleset.one_deal:
        raise Unfit(f"{name!r} is no game with deals")
    seats = tuple(whole_number(ruleset.seats[0], ruleset.seats[-1]).parse(number) for number in numbers)
    return name, seats or tuple(ruleset.seats)


ADDRESS = Kind(_address, "an IP address or a host name, such as 127.0.0.1, 0.0.0.0 or ::1")
ORIGINS = Kind(_origins, "*, none, or origins such as https://play.example, separated by commas")
PUBLIC_KEYS = Kind(_public_keys, f"Ed25519 public keys of 64 hex digits, separated by commas, up to {_MOST_KEYS}")
FOLDER = Kind(_path, "the path of a folder")
KEY_FILE = Kind(_path, "the path of a file with Ed25519 private keys in PEM")
_ONE_SERVER = (
    "redis://host:6379/0, rediss://host:6379/0, unix:///path/of/socket, redis+sentinel://host:26379,host:26379/name/0"
)
QUEUE_URL = Kind(_redis_url, _ONE_SERVER, has_password=True)
REDIS_URL = Kind(
    _games_url,
    f"{_ONE_SERVER} or, for a cluster, redis+cluster://host:6379,host:6379 or rediss+cluster://host:6379,host:6379",
    has_password=True,
)
SMTP_URL = Kind(
    _smtp_url,
    "smtp://user:password@host:587, smtps://user:password@host:465 or file:///path/of/folder",
    has_password=True,
)
ARCHIVE_URL = Kind(_archive_url, "file:///path/of/folder, s3://bucket/path, gs://bucket/path or az://container/path")
SENDER = Kind(_sender, "a mail address, also with a name: Plateau <plateau@play.example>")
PUBLIC_URL = Kind(_public_url, "an address such as https://play.example")
SWITCH = _one_of(dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False))
FSYNC = _one_of({"everysec": "everysec", "always": "always"})
OWN_LIMITS = Kind(_limits, "limits and what they allow, such as writes=1000, hints=0")
DAILY = Kind(_daily, "off, or any of deals=12, hour=0 (UTC), hours=24, bot=greedy and games=GAME/4/5+GAME, with commas")
LOG_FORMAT = _one_of({form: form for form in ("auto", "json", "text")})
LOG_LEVEL = _one_of({level: level for level in ("auto", "debug", "info", "warning", "error", "critical")})
