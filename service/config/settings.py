"""Every setting of the service: its variable, its default, its allowed values, and a sentence for the help.

The help of the command line and the table in the docs list what this module declares.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from email.utils import parseaddr
from pathlib import Path
from typing import Self

from domain import tutorials
from domain.deal_sets.schedule import Schedule
from domain.game.durations import DAY, SECOND
from domain.game.seating import SLOWEST_BOT
from domain.game.time_control import LEAST_MOVE
from domain.game.timeouts import Patience
from domain.registry import RULESETS, UNUSABLE
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import lacking, languages
from service.accounts.limits import DEFAULTS, Amounts
from service.config.setting_fields import InvalidSettings, parsed, place_of, setting, variable_of
from service.config.setting_kinds import (
    ADDRESS,
    ARCHIVE_URL,
    DAILY,
    FOLDER,
    FSYNC,
    KEY_FILE,
    LOG_FORMAT,
    LOG_LEVEL,
    ORIGINS,
    OWN_LIMITS,
    PUBLIC_KEYS,
    PUBLIC_URL,
    QUEUE_URL,
    REDIS_URL,
    SENDER,
    SMTP_URL,
    SWITCH,
    whole_number,
)
from service.store.archive.buckets import can_use, place_at
from service.store.redis.cluster_address import is_of_cluster
from service.transparency.key_file import keys_in

_SHARDS_ON_CLUSTER = 64
_ALMOST = 0.9
"""How alike a name and that of a setting are if one of some ten letters is wrong, by the ratio of ``difflib``."""


def check_rulesets() -> None:
    """Refuse to start beside an installed package whose ruleset cannot be used; raise ``InvalidSettings``."""
    if UNUSABLE:
        raise InvalidSettings(f"{UNUSABLE[0]}. Fix or uninstall it.")


_MOST_NAMED = 12


def shortcomings() -> Iterator[str]:
    """List lines about what rulesets lack that can be played without it; raise ``InvalidSettings``."""
    for ruleset in RULESETS.values():
        if fault := tutorials.fault(ruleset):
            yield f"{ruleset.id} has a tutorial that does not play, which readers do not get: {fault}"
        try:
            named = {language: _missing(ruleset, language) for language in languages()}
        except ValueError as error:
            raise InvalidSettings(f"{error}. Fix or uninstall it.") from error
        if any(named.values()):
            listed = "; ".join(f"{language}: {_first(ids)}" for language, ids in named.items() if ids)
            yield f"{ruleset.id} lacks words, for which readers get English: {listed}"


def _missing(ruleset: AnyRuleset, language: str) -> list[str]:
    comments = () if tutorials.fault(ruleset) else tutorials.lacking(ruleset, language)
    return [*lacking(ruleset.package, language), *(f"tutorial {step}" for step in comments)]


def _first(ids: Sequence[str]) -> str:
    more = len(ids) - _MOST_NAMED
    return ", ".join(ids[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    host: str = setting(ADDRESS, "Address on which the web server listens.", default="127.0.0.1")
    port: int = setting(
        whole_number(0, 65535), "Port on which the web server listens; 0 selects any free port.", default=8000
    )
    data: Path = setting(
        FOLDER,
        "Folder for the games of the embedded engine, compiled code of bots, and the page about.md of the operator.",
        default=Path("~/.local/share/plateau"),
    )
    redis_url: str | None = setting(
        REDIS_URL,
        "Redis or Valkey server or cluster to use instead of the embedded engine.",
        default=None,
        variable="REDIS_URL",
    )
    queue_url: str | None = setting(
        QUEUE_URL,
        "Redis or Valkey server for the job queue, which need not be persistent; if unset, the server of the games. "
        "Needed with a cluster, because the queue is always on a single server.",
        default=None,
        variable="QUEUE_URL",
    )
    memory: bool = setting(
        SWITCH, "Keep the games only in the memory of one web process; they are lost when it ends.", default=False
    )
    web_processes: int = setting(whole_number(1, 64), "Number of web processes.", default=2)
    web_threads: int = setting(
        whole_number(1, 1024),
        "Number of threads of each web process, for requests that take more than a few milliseconds.",
        default=16,
    )
    requests: int = setting(
        whole_number(8, 100_000),
        "Maximum number of requests that a web process handles or queues at once; further ones are "
        "rejected (503). One token can have a quarter of the places and the threads, one address half of them.",
        default=512,
    )
    connections: int = setting(
        whole_number(16, 100_000),
        "Maximum number of connections, busy or idle, that one web process holds open; further clients wait. The "
        "system's limit on open files can lower it.",
        default=4096,
    )
    client_seconds: int = setting(
        whole_number(1, 600),
        "Seconds within which the head of a request must arrive, and then its body; also how long a connection can "
        "stay idle and, on Linux, how long a client can go without reading any of a response.",
        default=20,
    )
    workers: int = setting(
        whole_number(0, 64),
        "Number of worker processes that the service starts, together with a dispatcher and a courier; workers move "
        "for bots and for players whose time is up. Set it to 0 if you run all of these separately.",
        default=2,
    )
    courier_threads: int = setting(
        whole_number(1, 256),
        "Number of threads of a courier, each of which serves one mailbox, browser or webhook at a time; half of them "
        "are reserved for those that were served quickly the last time.",
        default=16,
    )
    allow_unsafe_webhooks: bool = setting(
        SWITCH,
        "Let webhooks use http, any port and private addresses, for development and tests. With it, every player can "
        "send requests to any address that the couriers can reach.",
        default=False,
    )
    bot_seconds: int = setting(
        whole_number(1, 60), "Seconds that a bot has for a move; after that, another bot moves for it.", default=10
    )
    bot_pace_ms: int = setting(
        whole_number(0, SLOWEST_BOT),
        "Milliseconds that a bot waits before it moves while a player is at the table, so that players can follow, "
        "unless the game has another pace. With 0, the time of a move reveals how long a bot thought: only for "
        "services without players who compete.",
        default=700,
    )
    least_move_seconds: int = setting(
        whole_number(1, 86_400),
        "Shortest time for a move, in seconds, that the clock of a new game can set.",
        default=LEAST_MOVE // SECOND,
    )
    open_game_days: int = setting(
        whole_number(0, 365),
        "Days after which an open game ends if no seat was taken or left; 0 means never. Once all its players have "
        "left, it ends after a day.",
        default=14,
    )
    idle_game_days: int = setting(
        whole_number(0, 3650),
        "Days without an action after which a game in play ends without a result, if no clock limits its turns; 0 "
        "means never. Sandboxes have another setting.",
        default=365,
    )
    sandbox_days: int = setting(
        whole_number(0, 3650),
        "Days without an action after which a sandbox ends without a result, and days after its end after which it is "
        "removed; 0 means never.",
        default=30,
    )
    daily: Schedule | None = setting(
        DAILY,
        "The deals of the day: each day, one set opens for each game, for one of its numbers of players after another; "
        "off for none.",
        default=DAILY.parse(""),
    )
    archive: str | None = setting(
        ARCHIVE_URL,
        "Archive for the logs of finished games: a folder, which must exist, or a bucket, which needs the extra "
        "archive and credentials in the environment. If unset, the logs stay in the store.",
        default=None,
    )
    archive_after_days: int = setting(
        whole_number(0, 3650),
        "Days after the end of a game after which its log is archived; 0 means only by plateau archive run.",
        default=30,
    )
    replicas: int = setting(
        whole_number(0, 16),
        "Number of replicas of the server at REDIS_URL that must confirm a write before the response; if they do not "
        "within a second, the response is 503. 0 waits for none.",
        default=0,
    )
    answer_hours: int = setting(
        whole_number(1, 8760),
        "Hours for which the response to a request with an Idempotency-Key is kept for repetitions.",
        default=24,
    )
    heads_seconds: int = setting(
        whole_number(1, 86_400),
        "Seconds between two roots of the log of heads; a game is logged at most once in this time.",
        default=3600,
    )
    witnesses: tuple[str, ...] | None = setting(
        PUBLIC_KEYS,
        "Public keys of the witnesses who can co-sign every root of the log of heads; of other witnesses, each root "
        "keeps a few.",
        default=None,
    )
    fsync: str = setting(
        FSYNC,
        "When the embedded engine forces its log onto the disk: before each reply, so that no acknowledged write is "
        "lost (always), or every second, which is faster but can lose the last second or two in a crash (everysec).",
        default="always",
    )
    shards: int = setting(
        whole_number(1, 1024),
        "Number of shards of a new store; on a cluster, 64 if unset. Later, plateau shards increases it.",
        default=16,
    )
    allow_unsafe_redis: bool = setting(
        SWITCH, "Start even if the configuration of the server at REDIS_URL could lose games.", default=False
    )
    log_level: str = setting(
        LOG_LEVEL,
        "Lowest level of messages to log; auto is info, but on a terminal without a line for each request.",
        default="auto",
    )
    log_format: str = setting(
        LOG_FORMAT,
        "Form of the logs: a JSON object on each line, or text for people; auto is JSON, but text on a terminal, "
        "unless a level is set.",
        default="auto",
    )

    public_url: str | None = setting(
        PUBLIC_URL,
        "Address at which players reach the service; mails and messages link to it. Needed with a mail server; if "
        "unset, the embedded default uses the address on which it listens.",
        default=None,
    )
    smtp_url: str | None = setting(
        SMTP_URL,
        "Mail server through which players get mails, or a folder to write them into; if unset, the embedded default "
        "writes them into the folder mails in PLATEAU_DATA, and a service on REDIS_URL offers no mails.",
        default=None,
    )
    mail_from: str = setting(
        SENDER,
        "Sender of the mails, and the address at which people reach the operator. Needed with a mail server.",
        default="plateau@localhost",
    )
    signing_keys: Path | None = setting(
        KEY_FILE,
        "File with the private keys of receipts and heads: the first signs, the others signed earlier. If unset, "
        "the service makes a key and stores it in Redis.",
        default=None,
    )
    cors_origins: frozenset[str] = setting(
        ORIGINS, "Origins whose web pages can call the interface from a browser.", default=frozenset({"*"})
    )
    compression: bool = setting(
        SWITCH, "Compress responses for clients that accept gzip; switch it off if a proxy does so.", default=True
    )
    trusted_proxies: int = setting(
        whole_number(0, 16),
        "Number of reverse proxies in front of the service. Each must append its client's address to X-Forwarded-For. "
        "The limits for each address need this number.",
        default=0,
    )
    own_limits: Mapping[str, int] | None = setting(
        OWN_LIMITS,
        "Limits that differ from the defaults. The threat model lists all limits; 0 means no limit.",
        default=None,
        variable="PLATEAU_LIMITS",
    )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Self:
        """Read the settings from `environ`, with defaults for the rest; an empty variable counts as unset."""
        home = environ.get("XDG_DATA_HOME") or "~/.local/share"
        asked = {"PLATEAU_DATA": f"{home}/plateau"} | {name: text for name, text in environ.items() if text.strip()}
        variables = {each.name: (variable_of(each), each.metadata["kind"]) for each in fields(cls)}
        _check_names(environ, [variable for variable, _ in variables.values()])
        given = {
            name: parsed(variable, asked[variable].strip(), kind)
            for name, (variable, kind) in variables.items()
            if variable in asked
        }
        settings = cls(**given)
        if settings.memory and settings.redis_url:
            raise InvalidSettings("PLATEAU_MEMORY and REDIS_URL exclude each other; unset one of the two.")
        if is_of_cluster(settings.redis_url or "") and settings.queue_url is None:
            raise InvalidSettings(
                "With a cluster in REDIS_URL, QUEUE_URL must be set too: the address of a single Redis or Valkey, "
                "because the job queue cannot be on a cluster."
            )
        if is_of_cluster(settings.redis_url or "") and "PLATEAU_SHARDS" not in asked:
            settings = replace(settings, shards=_SHARDS_ON_CLUSTER)
        if settings.replicas and not settings.redis_url:
            raise InvalidSettings("PLATEAU_REPLICAS needs REDIS_URL: the embedded engine has no replicas.")
        _check_archive(settings)
        if (settings.smtp_url or "").startswith("smtp"):
            for variable in ("PLATEAU_MAIL_FROM", "PLATEAU_PUBLIC_URL"):
                if variable not in asked:
                    raise InvalidSettings(f"With PLATEAU_SMTP_URL, {variable} must be set too.")
        _check_keys(settings.signing_keys)
        return settings

    @property
    def limits(self) -> Amounts:
        return {**DEFAULTS, **(self.own_limits or {})}

    @property
    def patience(self) -> Patience:
        return Patience(
            bot=(self.bot_seconds + 2) * SECOND,
            open_game=self.open_game_days * DAY or None,
            empty_game=DAY,
            idle_game=self.idle_game_days * DAY or None,
            bot_pace=self.bot_pace_ms,
            sandbox=self.sandbox_days * DAY or None,
        )

    @property
    def archive_after(self) -> int | None:
        """Return for how many ms a game is over when it goes to the archive; None if none goes there by itself."""
        return self.archive_after_days * DAY if self.archive and self.archive_after_days else None

    @property
    def redis_place(self) -> str:
        """Return the address of the Redis server, without the user and the password that `redis_url` can carry."""
        return place_of(self.redis_url or "")

    @property
    def archive_place(self) -> str:
        """Return the address of the archive, as the archive itself has it; "" without one."""
        place = place_at(self.archive)
        return "" if place is None else place.address

    @property
    def site(self) -> str:
        return self.public_url or f"http://{self.host}:{self.port}"

    @property
    def contact(self) -> str | None:
        """Return the address of the operator; None if the settings name none."""
        address = parseaddr(self.mail_from)[1]
        return None if address.endswith("@localhost") else address

    @property
    def mail_place(self) -> str:
        """Return where mails go, without the user and the password that `smtp_url` can carry."""
        return place_of(self.smtp_url or "")


def _check_names(environ: Iterable[str], variables: Collection[str]) -> None:
    """Refuse a variable that is nearly the name of a setting, and would be without effect."""
    for name in environ:
        if name.startswith("PLATEAU_") and name not in variables:
            meant = get_close_matches(name, variables, n=1, cutoff=_ALMOST)
            if meant:
                raise InvalidSettings(f"{name} is no setting; set {meant[0]}, or unset it.")


def _check_archive(settings: Settings) -> None:
    if settings.archive is None:
        return
    if settings.memory:
        raise InvalidSettings("PLATEAU_MEMORY and PLATEAU_ARCHIVE exclude each other; unset one of the two.")
    if not can_use(settings.archive):
        raise InvalidSettings(
            f"PLATEAU_ARCHIVE is {settings.archive!r}, which needs a library that is not installed: "
            "pip install 'plateau-server[archive]'"
        )


def _check_keys(path: Path | None) -> None:
    try:
        keys_in(path)
    except ValueError as error:
        raise InvalidSettings(
            f"PLATEAU_SIGNING_KEYS is {str(path)!r}; allowed: {KEY_FILE.allowed}. Here, {error}."
        ) from error


def documented() -> Iterator[tuple[str, str]]:
    for each in fields(Settings):
        about = each.metadata
        yield variable_of(each), f"{about['doc']} Allowed: {about['kind'].allowed}. Default: {about['default']}."
