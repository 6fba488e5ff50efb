"""A whole log with its draws as data: what a program needs to verify a game without knowing its rules."""

from collections.abc import Iterable
from typing import TypedDict

from domain.audit import drawn
from domain.game.aggregate import Game
from domain.log.record import Record
from domain.table import Seat
from service.games.projections import representations
from service.games.projections.resources import EventResource


class DrawnNumbersResource(TypedDict):
    """Numbers from 0 to ``below`` - 1, with ``plus`` added, which the event shows at the JSON pointer ``to``.

    There are ``count`` of them, drawn one by one: with the number of the draw, with the next number, and so on. If
    ``sorted``, the event lists them in an order of its own.
    """

    below: int
    to: str
    plus: int
    count: int
    sorted: bool


class PacketResource(TypedDict):
    """The next ``count`` items of the order, which the event shows at the JSON pointer ``to``.

    The packets of one pointer follow each other there. If ``sorted``, the event lists them in an order of its own.
    """

    to: str
    count: int
    sorted: bool


class ApartResource(TypedDict):
    """Single items that are taken out of the order before the packets; another draw chooses their places.

    ``of`` are the possible places, counted from 0. Another permutation, with this label and number, orders them; the
    first ``count`` are taken.
    """

    label: str
    number: int
    of: list[int]
    count: int
    to: str


class DrawnOrderResource(TypedDict):
    """A permutation of ``of``, which is dealt completely in packets, after single items are taken apart."""

    of: list[str]
    apart: ApartResource | None
    packets: list[PacketResource]


class DrawResource(TypedDict):
    """A random decision in the event of a version: either numbers, or an order; the other is null."""

    version: int
    label: str
    number: int
    numbers: DrawnNumbersResource | None
    order: DrawnOrderResource | None


class AuditResource(TypedDict):
    """A whole log, the end of its chain, and every draw; the secret, revealed at the end, repeats each draw."""

    ruleset: str
    game_id: str
    version: int
    head: str
    events: list[EventResource]
    draws: list[DrawResource]


class CommitmentsResource(TypedDict):
    """The end of the chain of a game, its time, and the inputs of the draws.

    ``seeds`` are those that the players brought or opened, by seat, null where there is none yet, and
    ``seed_commitments`` what they committed to. ``secret`` matches ``commitment``, and is null until the game is over.
    ``deal_anchor`` ends the chain of the deals' secrets; ``deal_secrets`` are those that have been revealed, the first
    deal's first. Null and empty where the game has one secret only.
    """

    ruleset: str
    rules_version: int
    game_id: str
    version: int
    head: str
    at: str
    commitment: str
    seeds: list[str | None]
    seed_commitments: list[str | None]
    secret: str | None
    deal_anchor: str | None
    deal_secrets: list[str]


def commitments(game: Game) -> CommitmentsResource:
    """Show what a game is verified with, which is the same for every viewer."""
    return {
        "ruleset": game.ruleset.id,
        "rules_version": game.rules_version,
        "game_id": game.id,
        "version": game.version,
        "head": game.head,
        "at": game.at,
        "commitment": game.commitment,
        "seeds": [*game.draws.seeds],
        "seed_commitments": [sitter.seed_commitment if sitter else None for sitter in game.sitters],
        "secret": game.secret.hex() if game.is_over else None,
        "deal_anchor": game.deals.revealed(0) if game.deals else None,
        "deal_secrets": [game.deals.revealed(deal + 1) for deal in range(len(game.revealed))] if game.deals else [],
    }


def audit(game: Game, viewer: Seat | None, records: Iterable[Record]) -> AuditResource:
    """Show a whole log to a viewer, with the draws behind its events, which are stated from what is public in them.

    Deals that are over are open.
    """
    events = representations.opened_events(game, viewer, records)
    stated = drawn.draws(game.ruleset, game.options, len(game.sitters), events)
    return {
        "ruleset": game.ruleset.id,
        "game_id": game.id,
        "version": game.version,
        "head": game.head,
        "events": events,
        "draws": [drawn.as_data(event["version"], draw) for event, draw in stated],
    }
