"""Tutorials: a recorded game of a ruleset in which a learner makes one seat's moves, with a comment for each step.

A package has its game beside its code, as ``tutorial.json``: the seats, the options, the secret that everything is
drawn with, the moves in their order, and the steps. Its comments are in ``tutorial.<language>.json``, by step.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from domain.game import aggregate, history, seating
from domain.game.aggregate import Decided, Game
from domain.log.record import Record
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import ORIGINAL, languages
from domain.serialization import Plain, from_plain
from domain.table import Seat

_GAME = "tutorial.json"
_COMMENTS = "tutorial.{}.json"
_AT = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True)
class Step:
    """A position of the recorded game: what happened since the step before, and what the learner does in it.

    ``move`` is null where there is only something to read.
    """

    comment: str
    game: Game
    happened: tuple[Record, ...]
    move: Mapping[str, Plain] | None


def has_tutorial(ruleset: AnyRuleset) -> bool:
    """Return whether a ruleset has a tutorial."""
    return (files(ruleset.package) / _GAME).is_file()


@cache
def fault(ruleset: AnyRuleset) -> str | None:
    """Return why the tutorial of a ruleset does not play; None if it plays, or if there is none."""
    if not has_tutorial(ruleset):
        return None
    try:
        *_, last = steps(ruleset)
        if last.move is not None:
            return "moves are left after the last step"
        if learner(ruleset) not in range(len(last.game.sitters)):
            return "the learner has no seat"
        for language in languages():
            comments(ruleset, language)
    except Exception as error:  # noqa: BLE001 - whatever a package raises, it is named
        return " ".join(f"{type(error).__name__}: {error}".split())
    return None


def learner(ruleset: AnyRuleset) -> Seat:
    """Return the seat whose moves the learner makes."""
    seat: Seat = _read(ruleset, _GAME)["learner"]
    return seat


def comments(ruleset: AnyRuleset, language: str) -> Mapping[str, str]:
    """Return the comments by step, each in the original language where the wanted one lacks it."""
    return {**own_comments(ruleset, ORIGINAL), **own_comments(ruleset, language)}


def own_comments(ruleset: AnyRuleset, language: str) -> Mapping[str, str]:
    """Return the comments in the file of a language, none if there is no file."""
    name = _COMMENTS.format(language)
    return dict(_read(ruleset, name)) if (files(ruleset.package) / name).is_file() else {}


def lacking(ruleset: AnyRuleset, language: str) -> tuple[str, ...]:
    """List the steps of a tutorial, if there is one, that have no comment in a language."""
    known = own_comments(ruleset, language)
    return tuple(step for step in step_names(ruleset) if step not in known)


def step_names(ruleset: AnyRuleset) -> tuple[str, ...]:
    """List the steps of a tutorial, none if there is no tutorial."""
    return tuple(step["comment"] for step in _read(ruleset, _GAME)["steps"]) if has_tutorial(ruleset) else ()


def steps(ruleset: AnyRuleset) -> Iterator[Step]:
    """Play the recorded game by the rules, and return it at each step; raise ``IllegalAction`` if they forbid a move.

    With ``ends_with``, the last step is the position after the last event of that type, before what the rules force
    next (a new deal, say).
    """
    told = _read(ruleset, _GAME)
    moves: Sequence[tuple[Seat, Mapping[str, Plain]]] = told["moves"]
    log, game = _begun(ruleset, told)
    shown = 0
    made = 0
    for step in told["steps"]:
        for seat, action in moves[made : step["after"]]:
            records, game = _recorded(game, aggregate.act(game, seat, _action(ruleset, action)))
            log += records
        made = step["after"]
        move = moves[made][1] if made < len(moves) else None
        if move is None and "ends_with" in told:
            last = next(record.version for record in reversed(log) if record.type == told["ends_with"])
            log, game = log[:last], history.fold_to(log, last)
        yield Step(step["comment"], game, tuple(log[shown:]), move)
        shown = len(log)


def _begun(ruleset: AnyRuleset, told: Mapping[str, Any]) -> tuple[list[Record], Game]:
    new = seating.NewGame(
        id=f"tutorial-{ruleset.id}",
        ruleset=ruleset,
        options=ruleset.options.complete(told["options"], told["seats"]),
        visibility="public",
        sandbox=False,
        creator="0",
        sitters=tuple(map(str, range(told["seats"]))),
        by_deal=False,
    )
    return _recorded(None, seating.create(new, bytes.fromhex(told["secret"])))


def _recorded(before: Game | None, decided: Decided) -> tuple[list[Record], Game]:
    return history.record(before, decided, _AT, f"rq_{before.version if before else 0}")


def _action(ruleset: AnyRuleset, action: Mapping[str, Plain]) -> object:
    fields = {name: value for name, value in action.items() if name != "type"}
    return from_plain(ruleset.actions[str(action["type"])], fields)


def _read(ruleset: AnyRuleset, name: str) -> Any:
    try:
        return json.loads((files(ruleset.package) / name).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{name} of {ruleset.package}: {error}") from error
