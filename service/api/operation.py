"""What a view function declares: its responses, problems, body and parameters, for readers and for the spec."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, cast

from flask import Response, current_app

from service.accounts.limits import Unlimited
from service.accounts.players import Players
from service.api.parameters import Header, Query
from service.games.desk import Desk
from service.games.reading import Reader

ViewT = TypeVar("ViewT", bound=Callable[..., Response])


@dataclass(frozen=True, slots=True)
class Operation:
    """The description of an operation except its path and method; a request can have no other query parameters."""

    tag: str
    summary: str
    answers: Mapping[int, Any]
    problems: Sequence[int]
    auth: Literal["required", "optional", "none"] = "none"
    body: Any = None
    parameters: Sequence[Query[Any] | Header] = ()

    @property
    def queries(self) -> Mapping[str, Query[Any]]:
        """Return the query parameters by name."""
        return {each.name: each for each in self.parameters if isinstance(each, Query)}


def operation(described: Operation) -> Callable[[ViewT], ViewT]:
    """Attach a description to a view function."""

    def attach(view: ViewT) -> ViewT:
        view.operation = described  # type: ignore[attr-defined]
        return view

    return attach


def operation_of(endpoint: str | None) -> Operation | None:
    """Return the description of an endpoint of the current app."""
    return getattr(current_app.view_functions.get(endpoint or ""), "operation", None)


@dataclass(frozen=True, slots=True)
class Services:
    """The services that the view functions use."""

    desk: Desk
    reader: Reader
    players: Players
    is_ready: Callable[[], bool]
    metrics: Callable[[], bytes] = bytes
    limiter: Unlimited = field(default_factory=Unlimited)
    trusted_proxies: int = 0


def services() -> Services:
    """Return the services of the current app."""
    return cast("Services", current_app.extensions["plateau"])
