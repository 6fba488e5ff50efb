"""Plute in text: comparing what a text says has happened with what the rules give (docs/notation.md).

None of it needs to be written; what is written must be right, and stand after what it follows from.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from domain.plute import events as ev
from domain.plute import play, scoring, stopping
from domain.plute.agreements import RULE as TALLY_RULE
from domain.plute.notation_writer import MADE, PLUTE, SET, STOP, WON
from domain.plute.state import State
from domain.words import Word, Words

Fact = TypeVar("Fact")


class Facts:
    """The events since the last action, less those that the text has named."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._left: list[Any] = []

    def happened(self, events: Sequence[Any]) -> None:
        """Note what an action has brought about."""
        self._left = list(events)

    def check(self, word: Word, state: State) -> None:
        """Compare the fact that begins with a word."""
        _FACTS[_kind(word)](self, word, state)

    def check_winner(self, said: Word) -> None:
        """Compare who won a trick with what stands after the ``=`` of its last card."""
        won = [event for event in self._left if isinstance(event, ev.TrickWon)]
        if not won:
            raise said.wrong("the trick is not complete: leave out the = and what stands after it", play.RULE)
        if said.text != str(won[0].winner):
            raise said.wrong(f"by the rules it is ={won[0].winner}", play.RULE)

    def trick_number(self, word: Word, state: State) -> None:
        """Compare the number of a trick that begins."""
        number = len(state.table.tricks) + 1
        if state.phase != "play" or state.table.trick:
            raise word.wrong(f"no trick begins here: {word} does not fit", play.RULE)
        if word.text != f"#{number}":
            raise word.wrong(f"trick #{number} begins here, not {word}", play.RULE)

    def stopped(self, word: Word, _state: State) -> None:
        """Check that the hand has stopped."""
        self._pick(word, ev.HandStopped, stopping.RULE)

    def won(self, word: Word, _state: State) -> None:
        """Compare what a team's tricks count for Game, and its points."""
        fact = self._pick(word, ev.PointsCounted, scoring.RULE)
        self._compare((fact.team, fact.game_value), scoring.RULE)
        left = list(fact.points)
        for _ in fact.points:
            said = self._words.take()
            if said.text.lower() not in left:
                raise said.wrong(f"{said} does not belong here; by the rules: {' '.join(left)}", scoring.RULE)
            left = [point for point in left if point != said.text.lower()]

    def pluted(self, word: Word, _state: State) -> None:
        """Compare which team has taken all the tricks."""
        self._compare([self._pick(word, ev.PluteMade, TALLY_RULE).team], TALLY_RULE)

    def made(self, word: Word, _state: State) -> None:
        """Compare which team has made its bid, and how often by now."""
        fact = self._pick(word, ev.BidMadeGood, TALLY_RULE)
        self._compare((fact.team, fact.made), TALLY_RULE)

    def was_set(self, word: Word, _state: State) -> None:
        """Compare which team is set, and how often by now."""
        fact = self._pick(word, ev.TeamSet, TALLY_RULE)
        self._compare((fact.team, fact.set_), TALLY_RULE)

    def _pick(self, word: Word, kind: type[Fact], rule: str) -> Fact:
        """Give what has just happened of some kind; it can be named once."""
        fact = next((each for each in self._left if isinstance(each, kind)), None)
        if fact is None:
            raise word.wrong(f"{word} does not fit: nothing of that kind has just happened", rule)
        self._left.remove(fact)
        return fact

    def _compare(self, true: Iterable[object], rule: str) -> None:
        """Compare words with what they must be, one after the other."""
        for each in true:
            said = self._words.take()
            if said.text.lower() != str(each):
                raise said.wrong(f"by the rules it is {each}, not {said}", rule)


def is_fact(word: Word) -> bool:
    """Say whether a word begins a fact."""
    return _kind(word) in _FACTS


def _kind(word: Word) -> str:
    return "#" if word.text[:1] == "#" else word.text.lower()


_FACTS: Mapping[str, Callable[[Facts, Word, State], None]] = {
    "#": Facts.trick_number,
    STOP: Facts.stopped,
    WON: Facts.won,
    PLUTE: Facts.pluted,
    MADE: Facts.made,
    SET: Facts.was_set,
}
"""The words that state facts; for a trick its first sign."""
