"""The set phrases that players can say, and what clients receive of them, as types."""

from typing import Literal, TypeAlias, TypedDict, get_args

Phrase: TypeAlias = Literal[
    "hello",
    "good_luck",
    "well_played",
    "thank_you",
    "sorry",
    "one_moment",
    "back_soon",
    "my_mistake",
    "good_game",
    "again",
    "take_your_time",
    "congratulations",
]
PHRASES: tuple[Phrase, ...] = get_args(Phrase)


class PhraseAnswer(TypedDict):
    """A phrase that you said."""

    game_id: str
    id: str
    seat: int
    phrase: Phrase
    at: str


class SaidPhrase(TypedDict):
    """A phrase that was said at a seat, in the reader's language."""

    id: str
    seat: int
    phrase: Phrase
    text: str
    at: str


class PhraseChoice(TypedDict):
    """A phrase that can be said, in the reader's language."""

    phrase: Phrase
    text: str


class PhraseAtTable(SaidPhrase):
    """A phrase, and the game in which it was said."""

    game_id: str


class PhraseMenu(TypedDict):
    """The phrases of a game, oldest first, the possible phrases, and why players cannot talk now (null if they can)."""

    game_id: str
    phrases: list[SaidPhrase]
    choices: list[PhraseChoice]
    silence: str | None
