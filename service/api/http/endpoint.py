"""What a view function declares: its responses, problems, body and parameters, for readers and for the spec."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

from flask import Response

from service.accounts.limits import Unlimited
from service.accounts.players import Players
from service.accounts.tickets import Tickets
from service.api.http.parameters import Parameter
from service.config.operator_page import OperatorPage
from service.deal_sets.daily import Daily
from service.games.advice.advising import Advising
from service.games.departing import Departing
from service.games.desk import Desk
from service.games.forking import Forking
from service.games.invitations.inviting import Inviting
from service.games.invitations.joining import Joining
from service.games.invitations.rematching import Rematching
from service.games.plans.planning import Planning
from service.games.reading import Reader
from service.games.talking import Talking
from service.inbox.notice_log import NoticeLog
from service.notifications.mail.mail_service import MailService
from service.notifications.push.push_service import PushService
from service.notifications.webhook.webhook_service import WebhookService
from service.streams.games import GameFollowing
from service.streams.streams import Streams
from service.tournaments.tournaments import Tournaments
from service.transparency.key_ring import Receipts
from service.transparency.transparency_log import TransparencyLog

_OPENED = ("text/html", "image/svg+xml", "text/javascript")
ViewT = TypeVar("ViewT", bound=Callable[..., Response])


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation without its path and method; it decorates its view function.

    The docstring of that function is its text in the document: the summary, and one to four sentences, which do not
    repeat it, about its effect, its use and its errors. A request can carry only its query parameters, unless people
    open it. ``problems`` are the statuses in addition to those that follow from the rest.
    """

    tag: str
    answers: Mapping[int, Any]
    auth: Literal["required", "optional", "none"] = "none"
    parameters: Sequence[Parameter[Any]] = ()
    problems: Sequence[int] = ()
    body: Any = None
    headers: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """The headers of responses by status, in addition to those that follow from the rest."""
    ignores_body: bool = False
    """Whether a request can carry any body without effect, such as that of a form or of a mail program (RFC 8058)."""
    is_internal: bool = False
    """Whether it is for our own pages and for people, not for clients: the published interface leaves it out."""
    repeats: bool = False
    """Whether a POST without an idempotency key can be sent again without further effect."""
    if_lost: str = ""
    """What a client does if the response to a POST is lost, unless it sends the request again."""
    confirms: bool = True
    """Whether the success of a write waits for replicas: not if the append has waited, or if no data could be lost."""
    is_quick: bool = False
    """Whether it computes for less than a few ms, so that it can run on the event loop."""

    def __call__(self, view: ViewT) -> ViewT:
        view.operation = self  # type: ignore[attr-defined]
        return view

    @cached_property
    def queries(self) -> Mapping[str, Parameter[Any]]:
        return {each.name: each for each in self.parameters if each.place == "query"}

    @cached_property
    def is_opened(self) -> bool:
        """Return whether people open it in a browser, because it has a page, a picture, or a script of a page."""
        forms = [form for each in self.answers.values() for form in (each if isinstance(each, tuple) else (each,))]
        return any(form in _OPENED for form in forms)

    @cached_property
    def defaults(self) -> Mapping[Parameter[Any], Any]:
        return {each: each.default for each in self.queries.values()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    desk: Desk
    reader: Reader
    players: Players
    inviting: Inviting
    joining: Joining
    rematching: Rematching
    forking: Forking
    planning: Planning
    talking: Talking
    departing: Departing
    advising: Advising
    tickets: Tickets
    webhooks: WebhookService
    pushing: PushService
    notices: NoticeLog
    streams: Streams
    following: GameFollowing
    daily: Daily
    tournaments: Tournaments
    receipts: Receipts
    heads: TransparencyLog
    about: OperatorPage
    is_ready: Callable[[], bool]
    metrics: Callable[[], bytes] = bytes
    limiter: Unlimited = field(default_factory=Unlimited)
    trusted_proxies: int = 0
    mailing: MailService | None = None
    """None if the service sends no mails."""
    public_url: str | None = None
    """The public address of the service, if the operator has set it."""
    contact: str | None = None
    """The mail address of the operator, if it is set."""
    confirm: Callable[[], object] = bool
    """Waits until the replicas have all writes, or raises ``NotReplicated``."""
