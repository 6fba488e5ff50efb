"""The columns of data sets: one schema for rows of games, one for rows of decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Rows: TypeAlias = Literal["decisions", "games"]
Kind: TypeAlias = Literal["int", "text", "truth", "ints", "texts", "json"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, the kind of its values, and their meaning.

    ``json`` is any JSON: as it is in a file of JSON Lines, a text in Parquet, because its form depends on the ruleset.
    """

    name: str
    kind: Kind
    about: str


_OF_EVERY_ROW = (
    Column("ruleset", "text", "the id of the ruleset"),
    Column("rules_version", "int", "the version of its rules"),
    Column("seats", "int", "the number of players"),
    Column("options", "json", "all options of the game"),
    Column("game", "int", "the number of the game; its cards and all choices follow from it and the seed"),
    Column("seed", "int", "the seed of the data set"),
)

COLUMNS: Mapping[Rows, Sequence[Column]] = {
    "decisions": (
        *_OF_EVERY_ROW,
        Column("decision", "int", "the number of the decision in its game, from 0"),
        Column("seat", "int", "the seat that decides"),
        Column("bot", "text", "the bot in this seat, with its playouts if they are not the usual ones"),
        Column("bot_version", "int", "its version"),
        Column("events", "json", "what this seat has seen happen since its decision before; together, all that it has"
               " seen until its last decision"),
        Column("view", "json", "the position as this seat sees it: `state` in its view"),
        Column("legal_count", "int", "how many actions are legal"),
        Column("legal", "json", "the legal actions, as a client posts them; null if there are more than 200"),
        Column("action", "json", "the action that the bot chose, as a client posts it"),
        Column("playouts", "int", "how many playouts it made; 0 for bots that make none, and for an only legal action"),
        Column("estimates", "json", "what it expects of each action that it weighed, best first: `action`, `score`,"
               " `error` (its standard error), `behind` (how much less than the best one, in the worlds in which both"
               " were tried) and `behind_error` (its standard error); empty if it does not say"),
        Column("measure", "text", "what these scores are: `points` of the hand; `bid`, 1 for a bid made and -1 for one"
               " not made, or `win`, 1 for a game won and -1 for one lost, each with a little for the margin; or"
               " `worth` by rules of thumb, to be compared only within the decision"),
        Column("truth", "json", "the same position with everything that is hidden: the label for inference"),
        Column("score", "int", "the final score of this seat"),
        Column("won", "truth", "whether this seat is among those with the highest score"),
        Column("scores", "ints", "the final scores of all seats"),
    ),
    "games": (
        *_OF_EVERY_ROW,
        Column("bots", "texts", "the bots by seat"),
        Column("bot_versions", "ints", "their versions"),
        Column("secret", "text", "the secret in hex, from which every draw can be recomputed"),
        Column("decisions", "json", "every decision in order, as `seat`, `action` and `playouts`"),
        Column("events", "json", "all events of the rules, with everything that is hidden"),
        Column("scores", "ints", "the final scores by seat"),
    ),
}  # fmt: skip
