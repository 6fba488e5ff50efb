"""A game in a terminal: events are printed, the table is drawn when it is the player's turn, and typed text acts."""

import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from rich.cells import cell_len, set_cell_size
from rich.console import RenderableType
from rich.rule import Rule

from service.cli.client import Refused, Unreachable
from service.cli.output import clean
from service.cli.play import drawing
from service.cli.play.choosing import Choice
from service.cli.play.commands import Commands
from service.cli.play.drawing import seat_name
from service.cli.play.following import Follower
from service.cli.play.game import Game, Table
from service.cli.play.inputs import Interrupted, Leave
from service.cli.play.screen import Paragraph, Screen
from service.cli.play.slots import Action
from service.cli.play.words import Words
from service.common.wall_clock import now_ms

# -- the decision that a player is making: the words typed so far, and the choices left ---------------------------


_FEW = 6


class Turn:
    """A decision of the player's, which one line makes, or several that narrow it."""

    def __init__(self, choice: Choice | None, *, is_awaited: bool) -> None:
        self.choice = choice
        self.is_awaited = is_awaited
        self._earlier: list[Choice] = []

    def back(self) -> None:
        if self._earlier:
            self.choice = self._earlier.pop()

    def read(self, text: str) -> tuple[Action | None, str | None]:
        """Read a line: the action to send, if one is chosen, and the first word that fits nothing, if any.

        What was chosen in several lines, or has no sentence, waits for an empty line that confirms it. An empty line
        plays the only action that there is, unless the game does not wait for it.
        """
        choice = self.choice
        if choice is None:
            return None, None
        if not text:
            return (choice.ready if self.is_awaited or choice.is_begun else None), None
        reading = choice.read(text)
        if reading.unknown:
            return None, reading.unknown
        left, at_once = reading.choice, not self._earlier or reading.choice.says is not None
        if left.finished and at_once:
            return left.ready, None
        self._earlier.append(choice)
        self.choice = left
        return None, None

    def drawn(self, words: Words) -> Iterator[RenderableType]:
        choice = self.choice
        if choice is None:
            yield Paragraph(words("not.turn"))
            return
        if not choice.finished:
            if choice.part:
                yield Paragraph(self._part(choice, words), "bold", mark=" ")
            yield drawing.options_of(choice.options(), in_rows=choice.part is not None)
        if choice.ready and (choice.finished or choice.is_begun):
            which = "confirm.back" if self._earlier else "confirm"
            yield Paragraph(words(which, what=_in_words(choice)), "bold", mark=" ")

    def hint(self, text: str, words: Words) -> str | None:
        if self.choice is None:
            return None
        if not text and not self.is_awaited and not self.choice.is_begun:
            return words("can", what=", ".join(clean(each) for each in self.choice.sentences()[:_FEW]))
        reading = self.choice.read(text)
        left = reading.choice
        if reading.unknown:
            return words("fits.none", word=clean(reading.unknown))
        if left.ready and (left.finished or (left.is_begun and not text)):
            return words("confirm", what=_in_words(left))
        if not text:
            return words("turn.hint", count=len(left.options()))
        options = left.options()
        return words("fits.more", count=len(options), what=", ".join(clean(each.label) for each in options[:_FEW]))

    def _part(self, choice: Choice, words: Words) -> str:
        if choice.part is None:
            return words("choose")
        name, bag = clean(choice.label.part(*choice.part)), choice.part[1].bag
        if bag.most == 1:
            return name
        known: dict[str, str | int] = {"part": name, "count": len(choice.held), "least": bag.least, "most": bag.most}
        said = words("chosen" if bag.least == bag.most else "chosen.range", **known)
        return f"{said}  {clean(' '.join(map(str, choice.held)))}"


def _in_words(choice: Choice) -> str:
    return clean(choice.says or (choice.label.whole(choice.ready) if choice.ready else ""))


# -- a game in a terminal -----------------------------------------------------------------------------------------

_FIRST_TOLD = 12
_PAUSE = 1.0


class Session:
    def __init__(self, game: Game, screen: Screen) -> None:
        self.game = game
        self.screen = screen
        self.table = self._read()
        self.turn = self._new_turn()
        self._told = 0
        self._shown = ""
        self._quoted = "0"
        self._is_apart = False
        self._proposed: set[str] = set()
        self._has_warned = False
        self._is_lost = False
        self._is_behind = False
        self._commands = Commands(self)
        self._follower = self._following()

    def run(self) -> str | None:
        """Play until the player leaves; return the id of the next game, if there is one."""
        try:
            self._tell(self.game.told(None)[-_FIRST_TOLD:])
            self._told = max(self._told, self.table.version)
            typed = ""
            while True:
                try:
                    typed = self._round(typed)
                    self._has_warned = False
                except KeyboardInterrupt:
                    typed = self._warned()
        except Leave:
            return None
        except _NextGame as following:
            return following.game_id
        finally:
            self._follower.stop()

    # -- for commands -----------------------------------------------------------------------------------------------

    def go_to(self, game_id: str) -> NoReturn:
        raise _NextGame(game_id)

    def follow(self) -> None:
        self._follower.stop()
        self._follower = self._following()

    def renew(self) -> None:
        self._catch_up()
        self.turn = self._new_turn()
        self._shown = ""

    def list_choices(self) -> None:
        self.screen.show("", *self.turn.drawn(self.game.words))

    def back(self) -> None:
        self.turn.back()
        self.list_choices()

    def draw(self) -> None:
        table, words = self.table, self.game.words
        self._is_apart = False
        self.screen.show(Rule(style="dim"), *drawing.scene_of(table.scene, words))
        if table.is_over:
            if table.scene["sheet"]:
                self.screen.show(*drawing.sheet_of(table.scene, words))
            self.screen.show("", Paragraph(words("over" if table.status == "finished" else "over.aborted"), "bold"))
        elif table.is_awaited:
            self.screen.show("", *self.turn.drawn(words))

    # -- a line -----------------------------------------------------------------------------------------------------

    def _round(self, typed: str) -> str:
        """Show what is new, ask for a line and carry it out; return what is to stand in the next one."""
        self._show_if_new()
        found = self.screen.ask("> ", self._hint, self._commands.names, typed)
        try:
            if not isinstance(found, Interrupted):
                self._take(found.strip())
            self._hear()
        except Refused as refusal:
            self.screen.say(refusal.detail, "bold red")
            self._refresh()
            self.turn = self._new_turn()
        except Unreachable:
            self.screen.say(self.game.words("link.lost"), "bold red")
            self._refresh()
        return found.typed if isinstance(found, Interrupted) else ""

    def _take(self, text: str) -> None:
        if text.startswith(("/", ":")):
            self._commands.run(text[1:])
            return
        action, unknown = self.turn.read(text)
        if action is not None:
            self.game.act(self.table, action)
            self._catch_up()
        elif unknown is not None:
            self.screen.say(self.game.words("fits.none", word=unknown))
        elif text or self.table.is_awaited:
            self.list_choices()

    def _hint(self, text: str) -> str:
        """Say what typed text would do, or what the game waits for."""
        text = text.strip()
        if text.startswith(("/", ":")):
            said = self._commands.meaning(text[1:])
        elif self._is_lost:
            said = self.game.words("link.lost")
        else:
            table, words = self.table, self.game.words
            said = ("" if text else until(table, words)) + (self.turn.hint(text, words) or waiting(table, words))
        return shortened(clean(said), self.screen.width)

    def _warned(self) -> str:
        if self._has_warned:
            raise Leave
        self._has_warned = True
        self.screen.say(self.game.words("leave.again"))
        return ""

    # -- news -------------------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        follower = self._follower
        if follower.refusal:
            refusal, follower.refusal = follower.refusal, None
            raise refusal
        if follower.is_lost != self._is_lost:
            self._is_lost = follower.is_lost
            self.screen.say(self.game.words("link.lost" if self._is_lost else "link.found"))
        while follower.said:
            self._quote(follower.said.popleft())
        if self._is_behind or follower.version > self.table.version:
            self._refresh()

    def _refresh(self) -> None:
        """Catch up now, or a little later if the service cannot answer now."""
        self._is_behind = True
        try:
            self._catch_up()
            self._is_behind = False
        except (Refused, Unreachable) as problem:
            if isinstance(problem, Refused) and not problem.passes:
                raise
            time.sleep(_PAUSE)
            self.screen.interrupt()

    def _catch_up(self) -> None:
        before = self.table.decision
        self.table = self._read()
        if self.table.version < self._told:
            self._go_back()
        if self.table.version > self._told:
            self._tell(self.game.told(self._told))
        if self.table.decision != before or self.table.choice is None:
            self.turn = self._new_turn()

    def _read(self) -> Table:
        """Read the table; a turn that a plan plays is read again, since another device can remove the plan."""
        table = self.game.read()
        if table.is_planned:
            timer = threading.Timer(_PAUSE, self._look_again)
            timer.daemon = True
            timer.start()
        return table

    def _look_again(self) -> None:
        self._is_behind = True
        self.screen.interrupt()

    def _go_back(self) -> None:
        """Resume from the service's version: it has lost events that it already sent."""
        self._told, self._shown = self.table.version, ""
        self.follow()

    def _following(self) -> Follower:
        game, version = self.game, self.table.version
        return Follower(game.service, game.events_path(), version, self.screen.interrupt, self._quoted)

    def _quote(self, phrase: Any) -> None:
        self._quoted = phrase["id"]
        seat = self.table.scene["seats"][phrase["seat"]]
        who, what = drawing.seat_name(seat, self.game.words), clean(phrase["text"])
        self.screen.say(self.game.words("said", who=who, what=what))

    def _new_turn(self) -> Turn:
        return Turn(self.table.choice, is_awaited=self.table.is_awaited)

    def _tell(self, told: Iterable[tuple[int, str]]) -> None:
        for version, sentence in told:
            if version > self._told:
                self.screen.show(*[] if self._is_apart else [""], Paragraph(sentence, mark="· "))
                self._is_apart = True
                self._told = version

    def _show_if_new(self) -> None:
        """Draw the table when the player is to decide, and at the beginning and the end; show what is proposed."""
        table = self.table
        for each in table.view["proposals"]:
            if each["id"] not in self._proposed and table.view["viewer"]["seat"] not in each["accepted"]:
                who = drawing.seat_name(table.scene["seats"][each["seat"]], self.game.words)
                self.screen.say(self.game.words("proposed", who=who, what=each["kind"]), "bold")
            self._proposed.add(each["id"])
        shown = str(table.decision if table.is_awaited else table.status if table.is_over else self._shown)
        if shown != self._shown or not shown:
            self._shown = shown or table.status
            self.draw()


class _NextGame(Exception):
    def __init__(self, game_id: str) -> None:
        super().__init__(game_id)
        self.game_id = game_id


def shortened(text: str, width: int) -> str:
    return text if cell_len(text) < width else f"{set_cell_size(text, width - 2)}…"


# -- what a game waits for, and until when, in the line below what is typed ---------------------------------------


_SOON_MS = 3_600_000


def until(table: Table, words: Words) -> str:
    """Say when the player's time is up, if that is soon."""
    deadline = table.deadline
    if deadline is None or deadline.timestamp() * 1000 - now_ms() > _SOON_MS:
        return ""
    until_then = words("until", when=deadline.astimezone().strftime("%H:%M:%S"))
    return f"{until_then} · "


def waiting(table: Table, words: Words) -> str:
    if table.is_over:
        return words("over.hint")
    if table.is_planned:
        return words("plan.plays")
    seeds = table.view["game"].get("seeds_awaited")
    if table.status == "open" and not seeds:
        seats = table.view["game"]["seats"]
        return words("waiting.players", count=sum(not each["player"] and not each["bot"] for each in seats))
    of = seeds["seats"] if seeds else table.view["waiting_for"]
    awaited = [seat_name(each, words) for each in table.scene["seats"] if each["seat"] in of]
    return words("waiting.seeds" if seeds else "waiting", names=", ".join(awaited))
