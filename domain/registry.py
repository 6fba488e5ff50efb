"""The rulesets that can be played: the built-in games, and those of installed packages.

A package offers a ruleset by an entry point of the group ``plateau.rulesets`` whose value is ``module:RULESET``. The
domain reads the list of installed packages once, at import; it depends on nothing else in its environment.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from re import fullmatch
from typing import is_typeddict

from domain import field_types as ft
from domain.events import EVENTS, OF_EVERY_GAME, OF_OPEN_EVENTS
from domain.french_tarot import RULESET as french_tarot
from domain.le_plateau import RULESET as le_plateau
from domain.log import redaction
from domain.plateau import RULESET as plateau
from domain.plute import RULESET as plute
from domain.ruleset import AnyRuleset, Ruleset
from domain.sentences.catalogue import catalogue, languages
from domain.table import MOST_SEATS

GROUP = "plateau.rulesets"
GROUP_OF_BOTS = "plateau.bots"
"""The group of the entry points by which packages offer bots: ``ruleset.bot = "module:function"``."""

BUILT_IN: tuple[AnyRuleset, ...] = (le_plateau, plateau, french_tarot, plute)
"""In the order in which clients see them; those of installed packages follow, sorted by id."""

_SEATS = range(2, MOST_SEATS + 1)


def rulesets(found: Iterable[EntryPoint]) -> tuple[Mapping[str, AnyRuleset], tuple[str, ...]]:
    """Return the rulesets by id, and for each unusable one a line that names its package and the reason."""
    outside: dict[str, AnyRuleset] = {}
    packages = {built_in.id: "this server" for built_in in BUILT_IN}
    unusable = []
    for point in sorted(found, key=lambda point: (_package(point), point.name)):
        try:
            ruleset = _loaded(point)
            if ruleset.id in packages:
                raise ValueError(f"there is already a ruleset {ruleset.id}, from {packages[ruleset.id]}")
            for other, package in packages.items():
                if ruleset_prefix(other) == ruleset_prefix(ruleset.id):
                    raise ValueError(f"its id is too similar to {other}, from {package}")
        except Exception as error:  # noqa: BLE001 - whatever a package raises, it is named
            why = f"{type(error).__name__}: {error}"
            line = f"{_package(point)} offers a ruleset that cannot be used ({point.name} = {point.value}): {why}"
            unusable.append(" ".join(line.split()))
        else:
            outside[ruleset.id], packages[ruleset.id] = ruleset, _package(point)
    return {ruleset.id: ruleset for ruleset in BUILT_IN} | dict(sorted(outside.items())), tuple(unusable)


def ruleset_prefix(ruleset_id: str) -> str:
    """Return the beginning of the names of a ruleset's types in the interface: ``LiarsDice`` for ``liars-dice``."""
    return "".join(word.capitalize() for word in ruleset_id.split("-"))


def _loaded(point: EntryPoint) -> AnyRuleset:
    ruleset = point.load()
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"a {type(ruleset).__name__} is not a domain.ruleset.Ruleset")
    check(ruleset)
    return ruleset


def check(ruleset: AnyRuleset) -> None:
    """Reject a ruleset that cannot be served, or would break its logs or views."""
    if not fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", ruleset.id):
        raise ValueError(f"the id {ruleset.id!r} must be lower-case words with dashes")
    if not ruleset.seats or not set(ruleset.seats) <= set(_SEATS):
        raise ValueError(f"it must be for {_SEATS[0]} to {_SEATS[-1]} players, not {ruleset.seats}")
    if not (files(ruleset.package) / "rules.md").is_file():
        raise ValueError(f"the package {ruleset.package} has no rules.md")
    for language in languages():
        catalogue(ruleset.package, language)
    _check_names(ruleset)
    for cls in ruleset.events.values():
        redaction.prepare(cls)
    _check_open_events(ruleset)
    _check_view(ft.describe(ruleset.view))


def _check_names(ruleset: AnyRuleset) -> None:
    """Reject names that have another meaning in every game."""
    kinds = {*OF_EVERY_GAME, *OF_OPEN_EVENTS}
    taken = sorted(ruleset.events.keys() & EVENTS.keys() | ruleset.proposal_kinds.keys() & kinds)
    if taken:
        raise ValueError(f"every game has events or proposals of the name {', '.join(taken)}; choose others")


def _check_open_events(ruleset: AnyRuleset) -> None:
    """Reject open events that are not of the ruleset, or show hidden parts to another seat than the one that acted."""
    for cls in ruleset.open_events:
        if cls not in ruleset.events.values():
            raise ValueError(f"{cls.__name__} is declared as an open event, but is no event of the ruleset")
        for part in ft.fields_of(cls):
            if redaction.holds_secrets(part.type) or not {*(part.secret_to or ())} <= {"seat"}:
                raise ValueError(f"{cls.__name__}.{part.name}: an open event can show a hidden part to its seat only")


def _check_view(tp: ft.FieldType) -> None:
    """Reject a view that is not its own JSON, since views are written without conversion, or that has a hidden field.

    A view can share records with the state. This keeps a secret that such a record gets later from being published.
    """
    match tp:
        case ft.ListOf(inner) | ft.MapOf(inner) | ft.OrNone(inner):
            _check_view(inner)
        case ft.Nested(cls):
            for part in ft.fields_of(cls):
                if not is_typeddict(cls) and (part.name != part.key or part.omittable):
                    raise ValueError(f"{cls.__name__}.{part.name}: a view shows each field always, by its own name")
                if part.hidden:
                    raise ValueError(f"{cls.__name__}.{part.name}: a view cannot have a hidden field, at any depth")
                _check_view(part.type)
        case _:
            return


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name} {point.dist.version}" if point.dist else f"the module {point.module}"


RULESETS, UNUSABLE = rulesets(entry_points(group=GROUP))
