"""Options of a game of Le Plateau, all of them written out (rules.md, options)."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.field_types import Bounds, doc

Edition: TypeAlias = Literal["2023", "2022"]
DeckSize: TypeAlias = Literal["standard", "full"]
ExcuseRole: TypeAlias = Literal["trump", "french"]
BoardLayout: TypeAlias = Literal["standard", "random_game", "random_deal", "custom"]
Scoring: TypeAlias = Literal["zero_sum", "positive"]

MOST_HANDS = 120


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out. None stands for "does not apply" or "drawn"."""

    edition: Edition = doc(
        "Edition of the rules: in 2022 six players have no exchange, the talon's spaces go to the declarer's side if "
        "there was no exchange, and a Y makes a bridge.",
        default="2023",
    )
    deck: DeckSize = doc(
        "The standard deck for the number of players, or the larger one: 54 cards with 3 players, all 78 with 4 or 5.",
        default="standard",
    )
    excuse: ExcuseRole = doc(
        "The excuse is the highest trump, or plays as in French Tarot: to any trick, and it never wins.",
        default="trump",
    )
    board: BoardLayout = doc(
        "How the tokens lie: as printed, at random for the whole game or for every deal, or as board_tokens says.",
        default="standard",
    )
    board_tokens: tuple[str, ...] | None = doc(
        "The 37 tokens of a custom board in ring order: rim, middle, inner, each clockwise from the top, centre.",
        default=None,
    )
    scoring: Scoring = doc("Points change hands, or only winners score.", default="zero_sum")
    abdication: Literal["on", "off"] | None = doc(
        "Whether a declarer whose partner raised can abdicate; 5 players only.", default=None
    )
    void_hands: Literal["count", "redeal"] = doc(
        "Whether a hand that all pass counts as one of the agreed hands.", default="count"
    )
    hands: Annotated[int, Bounds(1, MOST_HANDS)] = doc(
        "Hands to play: one, or a multiple of the number of players, which is the default.", default=None
    )
    first_dealer: Annotated[int, Bounds(0, 5)] | None = doc(
        "The seat that deals first; drawn if not given.", default=None
    )
