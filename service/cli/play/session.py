"""A game in a terminal: what happens is told, the table is drawn when it is the player's turn, and typed text acts."""

import time
from typing import NoReturn

from rich.cells import cell_len, set_cell_size
from rich.rule import Rule
from rich.text import Text

from service.cli.client import Refused, Unreachable
from service.cli.play import drawing
from service.cli.play.choosing import Choice
from service.cli.play.commands import Commands
from service.cli.play.following import Follower
from service.cli.play.game import Game, Table
from service.cli.play.inputs import Interrupted, Leave
from service.cli.play.screen import Screen
from service.cli.play.slots import Action
from service.cli.play.words import clean

_FIRST_TOLD = 12
_FEW = 6
_PAUSE = 1.0
_OVER = ("finished", "aborted")


class Session:
    """One game, until the player leaves it."""

    def __init__(self, game: Game, screen: Screen) -> None:
        self.game = game
        self.screen = screen
        self.table: Table = game.read()
        self.choice: Choice | None = None
        self._earlier: list[Choice] = []
        self._told = 0
        self._drawn: object = None
        self._proposed: set[str] = set()
        self._has_warned = False
        self._is_lost = False
        self._commands = Commands(self)
        self._follower = Follower(game.service, game.events_path(), self.table.version, screen.interrupt)

    def run(self) -> str | None:
        """Play until the player leaves; return the id of the next game, if they go on to one."""
        self._tell_first()
        typed = ""
        try:
            while True:
                self._show_if_new()
                try:
                    typed = self._turn(typed)
                    self._has_warned = False
                except KeyboardInterrupt:
                    typed = self._warned()
                except _NextGame as following:
                    return following.game_id
        except Leave:
            return None
        finally:
            self._follower.stop()

    def go_to(self, game_id: str) -> NoReturn:
        """Leave this game for another one."""
        raise _NextGame(game_id)

    def renew(self) -> None:
        """Read the table again, and tell what has happened."""
        self._catch_up()
        self._drawn = None

    def list_choices(self) -> None:
        """List what the player can do, as far as it is narrowed."""
        choice, say = self.choice, self.screen.say
        if choice is None:
            say(self.game.words("not.turn"))
            return
        if choice.finished and choice.ready:
            self._ask_to_confirm(choice)
            return
        if choice.part:
            say(f"\n {self._part(choice)}", "bold")
        self.screen.show(drawing.options_of(choice.options(), in_rows=choice.part is not None))
        if choice.ready and choice.is_begun:
            self._ask_to_confirm(choice)

    def _ask_to_confirm(self, choice: Choice) -> None:
        which = "confirm.back" if self._earlier else "confirm"
        self.screen.say(f" {self.game.words(which, what=self._in_words(choice))}", "bold")

    def back(self) -> None:
        """Take back the last part of a choice."""
        if self._earlier:
            self.choice = self._earlier.pop()
        self.list_choices()

    def draw(self) -> None:
        """Draw the table, and what can be done."""
        self.screen.show(Rule(style="dim"), *drawing.scene_of(self.table.scene, self.game.words))
        if self.table.status in _OVER:
            self._draw_end()
        elif self.table.is_awaited:
            self.screen.say("")
            self.list_choices()

    def _draw_end(self) -> None:
        words = self.game.words
        if self.table.scene["sheet"]:
            self.screen.show(*drawing.sheet_of(self.table.scene, words))
        self.screen.say("")
        self.screen.say(words("over" if self.table.status == "finished" else "over.aborted"), "bold")

    # -- a line ---------------------------------------------------------------------------------------------------

    def _turn(self, typed: str) -> str:
        """Ask for a line and carry it out; return what is to stand in the next one."""
        found = self.screen.ask("> ", self._meaning, self._commands.names, typed)
        if isinstance(found, Interrupted):
            self._hear()
            return found.typed
        try:
            self._take(found.strip())
        except Refused as refusal:
            self.screen.say(clean(refusal.detail), "bold red")
            self._start_over()
            self._catch_up()
        except Unreachable:
            self.screen.say(self.game.words("link.lost"), "bold red")
        return ""

    def _take(self, text: str) -> None:
        if text.startswith(("/", ":")):
            self._commands.run(text[1:])
        elif self.choice is None:
            if text:
                self.screen.say(self.game.words("not.turn"))
        elif not text:
            self._confirm(self.choice)
        else:
            self._narrow(self.choice, text)

    def _confirm(self, choice: Choice) -> None:
        if choice.ready and (choice.is_begun or self.table.is_awaited):
            self._act(choice.ready)
        else:
            self.list_choices()

    def _narrow(self, choice: Choice, text: str) -> None:
        reading = choice.read(text)
        if reading.unknown:
            self.screen.say(self.game.words("fits.none", word=clean(reading.unknown)))
        elif reading.choice.finished and reading.choice.ready and not self._earlier:
            self._act(reading.choice.ready)
        else:
            self._earlier.append(choice)
            self.choice = reading.choice
            if self.choice.finished and self.choice.ready and self.choice.says:
                self._act(self.choice.ready)
            else:
                self.list_choices()

    def _act(self, action: Action) -> None:
        self.game.act(self.table, action)
        self._catch_up()

    def _meaning(self, text: str) -> str:
        """Say what typed text would do."""
        text = text.strip()
        if text.startswith(("/", ":")):
            said = self._commands.meaning(text[1:])
        elif self._is_lost:
            said = self.game.words("link.lost")
        elif self.choice is None or not (text or self.table.is_awaited or self.choice.is_begun):
            said = self._pause_words()
        else:
            said = self._choice_words(self.choice, text)
        return shortened(said, self.screen.console.width)

    def _choice_words(self, choice: Choice, text: str) -> str:
        words, reading = self.game.words, choice.read(text)
        left = reading.choice
        if reading.unknown:
            return words("fits.none", word=clean(reading.unknown))
        if left.ready and (left.is_begun or left.finished):
            return words("confirm", what=self._in_words(left))
        if not text:
            return words("turn.hint", count=len(left.branches))
        options = left.options()
        return words("fits.more", count=len(options), what=", ".join(clean(each.label) for each in options[:_FEW]))

    def _pause_words(self) -> str:
        words, scene = self.game.words, self.table.scene
        if self.table.status in _OVER:
            return words("over.hint")
        if self.table.status == "open":
            seats = self.table.view["game"]["seats"]
            return words("waiting.players", count=sum(not each["player"] and not each["bot"] for each in seats))
        if self.choice is not None and not self.table.is_awaited:
            return words("can", what=", ".join(clean(each) for each in self.choice.sentences()[:_FEW]))
        awaited = [each for each in scene["seats"] if each["seat"] in self.table.view["waiting_for"]]
        return words("waiting", names=", ".join(drawing.seat_name(each, words) for each in awaited))

    def _part(self, choice: Choice) -> str:
        action_type, slot = choice.part or (None, None)
        if slot is None:
            return self.game.words("choose")
        name, bag = choice.label.part(action_type, slot), slot.bag
        if bag.most == 1:
            return name
        known = {"part": name, "count": len(choice.held), "least": bag.least, "most": bag.most}
        return self.game.words("chosen" if bag.least == bag.most else "chosen.range", **known)

    def _in_words(self, choice: Choice) -> str:
        return clean(choice.says or (choice.label.whole(choice.ready) if choice.ready else ""))

    def _warned(self) -> str:
        """Ask once before the player leaves by Ctrl-C."""
        if self._has_warned:
            raise Leave
        self._has_warned = True
        self.screen.say(self.game.words("leave.again"))
        return ""

    # -- news -----------------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        follower = self._follower
        if follower.refusal:
            self.screen.say(clean(follower.refusal.detail), "bold red")
        if follower.is_lost != self._is_lost:
            self._is_lost = follower.is_lost
            self.screen.say(self.game.words("link.lost" if self._is_lost else "link.found"))
        if follower.version > self.table.version:
            try:
                self._catch_up()
            except (Refused, Unreachable):
                time.sleep(_PAUSE)
                self.screen.interrupt()

    def _tell_first(self) -> None:
        self._tell(self.game.told(None)[-_FIRST_TOLD:])
        self._told = max(self._told, self.table.version)
        self._start_over()

    def _catch_up(self) -> None:
        """Read the table, and tell what has led to it."""
        before = self.table.decision
        self.table = self.game.read()
        if self.table.version > self._told:
            self._tell(self.game.told(self._told))
        if self.table.decision != before or self.table.choice is None:
            self._start_over()

    def _tell(self, told: list[tuple[int, str]]) -> None:
        for version, sentence in told:
            if self._told < version:
                self.screen.show(Text(f"· {sentence}"))
                self._told = version

    def _start_over(self) -> None:
        self.choice, self._earlier = self.table.choice, []

    def _show_if_new(self) -> None:
        table, words = self.table, self.game.words
        for each in table.view["proposals"]:
            if each["id"] not in self._proposed and table.view["viewer"]["seat"] not in each["accepted"]:
                who = drawing.seat_name(table.scene["seats"][each["seat"]], words)
                self.screen.say(words("proposed", who=who, what=each["kind"]), "bold")
            self._proposed.add(each["id"])
        shown = table.status if table.status in _OVER else table.decision if table.is_awaited else self._drawn or ""
        if shown != self._drawn:
            self._drawn = shown
            self.draw()


class _NextGame(Exception):
    """The player goes on to another game."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id


def shortened(text: str, width: int) -> str:
    """Cut a text to one line."""
    return text if cell_len(text) < width else f"{set_cell_size(text, width - 2)}…"
