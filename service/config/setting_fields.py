"""How a setting is declared as a field of the settings, read from its variable, and shown in the help."""

from dataclasses import Field, field
from typing import Any

from domain.deal_sets.schedule import Schedule
from service.config.setting_kinds import Kind, Unfit


class InvalidSettings(Exception):
    """A setting is not valid; the message names the variable, its value and the allowed values."""


def _in_words(default: Any) -> Any:
    if isinstance(default, frozenset):
        return ", ".join(sorted(default))
    if isinstance(default, Schedule):
        return f"deals={default.deals}, hour={default.hour}, hours={default.hours}, bot={default.bot}, all games"
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "unset" if default is None else default


def setting(kind: Kind, doc: str, *, default: Any, variable: str = "") -> Any:
    """Declare a setting; its variable is PLATEAU_ and the name of the field, unless it is given."""
    shown = {"variable": variable, "kind": kind, "doc": doc, "default": _in_words(default)}
    return field(default=default, repr=not kind.has_password, metadata=shown)


def variable_of(declared: Field[Any]) -> str:
    return declared.metadata["variable"] or f"PLATEAU_{declared.name.upper()}"


def parsed(variable: str, text: str, kind: Kind) -> Any:
    """Read the text of a variable; raise ``InvalidSettings``."""
    try:
        return kind.parse(text)
    except ValueError as error:
        shown = place_of(text) if kind.has_password else text
        reason = f" Here, {error}." if isinstance(error, Unfit) else ""
        raise InvalidSettings(f"{variable} is {shown!r}; allowed: {kind.allowed}.{reason}") from None


def place_of(url: str) -> str:
    """Return the address of a server, without the user and the password that it can carry."""
    place, _, rest = url.partition("://")
    return f"{place}://{rest.rpartition('@')[2].partition('?')[0]}" if rest else url.rpartition("@")[2]
