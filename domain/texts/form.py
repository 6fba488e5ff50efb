"""What a form for a new game says: the name and summary of a ruleset, and its options and their values, in words."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import Catalogue
from domain.sentences.message import Message
from domain.serialization import Plain
from domain.texts.sentences import words


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The name of an option, and its listed values in words, by ``key``; a number that reads as it is has no entry."""

    name: str
    values: Mapping[str, str]


def name(ruleset: AnyRuleset, language: str) -> str:
    """Return the name of a ruleset."""
    return _said(words(ruleset, language), "ruleset.name") or ruleset.name


def summary(ruleset: AnyRuleset, language: str) -> str:
    """Return what a ruleset is about, in a sentence."""
    return _said(words(ruleset, language), "ruleset.summary") or ruleset.summary


def option_words(ruleset: AnyRuleset, language: str) -> Mapping[str, OptionWords]:
    """Put each option into words. An outside ruleset need not have any: then the names of the interface are written."""
    known = words(ruleset, language)
    return {
        option: OptionWords(
            _said(known, f"option.{option}") or _spelled(option),
            {key(value): text for value in values if (text := _value(known, option, value))},
        )
        for option, values in _values(ruleset).items()
    }


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
