"""The facts of the built-in games for the laws: one module a game here, named like the ruleset.

What such a module offers is described by ``domain.laws.Facts``; constants are written in capitals. ``IN_EVERY_LOG``
holds the types of events that no game is without.
"""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from domain.cardplay.cards import TAROT_PACK
from domain.laws import Facts
from domain.laws.facts import strings_in
from domain.laws.play import Table
from domain.plute.deck import PACK as PLUTE_PACK
from domain.registry import RULESETS

__all__ = ["facts_of", "module_of", "short", "strings_in", "table_of", "variants"]

CODES = tuple(dict.fromkeys((*TAROT_PACK, *PLUTE_PACK)))
"""The cards of all packs."""


@cache
def facts_of(ruleset_id: str) -> Facts:
    """Return the facts of one game."""
    offered = vars(module_of(ruleset_id))
    names = {field.name: field.name if field.name in offered else field.name.upper() for field in fields(Facts)}
    declared = {field: offered[name] for field, name in names.items() if name in offered}
    return Facts(**declared, words=CODES)


def module_of(ruleset_id: str) -> ModuleType:
    """Return the module with the facts of one game."""
    return import_module(_module_name(ruleset_id))


def _module_name(ruleset_id: str) -> str:
    return f"tests.domain.laws.{ruleset_id.replace('-', '_')}"


def short(ruleset_id: str) -> dict[str, Any]:
    """Return the options that make a game short, none for a ruleset without facts."""
    is_known = find_spec(_module_name(ruleset_id)) is not None
    return dict(facts_of(ruleset_id).short) if is_known else {}


def variants(ruleset_id: str, seats: int) -> Sequence[str]:
    """Return the options of one game that the laws must hold with, beside the defaults."""
    chosen = facts_of(ruleset_id).variants
    return chosen(seats) if chosen is not None else ()


def table_of(ruleset_id: str, seats: int, variant: str = "") -> Table:
    """Return a table of a built-in game."""
    return Table(RULESETS[ruleset_id], facts_of(ruleset_id), seats, variant)
