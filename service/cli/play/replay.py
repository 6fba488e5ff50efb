"""Looking back at a game, version by version."""

from rich.rule import Rule
from rich.text import Text

from service.cli.client import Refused
from service.cli.play import drawing
from service.cli.play.game import Game, Table
from service.cli.play.inputs import Interrupted
from service.cli.play.screen import Screen

_BACK, _ON, _HINT = ("<", "p", "b"), (">", "n", ""), "h"


def look_back(game: Game, screen: Screen, table: Table) -> None:
    """Show earlier versions of a game until the player has seen enough; of one that is over, all that was hidden."""
    last, everything = table.version, table.is_over
    told = dict(game.log())
    version, shown = last, 0
    while version:
        if version != shown:
            _draw(game, screen, version, told.get(version, ""), everything=everything)
        shown = version
        wish = _asked(screen, game.words("replay.hint", version=version, last=last))
        if wish == _HINT:
            _advise(game, screen, version)
        else:
            version = _next(wish, version, last)
    screen.say(game.words("back"))


def _asked(screen: Screen, meaning: str) -> str:
    while isinstance(answer := screen.ask("↔ ", lambda _: meaning, keys=True), Interrupted):
        pass
    return answer.strip()


def _next(wish: str, version: int, last: int) -> int:
    """Return the version to look at next, 0 for none."""
    if wish in _BACK:
        return max(1, version - 1)
    if wish in _ON:
        return min(last, version + 1)
    return min(max(1, int(wish)), last) if wish.isdecimal() else 0


def _draw(game: Game, screen: Screen, version: int, sentence: str, *, everything: bool) -> None:
    screen.show(Rule(style="dim"))
    try:
        scene = game.at(version, everything=everything)["scene"]
    except Refused as refusal:
        screen.say(refusal.detail)
        return
    screen.show(Text(f"{version}. {sentence}", "bold"), *drawing.scene_of(scene, game.words))


def _advise(game: Game, screen: Screen, version: int) -> None:
    """Say what a bot would have done for who had to decide: the player, or else the first of those who had to."""
    try:
        view = game.at(version, everything=False)
        seat = min(view["to_act"], key=lambda each: each != view["viewer"]["seat"], default=None)
        if seat is None:
            screen.say(game.words("replay.nobody"))
            return
        screen.show(*drawing.hint_of(game.hint(seat, version), game.words))
    except Refused as refusal:
        screen.say(refusal.detail)
