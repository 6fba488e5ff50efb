"""Le Plateau in text: comparing what a text says has happened with what the rules give (docs/notation.md).

None of it needs to be written; what is written must be right, and stand after what it follows from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from domain.le_plateau import bidding, exchange, play
from domain.le_plateau import events as ev
from domain.le_plateau.state import State
from domain.ruleset import Seat
from domain.words import Word, Words

Fact = TypeVar("Fact")

_SCORE_RULE = "8. Score"
_ENDED = {"declarer": "won", "opposing": "lost"}


class Facts:
    """The events since the last action, less those that the text has named."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._left: list[Any] = []

    def happened(self, events: Sequence[Any]) -> None:
        """Note what an action, or a deal, has brought about."""
        self._left = list(events)

    def check(self, word: Word, state: State) -> Seat | None:
        """Compare the fact that begins with a word; answer whose it is, None if it is nobody's own."""
        return _FACTS[_kind(word)](self, word, state)

    def check_follows(self, said: Word, rule: str) -> None:
        """Compare what stands after ``=`` with what came of the action."""
        true = next((text for text in map(_consequence, self._left) if text is not None), None)
        if true is None:
            raise said.wrong("nothing follows from this yet: leave out the = and what stands after it", rule)
        if said.text != true:
            raise said.wrong(f"by the rules it is ={true}", rule)

    def taken(self, word: Word, _state: State) -> Seat:
        """Compare the cards taken from the talon."""
        fact = self._pick(word, ev.TalonTaken, exchange.RULE)
        self._compare(fact.cards, exchange.RULE)
        return fact.seat

    def talon_turned(self, word: Word, _state: State) -> None:
        """Compare the talon turned face up, group by group."""
        for group in self._pick(word, ev.TalonTurned, exchange.RULE).groups:
            self._compare(group, exchange.RULE)

    def talon_dealt(self, word: Word, _state: State) -> None:
        """Compare the talon cards dealt out."""
        facts = [fact for fact in self._left if isinstance(fact, ev.TalonCardDealt)]
        self._pick(word, ev.TalonCardDealt, exchange.RULE)
        self._compare([f"{fact.card}>{fact.to}" for fact in facts], exchange.RULE)

    def shown(self, word: Word, _state: State) -> None:
        """Compare the discard or the talon turned up at the end."""
        fact: Any = self._pick(word, (ev.DiscardRevealed, ev.TalonRevealed), play.RULE)
        self._compare(fact.cards, play.RULE)

    def ended(self, word: Word, state: State) -> None:
        """Compare how the hand ended, and the group that made the objective, if that is written."""
        fact = self._pick(word, ev.HandWon, play.RULE)
        if word.text.lower() != _ENDED[fact.by]:
            raise word.wrong(f"by the rules the declarer's side has {_ENDED[fact.by]}", play.RULE)
        if self._words.next.text.upper() in state.hand.tokens:
            self._compare(fact.path, play.RULE)

    def void(self, word: Word, _state: State) -> None:
        """Check that all have passed."""
        self._pick(word, ev.HandPassedOut, bidding.RULE)

    def scored(self, word: Word, _state: State) -> None:
        """Compare the scores of the hand, seat by seat."""
        for score in self._pick(word, ev.HandScored, _SCORE_RULE).scores:
            said = self._words.take()
            if said.text.removeprefix("+") != str(score):
                raise said.wrong(f"by the rules it is {score}, not {said}", _SCORE_RULE)

    def trick_number(self, word: Word, state: State) -> None:
        """Compare the number of a trick that begins."""
        number = len(state.table.tricks) + 1
        if state.phase != "play" or state.table.trick:
            raise word.wrong(f"no trick begins here: {word} does not fit", play.RULE)
        if word.text != f"#{number}":
            raise word.wrong(f"trick #{number} begins here, not {word}", play.RULE)

    def turned_up(self, word: Word, _state: State) -> Seat:
        """Compare a lower card that was turned up."""
        turned = [fact for fact in self._left if isinstance(fact, ev.PileCardTurned)]
        fact = next((fact for fact in turned if f"/{fact.card}" == word.text.upper()), None)
        if fact is None:
            cards = " ".join(f"/{each.card}" for each in turned) or "no cards"
            raise word.wrong(f"by the rules there turn up here: {cards}", play.RULE)
        self._left.remove(fact)
        return fact.owner

    def _pick(self, word: Word, kind: type[Fact] | tuple[type[Fact], ...], rule: str) -> Fact:
        """Give what has just happened of some kind; it can be named once."""
        fact = next((each for each in self._left if isinstance(each, kind)), None)
        if fact is None:
            raise word.wrong(f"{word} does not fit: nothing of that kind has just happened", rule)
        self._left = [each for each in self._left if not isinstance(each, kind)]
        return fact

    def _compare(self, true: Sequence[str], rule: str) -> None:
        """Compare words with codes, in any order."""
        left = list(true)
        for _ in true:
            word = self._words.take()
            if word.text.upper() not in left:
                raise word.wrong(f"{word} does not belong here; by the rules: {' '.join(left)}", rule)
            left.remove(word.text.upper())


def is_fact(word: Word) -> bool:
    """Say whether a word begins a fact."""
    return _kind(word) in _FACTS


def _kind(word: Word) -> str:
    return word.text[0] if word.text[:1] in ("#", "/") else word.text.lower()


def _consequence(event: Any) -> str | None:
    """Give what is written after ``=``: the value of a bid or raise, the holder of a card, the winner of a trick."""
    match event:
        case ev.BidMade(value=value) | ev.ObjectiveRaised(value=value):
            return str(value)
        case ev.AnnouncementAnswered(holder=holder):
            return "-" if holder is None else str(holder)
        case ev.TrickWon(winner=winner):
            return str(winner)
        case _:
            return None


_FACTS: Mapping[str, Callable[[Facts, Word, State], Seat | None]] = {
    "take": Facts.taken,
    "open": Facts.talon_turned,
    "dealt": Facts.talon_dealt,
    "show": Facts.shown,
    "won": Facts.ended,
    "lost": Facts.ended,
    "void": Facts.void,
    "score": Facts.scored,
    "#": Facts.trick_number,
    "/": Facts.turned_up,
}
"""The words that state facts; for those that hold a number or a card, their first sign."""
