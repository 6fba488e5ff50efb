"""What attacks on the bundle of a finished game are made with, and the lists of them.

Outsiders change a file. Operators, and anyone once the secret is public, also make the log consistent again: versions,
salts, seals, hashes, the draws stated and the header. Each attack changes a bundle in place and returns nothing; it
raises ``StopIteration`` or ``LookupError`` where a game has nothing that it could change.
"""

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from domain.audit.bundle import Bundle
from domain.registry import RULESETS

Attack: TypeAlias = Callable[[Bundle, random.Random], None]

OUTSIDERS: dict[str, Attack] = {}
OPERATORS: dict[str, Attack] = {}


def by(attackers: dict[str, Attack]) -> Callable[[Attack], Attack]:
    """List an attack."""

    def listed(attack: Attack) -> Attack:
        attackers[attack.__name__.replace("_", " ")] = attack
        return attack

    return listed


outsider, operator = by(OUTSIDERS), by(OPERATORS)


def of_type(bundle: Bundle, *types: str) -> Any:
    return next(event for event in bundle.events if event["type"] in types)


def of_ruleset(bundle: Bundle) -> list[Any]:
    return [event for event in bundle.events if event["type"] in RULESETS[bundle.header["ruleset"]].events]


def acted(bundle: Bundle) -> list[Any]:
    return [event for event in of_ruleset(bundle) if event["seat"] is not None]


def forced(bundle: Bundle) -> list[Any]:
    return [event for event in of_ruleset(bundle) if event["seat"] is None and event["data"]]


def deal(bundle: Bundle) -> Any:
    return of_type(bundle, "hand_dealt", "cards_dealt")


def sealed_event(bundle: Bundle) -> Any:
    return next(event for event in bundle.events[1:] if event["sealed"])


def flipped(text: str, place: int) -> str:
    return f"{text[:place]}{'1' if text[place] == '0' else '0'}{text[place + 1 :]}"
