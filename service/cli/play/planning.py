"""Plans: forced moves that the service makes for the player, and a move that is made before its turn comes."""

from collections.abc import Iterator
from typing import Any, Protocol

from service.cli.output import clean
from service.cli.play.choosing import Choice
from service.cli.play.game import Game, Table
from service.cli.play.screen import Paragraph, Screen
from service.cli.play.slots import Action, Scalar, Schema, kinds_in, leaves_of

_SWITCH = {"on": True, "off": False}
_DROP = "drop"


class Seated(Protocol):
    """What plans need of the session that they belong to."""

    game: Game
    screen: Screen
    table: Table


def force(session: Seated, switch: str) -> None:
    """Turn it on or off that moves without a choice are made for the player, or say whether they are."""
    game, seat = session.game, session.table.seat
    plan = game.replan(seat, forced=_SWITCH[switch]) if switch in _SWITCH else game.plan(seat)
    session.screen.say(game.words("forced.on" if plan["forced"] else "forced.off"))


def plan(session: Seated, text: str) -> None:
    game, table, words = session.game, session.table, session.game.words
    if not text:
        _show(session, game.plan(table.seat))
    elif text == _DROP:
        _show(session, game.replan(table.seat, steps=[]))
    elif table.is_awaited:
        session.screen.say(words("plan.now"))
    else:
        reading = _moves(session).read(text)
        found = [branch.leaf.action for branch in reading.choice.branches]
        types = {action["type"] for action in found if action}
        if reading.unknown:
            session.screen.say(words("fits.none", word=clean(reading.unknown)))
        elif len(types) < len(found):
            said = ", ".join(map(clean, reading.choice.sentences()))
            session.screen.say(words("fits.more", count=len(found), what=said))
        else:
            _show(session, game.replan(table.seat, steps=[{"action": action} for action in found]))


def _show(session: Seated, made: Any) -> None:
    words, label = session.game.words, session.game.labels(session.table)
    session.screen.say(words("plan.steps" if made["steps"] else "plan.none"))
    for step in made["steps"]:
        said = words("plan.when" if "when" in step else "plan.step", what=label.whole(step["action"]))
        session.screen.show(Paragraph(clean(said), mark=" · "))


def _moves(session: Seated) -> Choice:
    """Return the choice among the moves that can be planned without knowing the position in which they come."""
    actions = session.game.ruleset(session.table.view["ruleset"])["actions"]
    label = session.game.labels(session.table)
    moves = [move for schema in actions.values() for move in _moves_of(schema, session.table)]
    return Choice.among(leaves_of(moves, kinds_in(actions), [label.whole(move) for move in moves]), label)


def _moves_of(schema: Schema, table: Table) -> Iterator[Action]:
    """List the moves of a type that say one thing at most, such as which card of the player's."""
    kind, *others = (name for name in schema["required"])
    made = {kind: schema["properties"][kind]["const"]}
    if not others:
        yield made
    elif len(others) == 1:
        yield from ({**made, others[0]: value} for value in _values(schema["properties"][others[0]], table))


def _values(field: Schema, table: Table) -> list[Scalar]:
    if field.get("x-pick") == "card":
        return [thing["face"] for row in table.scene["rows"] if row["mine"] for thing in row["things"] if thing["face"]]
    if field.get("type") == "integer":
        return [*range(field["minimum"], field["maximum"] + 1)]
    return [*field.get("enum", ())]
