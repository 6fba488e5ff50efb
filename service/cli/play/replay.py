"""Looking back at a game, version by version."""

from rich.rule import Rule
from rich.text import Text

from service.cli.client import Refused
from service.cli.play import drawing
from service.cli.play.game import Game, Table
from service.cli.play.inputs import Interrupted
from service.cli.play.screen import Screen

_BACK, _ON = ("<", "p", "b"), (">", "n", "")


def look_back(game: Game, screen: Screen, table: Table) -> None:
    """Show earlier versions of a game until the player has seen enough; of one that is over, all that was hidden."""
    last, everything = table.version, table.is_over
    told = dict(game.log())
    version = last

    def hint(_: str) -> str:
        return game.words("replay.hint", version=version, last=last)

    while True:
        _draw(game, screen, version, told.get(version, ""), everything=everything)
        answer = screen.ask("↔ ", hint, keys=True)
        while isinstance(answer, Interrupted):
            answer = screen.ask("↔ ", hint, keys=True)
        wish = answer.strip()
        if wish in _BACK:
            version = max(1, version - 1)
        elif wish in _ON:
            version = min(last, version + 1)
        elif wish.isdecimal():
            version = min(max(1, int(wish)), last)
        else:
            screen.say(game.words("back"))
            return


def _draw(game: Game, screen: Screen, version: int, sentence: str, *, everything: bool) -> None:
    screen.show(Rule(style="dim"))
    try:
        scene = game.at(version, everything=everything)["scene"]
    except Refused as refusal:
        screen.say(refusal.detail)
        return
    screen.show(Text(f"{version}. {sentence}", "bold"), *drawing.scene_of(scene, game.words))
