"""What a player can ask for during a game, in lines that begin with / or :"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, Protocol

from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from domain.sentences.catalogue import languages
from service.cli.client import Refused, Unreachable
from service.cli.output import clean
from service.cli.play import drawing
from service.cli.play.choosing import Choice
from service.cli.play.game import Game, Table
from service.cli.play.inputs import Interrupted, Leave
from service.cli.play.screen import Paragraph, Screen
from service.cli.play.slots import Action, Scalar, Schema, kinds_in, leaves_of
from service.cli.play.words import Words


class Seated(Protocol):
    """What commands need of the session that they belong to."""

    game: Game
    screen: Screen
    table: Table

    def list_choices(self) -> None:
        """List what the player can do, as far as it is narrowed."""

    def back(self) -> None:
        """Take back the last part of a choice."""

    def draw(self) -> None:
        """Draw the table, and what can be done."""

    def renew(self) -> None:
        """Read the table again, and tell what has happened."""

    def follow(self) -> None:
        """Follow the game again, in the language of the player."""

    def go_to(self, game_id: str) -> NoReturn:
        """Leave this game for another one."""


class Commands:
    def __init__(self, session: Seated) -> None:
        self._session = session
        self._commands: Mapping[str, Callable[[str], None]] = {
            "help": self._help,
            "choices": lambda _: session.list_choices(),
            "back": lambda _: session.back(),
            "board": lambda _: session.draw(),
            "hint": self._hint,
            "last": self._last,
            "score": self._score,
            "log": self._log,
            "say": self._say,
            "replay": lambda _: look_back(session.game, session.screen, session.table),
            "forced": lambda switch: force(session, switch),
            "plan": lambda text: plan(session, text),
            "propose": self._propose,
            "accept": lambda _: self._vote(accept=True),
            "decline": lambda _: self._vote(accept=False),
            "resign": self._resign,
            "rematch": self._rematch,
            "language": self._language,
            "quit": self._quit,
        }

    @property
    def names(self) -> Sequence[str]:
        return [f"/{name}" for name in self._commands]

    def run(self, line: str) -> None:
        """Carry out a command, which can be shortened."""
        name, _, more = line.strip().partition(" ")
        found = self._found(name)
        if len(found) == 1:
            self._commands[found[0]](more.strip().lower())
        else:
            self._session.screen.say(self._words("command.unknown", name=name))

    def meaning(self, line: str) -> str:
        name = line.partition(" ")[0]
        found = self._found(name)
        if len(found) == 1:
            return f"/{found[0]}: {self._described(found[0])}"
        return " ".join(f"/{each}" for each in found) or self._words("command.unknown", name=clean(name))

    @property
    def _words(self) -> Words:
        return self._session.game.words

    def _found(self, name: str) -> list[str]:
        name = name.lower()
        return [name] if name in self._commands else [each for each in self._commands if each.startswith(name)]

    def _described(self, name: str) -> str:
        return self._words(f"command.{name}", kinds=", ".join(self._kinds()))

    def _kinds(self) -> list[str]:
        return [clean(each) for each in self._session.game.ruleset(self._session.table.view["ruleset"])["proposals"]]

    def _help(self, _: str) -> None:
        grid = Grid.grid(padding=(0, 2))
        for name in self._commands:
            grid.add_row(Text(f" /{name}", "bold"), Paragraph(self._described(name)))
        said = (Paragraph(self._words(each)) for each in ("help.type", "help.marks"))
        self._session.screen.show("", *said, "", grid)

    def _hint(self, _: str) -> None:
        self._session.screen.say(self._words("hint.wait"))
        self._session.screen.show(*drawing.hint_of(self._session.game.hint(self._seat), self._words))

    def _last(self, _: str) -> None:
        self._session.screen.show(*drawing.last_of(self._session.table.scene, self._words))

    def _score(self, _: str) -> None:
        self._session.screen.show(*drawing.sheet_of(self._session.table.scene, self._words))

    def _log(self, which: str) -> None:
        told = self._session.game.log() if which else self._session.game.told(None)
        for version, sentence in told:
            self._session.screen.show(Paragraph(sentence, mark=f"{version:>5}  "))

    def _say(self, text: str) -> None:
        found, screen = self._session.game.phrases(), self._session.screen
        choices = {str(place): each for place, each in enumerate(found["choices"], 1)}
        wanted = text.casefold()
        fitting = [each for place, each in choices.items() if wanted in {place, each["phrase"]}]
        fitting = fitting or [each for each in choices.values() if clean(each["text"]).casefold().startswith(wanted)]
        if found["silence"]:
            screen.say(clean(found["silence"]))
        elif text and len(fitting) == 1:
            self._session.game.write(f"phrases?as={self._seat}", {"phrase": fitting[0]["phrase"]})
        else:
            screen.show("", *(Paragraph(clean(each["text"]), mark=f"{place:>3} ") for place, each in choices.items()))

    def _propose(self, kind: str) -> None:
        kinds = self._kinds()
        if kind not in kinds:
            self._session.screen.say(self._words("propose.which", kinds=", ".join(kinds)))
            return
        self._session.game.write(f"proposals?as={self._seat}", {"kind": kind})
        self._session.renew()

    def _vote(self, *, accept: bool) -> None:
        open_ones = [each for each in self._session.table.view["proposals"] if self._seat not in each["accepted"]]
        if not open_ones:
            self._session.screen.say(self._words("not.now"))
            return
        self._session.game.write(f"proposals/{open_ones[0]['id']}/votes?as={self._seat}", {"accept": accept})
        self._session.renew()

    @property
    def _seat(self) -> int:
        return self._session.table.seat

    def _resign(self, _: str) -> None:
        screen = self._session.screen
        screen.say(self._words("resign.sure"), "bold")
        answer = screen.ask("> ")
        while isinstance(answer, Interrupted):
            answer = screen.ask("> ", typed=answer.typed)
        if answer.strip().casefold() == self._words("resign.yes"):
            self._session.game.write(f"resign?as={self._seat}", {"confirm": True})
            self._session.renew()

    def _rematch(self, _: str) -> None:
        self._session.go_to(self._session.game.write("rematch", {})["game"]["id"])

    def _language(self, language: str) -> None:
        if language not in languages():
            self._session.screen.say(self._words("lang.none", languages=", ".join(languages())))
            return
        self._session.game.words = Words(language)
        self._session.follow()
        self._session.renew()

    def _quit(self, _: str) -> None:
        raise Leave


# -- plans: forced moves that the service makes for the player, and a move that is made before its turn comes -----


_SWITCH = {"on": True, "off": False}
_DROP = "drop"


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


# -- looking back at a game, version by version -------------------------------------------------------------------


_BACK, _ON, _HINT, _OUT = ("<", "p", "b"), (">", "n", ""), ("h", "hint"), ("q", "quit")


def look_back(game: Game, screen: Screen, table: Table) -> None:
    """Show earlier versions of a game until the player has seen enough; of one that is over, all that was hidden."""
    last, everything = table.version, table.is_over
    told = dict(game.log())
    version, shown = last, 0
    while True:
        with _telling(game, screen):
            if version != shown:
                _draw(game, screen, version, told.get(version, ""), everything=everything)
                shown = version
        hint = game.words("replay.hint", version=version, last=last)
        wish = _asked(screen, hint)
        if wish in _OUT:
            break
        if wish in _HINT:
            with _telling(game, screen):
                _advise(game, screen, version)
        elif (following := _next(wish, version, last)) is None:
            screen.say(game.words("fits.none", word=clean(wish)))
            screen.say(hint)
        else:
            version = following
    screen.say(game.words("back"))


def _asked(screen: Screen, meaning: str) -> str:
    while isinstance(answer := screen.ask("↔ ", lambda _: meaning, keys=True), Interrupted):
        pass
    return answer.strip().lstrip("/:").casefold()


def _next(wish: str, version: int, last: int) -> int | None:
    if wish in _BACK:
        return max(1, version - 1)
    if wish in _ON:
        return min(last, version + 1)
    return min(max(1, int(wish)), last) if wish.isdecimal() else None


@contextmanager
def _telling(game: Game, screen: Screen) -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        screen.say(refusal.detail, "bold red")
    except Unreachable:
        screen.say(game.words("link.away"), "bold red")


def _draw(game: Game, screen: Screen, version: int, told: str, *, everything: bool) -> None:
    scene = game.at(version, everything=everything)["scene"]
    title = Paragraph(told, "bold", mark=Text(f"{version}. ", "bold"))
    screen.show(Rule(style="dim"), title, *drawing.scene_of(scene, game.words))


def _advise(game: Game, screen: Screen, version: int) -> None:
    """Say what a bot would have done for who had to decide: the player, or else the first of those who had to."""
    view = game.at(version, everything=False)
    seat = min(view["to_act"], key=lambda each: each != view["viewer"]["seat"], default=None)
    if seat is None:
        screen.say(game.words("replay.nobody"))
        return
    screen.show(*drawing.hint_of(game.hint(seat, version), game.words))
