"""A game of each ruleset, told to one of its players while it is played: the log of seat 0, a sentence a line.

python -m tests.golden.told_games    # write them again, after a change of words; then read the difference
"""

from collections.abc import Mapping
from pathlib import Path

from domain.laws.play import log_of, random_game
from domain.log.record import visible
from domain.registry import RULESETS
from domain.sentences.message import AtSeat, Player
from domain.texts.sentences import tell, words

_PEOPLE = ("Ada", "Bob", "Cy", "Dee", "Eve", "Fay")

GAMES: Mapping[str, tuple[int, int, dict[str, object]]] = {
    "le-plateau": (5, 3, {}),
    "plateau": (2, 5, {}),
    "french-tarot": (5, 2, {"deals": 5}),
    "plute": (6, 1, {}),
}
"""The seats, the seed and the options of each game."""


def path(ruleset_id: str) -> Path:
    """Return the file of a ruleset's game."""
    return Path(__file__).parent / "told" / f"{ruleset_id}.txt"


def text(ruleset_id: str) -> str:
    """Play the game and tell it."""
    seats, seed, options = GAMES[ruleset_id]
    ruleset = RULESETS[ruleset_id]
    *_, last = steps = list(random_game(ruleset, seats, seed, options))
    seen = [visible(record, last.game.secrets, 0, everything=False) for record in log_of(steps)]
    return "".join(f"{words(ruleset).sentence(tell(ruleset, event), _named)}\n" for event in seen)


def _named(who: AtSeat | Player) -> str:
    return _PEOPLE[who.value if isinstance(who, AtSeat) else int(who.value.removeprefix("pl_"))]


if __name__ == "__main__":
    for each in GAMES:
        path(each).write_text(text(each), "utf-8")
