"""Plute in text: comparing what a text says has happened with what the rules give (docs/notation.md).

None of it needs to be written; what is written must be right, and stand after what it follows from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.notation.deals import Consequences, check_trick_number
from domain.notation.lexer import Word, Words
from domain.plute import events as ev
from domain.plute import play, scoring, stopping
from domain.plute.notation.writer import MADE, PLUTE, SET, STOP, WON
from domain.plute.scoring import ENDING as TALLY_RULE
from domain.plute.state import State


class Facts:
    """What has happened since the last action, as far as the text has not named it."""

    def __init__(self, words: Words) -> None:
        self._since = Consequences(words)

    def happened(self, events: Sequence[Any]) -> None:
        """Note what an action has brought about."""
        self._since.happened(events)

    def check(self, word: Word, state: State) -> None:
        """Compare the fact that begins with a word."""
        _FACTS[_kind(word)](self, word, state)

    def check_winner(self, said: Word) -> None:
        """Compare who won a trick with what stands after the ``=`` of its last card."""
        won = [event for event in self._since.left if isinstance(event, ev.TrickWon)]
        if not won:
            raise said.wrong("the trick is not complete: leave out the = and what stands after it", play.RULE)
        if said.text != str(won[0].winner):
            raise said.wrong(f"by the rules it is ={won[0].winner}", play.RULE)

    def trick_number(self, word: Word, state: State) -> None:
        """Compare the number of a trick that begins."""
        begins = state.phase == "play" and not state.table.trick
        check_trick_number(word, len(state.table.tricks) + 1, begins=begins, rule=play.RULE)

    def stopped(self, word: Word, _state: State) -> None:
        """Check that the hand has stopped."""
        self._since.pick(word, ev.HandStopped, stopping.RULE)

    def won(self, word: Word, _state: State) -> None:
        """Compare what a team's tricks count for Game, and its points."""
        fact = self._since.pick(word, ev.PointsCounted, scoring.RULE)
        self._since.compare_in_order((fact.team, fact.game_value), scoring.RULE)
        self._since.compare(fact.points, scoring.RULE)

    def pluted(self, word: Word, _state: State) -> None:
        """Compare which team has taken all the tricks."""
        self._since.compare_in_order([self._since.pick(word, ev.PluteMade, TALLY_RULE).team], TALLY_RULE)

    def made(self, word: Word, _state: State) -> None:
        """Compare which team has made its bid, and how often by now."""
        fact = self._since.pick(word, ev.BidMadeGood, TALLY_RULE)
        self._since.compare_in_order((fact.team, fact.made), TALLY_RULE)

    def was_set(self, word: Word, _state: State) -> None:
        """Compare which team is set, and how often by now."""
        fact = self._since.pick(word, ev.TeamSet, TALLY_RULE)
        self._since.compare_in_order((fact.team, fact.set_), TALLY_RULE)


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
