"""What forms say: the name and summary of a ruleset, and its options, actions, fields and their values, in words."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain import field_types as ft
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import Catalogue
from domain.sentences.message import Message
from domain.serialization import Plain
from domain.texts.sentences import words


@dataclass(frozen=True, slots=True)
class FieldWords:
    """The name of an option or a field, and its listed values in words, by ``key``.

    A value that reads as it is, such as a number, has no entry.
    """

    name: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CribEntry:
    """What a player can look up: a title, a text, words that lead to it, and an expression for the codes of things."""

    term: str
    says: str
    words: Sequence[str]
    things: str


def crib(ruleset: AnyRuleset, language: str) -> Sequence[CribEntry]:
    """Return what players look up during a game, in order; an entry without words is left out."""
    known = words(ruleset, language)
    entries = []
    for entry, things in ruleset.crib.items():
        term, says = _said(known, f"crib.{entry}"), _said(known, f"crib.{entry}.says")
        if term and says:
            leading = known.say(f"crib.{entry}.words") if f"crib.{entry}.words" in known else ""
            entries.append(CribEntry(term, says, [*filter(None, re.split(r"[,、] ?", leading))], things))
    return entries


def name(ruleset: AnyRuleset, language: str) -> str:
    """Return the name of a ruleset."""
    return _said(words(ruleset, language), "ruleset.name") or ruleset.name


def summary(ruleset: AnyRuleset, language: str) -> str:
    """Return what a ruleset is about, in a sentence."""
    return _said(words(ruleset, language), "ruleset.summary") or ruleset.summary


def proposals(ruleset: AnyRuleset, kinds: Mapping[str, str], language: str) -> dict[str, str]:
    """Say what each kind of proposal means to a player; one without words keeps its sentence."""
    known = words(ruleset, language)
    return {kind: _said(known, f"proposal.{kind}") or text for kind, text in kinds.items()}


def option_words(ruleset: AnyRuleset, language: str) -> Mapping[str, FieldWords]:
    """Put each option into words. An outside ruleset need not have any: then the names of the interface are written."""
    known = words(ruleset, language)
    return {
        option: FieldWords(
            _said(known, f"option.{option}") or _spelled(option),
            {key(value): text for value in values if (text := _value(known, option, value))},
        )
        for option, values in _values(ruleset).items()
    }


KIND = "type"
"""The field in which a posted action has its kind."""


def action_words(ruleset: AnyRuleset, language: str) -> Mapping[str, FieldWords]:
    """Put the kinds of actions into words, as the field ``type``, and each of their fields, such as ``bid.team``.

    Places in lists are left out: ``open.pieces.up`` is the face of each piece.
    """
    known = words(ruleset, language)
    kinds = {action: _said(known, f"field.{action}") or _spelled(action) for action in ruleset.actions}
    fields = {
        path: FieldWords(_field_name(known, path), _field_values(known, path, field_type))
        for action, cls in ruleset.actions.items()
        for path, field_type in _fields(action, ft.Nested(cls))
        if path != action
    }
    return {KIND: FieldWords(_said(known, "field.type") or _spelled(KIND), kinds), **fields}


def _fields(path: str, tp: ft.FieldType) -> Iterator[tuple[str, ft.FieldType]]:
    match tp:
        case ft.Nested(cls):
            for each in ft.fields_of(cls):
                yield from _fields(f"{path}.{each.key}", ft.OrNone(each.type) if each.omittable else each.type)
        case ft.ListOf(item):
            yield from _fields(path, item)
        case _:
            yield path, tp


def _field_name(known: Catalogue, path: str) -> str:
    name = path.rpartition(".")[2]
    found = (_said(known, f"field.{each}") for each in (path, name))
    return next(filter(None, found), _spelled(name))


def _field_values(known: Catalogue, path: str, tp: ft.FieldType) -> Mapping[str, str]:
    """Put the values into words that are neither numbers nor things of a scene."""
    name, said = path.rpartition(".")[2], {}
    for value in _closed(tp):
        ids = (f"field.{name}.{key(value)}", f"{name}.{key(value)}", f"option.{key(value)}")
        found = (_said(known, each) for each in ids)
        said[key(value)] = next(filter(None, found), None) or _spelled(key(value))
    return said


def _closed(tp: ft.FieldType) -> tuple[Plain, ...]:
    match tp:
        case ft.OrNone(inner):
            return (*_closed(inner), None)
        case ft.Boolean():
            return (True, False)
        case ft.OneOf(values, None):
            return tuple(value for value in values if not isinstance(value, int))
        case _:
            return ()


def message_ids(option: str, value: Plain) -> Iterator[str]:
    """List the entries of the catalogues for a value of an option, the best one first."""
    yield f"option.{option}.{key(value)}"
    if value is None or isinstance(value, bool):
        yield f"option.{key(value)}"


def key(value: Plain) -> str:
    """Write a value as a key: a text as it is, anything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value)


def _value(known: Catalogue, option: str, value: Plain) -> str | None:
    said = next((text for each in message_ids(option, value) if (text := _said(known, each))), None)
    return said or (_spelled(value) if isinstance(value, str) else None)


def _values(ruleset: AnyRuleset) -> Mapping[str, tuple[Plain, ...]]:
    """List the values that each option can have with any number of players."""
    found: dict[str, dict[str, Plain]] = {}
    for seats in ruleset.seats:
        for option, choice in ruleset.options.choices(seats).items():
            found.setdefault(option, {}).update({key(value): value for value in choice.values or ()})
    return {option: tuple(listed.values()) for option, listed in found.items()}


def _said(known: Catalogue, message_id: str) -> str | None:
    return known.sentence(Message(message_id)) if message_id in known else None


def _spelled(written: str) -> str:
    return written.replace("_", " ").capitalize()
