"""What a player can ask for during a game, in lines that begin with / or :"""

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, Protocol

from rich.table import Table as Grid
from rich.text import Text

from domain.sentences.catalogue import languages
from service.cli.output import clean
from service.cli.play import drawing, planning
from service.cli.play.game import Game, Table
from service.cli.play.inputs import Interrupted, Leave
from service.cli.play.replay import look_back
from service.cli.play.screen import Paragraph, Screen
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
            "forced": lambda switch: planning.force(session, switch),
            "plan": lambda text: planning.plan(session, text),
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
        fitting = fitting or [each for each in choices.values() if clean(each["words"]).casefold().startswith(wanted)]
        if found["silence"]:
            screen.say(clean(found["silence"]))
        elif text and len(fitting) == 1:
            self._session.game.write(f"phrases?as={self._seat}", {"phrase": fitting[0]["phrase"]})
        else:
            screen.show("", *(Paragraph(clean(each["words"]), mark=f"{place:>3} ") for place, each in choices.items()))

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
