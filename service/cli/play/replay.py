"""Looking back at a game, version by version."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.rule import Rule
from rich.text import Text

from service.cli.client import Refused, Unreachable
from service.cli.output import clean
from service.cli.play import drawing
from service.cli.play.game import Game, Table
from service.cli.play.inputs import Interrupted
from service.cli.play.screen import Paragraph, Screen

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
