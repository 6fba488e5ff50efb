"""The names of the components for lists of values and patterns, taken from the names that the code gives to them."""

import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Annotated, Any, Literal, get_args, get_origin

from domain import field_types as ft
from domain.events import (
    OF_EVERY_GAME,
    OF_OPEN_EVENTS,
    AbortReason,
    AtTimeout,
    Closing,
    Knowledge,
    LapseReason,
    OperatorAct,
    Unopened,
    Visibility,
)
from domain.game.aggregate import Status
from domain.game.time_control import Speed
from domain.pictures.scene import Side
from domain.registry import RULESETS, ruleset_prefix
from domain.sentences.catalogue import languages
from domain.tournaments.events import Ending, Pairing
from service.accounts.admin_log import Act as AdminAct
from service.accounts.players import GUEST_SCOPES, PlayerKind, Scope
from service.accounts.profiles import PORTRAITS
from service.bots import BOTS
from service.games.invitations.invitation_store import Kind
from service.games.invitations.inviting import Standing
from service.games.phrases import PHRASES
from service.inbox.notices import Kind as NoticeKind
from service.notifications.delivery.http_sending import Problem
from service.notifications.mail.mail_destination import Status as MailStatus
from service.notifications.webhook.deliveries import Status as DeliveryStatus
from service.notifications.webhook.webhook import Ended
from service.tournaments.resources import Phase
from service.transparency.key_ring import InLog

PROPOSAL_KINDS = (
    *sorted({kind for each in RULESETS.values() for kind in each.proposal_kinds}),
    *OF_EVERY_GAME,
    *OF_OPEN_EVENTS,
)
"""The kinds of proposals that some ruleset, or every game, has."""

SHARED: Mapping[ft.FieldType, str] = {
    ft.OneOf(get_args(Status)): "GameStatus",
    ft.OneOf(get_args(AbortReason)): "AbortReason",
    ft.OneOf(get_args(OperatorAct)): "OperatorAct",
    ft.OneOf(get_args(AdminAct)): "AdminAct",
    ft.OneOf(get_args(Speed)): "Speed",
    ft.OneOf(PORTRAITS): "Portrait",
    ft.OneOf(get_args(Side)): "Side",
    ft.OneOf(get_args(Visibility)): "Visibility",
    ft.OneOf(get_args(Knowledge)): "Knowledge",
    ft.OneOf(get_args(AtTimeout)): "OnTimeout",
    ft.OneOf(get_args(Unopened)): "Unopened",
    ft.OneOf(get_args(Closing)): "ProposalResult",
    ft.OneOf(get_args(LapseReason)): "LapseReason",
    ft.OneOf(get_args(Kind)): "InvitationKind",
    ft.OneOf(get_args(Standing)): "InvitationStatus",
    ft.OneOf(get_args(NoticeKind)): "NoticeKind",
    ft.OneOf(get_args(MailStatus)): "MailStatus",
    ft.OneOf(get_args(Ended)): "WebhookDisabled",
    ft.OneOf(get_args(InLog)): "InLog",
    ft.OneOf(get_args(Problem)): "DeliveryProblem",
    ft.OneOf(get_args(DeliveryStatus)): "DeliveryStatus",
    ft.OneOf(get_args(Pairing)): "Pairing",
    ft.OneOf(get_args(Ending)): "TournamentEnding",
    ft.OneOf(get_args(Phase)): "TournamentStatus",
    ft.OneOf(get_args(PlayerKind)): "PlayerKind",
    ft.OneOf(tuple(GUEST_SCOPES)): "Scope",
    ft.OneOf(get_args(Scope)): "TokenScope",
    ft.OneOf(tuple(RULESETS)): "RulesetId",
    ft.OneOf(tuple(BOTS)): "BotName",
    ft.OneOf(PHRASES): "PhraseId",
    ft.OneOf(PROPOSAL_KINDS): "ProposalKind",
    ft.OneOf(languages()): "Language",
}
"""The names of the lists of values that belong to no ruleset."""

EXTENSIBLE = frozenset({
    "AbortReason", "AdminAct", "DeliveryProblem", "DeliveryType", "GameResumedReason", "LapseReason", "NoticeKind",
    "OperatorAct", "Pairing", "PhraseId", "Portrait", "SentenceParameterKind", "TokenScope", "TournamentEnding",
    "WebhookDisabled",
})  # fmt: skip
"""The lists of values in responses to which a later version of ``/v1`` can add; every other list stays as it is."""


class TypeNames:
    """Names the components of classes, and of the lists of values and patterns in their fields.

    Names from a ruleset's package carry the ruleset's prefix. A list of values without a name of its own is named after
    the first field that has it.
    """

    def __init__(self) -> None:
        self._scopes = {
            f"{each.package}.": (ruleset_prefix(each.id), aliases(each.package)) for each in RULESETS.values()
        }
        self._taken: dict[str, object] = {
            ruleset_prefix(each.id) + name: _described(value) or value
            for each in RULESETS.values()
            for name, value in _globals(each.package)
        }

    def is_of_a_ruleset(self, cls: type) -> bool:
        return bool(self._scope(cls)[0])

    def of_class(self, cls: type) -> str:
        return self._scope(cls)[0] + cls.__name__.removesuffix("Resource")

    def of_values(self, tp: ft.FieldType, cls: type, key: str) -> str | None:
        """Return the name of the component of a field's type; None for a type that is written where it is used."""
        prefix, known = self._scope(cls)
        if tp in known:
            return prefix + known[tp]
        if not _is_list_of_values(tp):
            return None
        short = prefix + camel(key)
        if prefix and self._taken.setdefault(short, tp) == tp:
            return short
        return f"{prefix}{cls.__name__.removesuffix('Resource')}{camel(key)}"

    def _scope(self, cls: type) -> tuple[str, Mapping[ft.FieldType, str]]:
        module = f"{cls.__module__}."
        return next((scope for package, scope in self._scopes.items() if module.startswith(package)), ("", SHARED))


def aliases(package: str) -> Mapping[ft.FieldType, str]:
    """Return the names that the modules of a package give to lists of values and to patterns.

    If there are several for one type, the first module by name decides.
    """
    found: dict[ft.FieldType, str] = {}
    for name, value in _globals(package):
        tp = _described(value)
        if tp is not None:
            found.setdefault(tp, name)
    return found


def _globals(package: str) -> Iterator[tuple[str, Any]]:
    """List the capitalized names in the public modules of a package, with their values."""
    for name, module in sorted(sys.modules.items()):
        if f"{name}.".startswith(f"{package}.") and "._" not in name and isinstance(module, ModuleType):
            yield from ((each, vars(module)[each]) for each in sorted(vars(module)) if each[:1].isupper())


def _described(value: Any) -> ft.FieldType | None:
    if get_origin(value) not in (Annotated, Literal):
        return None
    try:
        tp = ft.describe(value)
    except TypeError:
        return None
    tp = ft.without_pick(tp) if isinstance(tp, ft.Scalar) else tp
    return tp if _is_list_of_values(tp) or (isinstance(tp, ft.Text) and tp.pattern) else None


def _is_list_of_values(tp: ft.FieldType) -> bool:
    return isinstance(tp, ft.OneOf) and len(tp.values) > 1


def camel(name: str) -> str:
    """Write a name of words with underscores as one word: ``early_stop`` as ``EarlyStop``."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))
