"""Le Plateau in text: comparing what a text says has happened with what the rules give (docs/notation.md).

None of it needs to be written; what is written must be right, and stand after what it follows from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.le_plateau import bidding, play, talon_exchange
from domain.le_plateau import events as ev
from domain.le_plateau.state import State
from domain.notation.deals import Consequences, check_trick_number
from domain.notation.lexer import Word, Words
from domain.table import Seat

_SCORE_RULE = "8. Score"
_ENDED = {"declarer": "won", "opposing": "lost"}


class Facts:
    """What has happened since the last action, as far as the text has not named it."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._since = Consequences(words)

    def happened(self, events: Sequence[Any]) -> None:
        """Note what an action, or a deal, has brought about."""
        self._since.happened(events)

    def check(self, word: Word, state: State) -> Seat | None:
        """Compare the fact that begins with a word; answer whose it is, None if it is nobody's own."""
        return _FACTS[_kind(word)](self, word, state)

    def check_follows(self, said: Word, rule: str) -> None:
        """Compare what stands after ``=`` with what came of the action."""
        true = next((text for text in map(_consequence, self._since.left) if text is not None), None)
        if true is None:
            raise said.wrong("nothing follows from this yet: leave out the = and what stands after it", rule)
        if said.text != true:
            raise said.wrong(f"by the rules it is ={true}", rule)

    def taken(self, word: Word, _state: State) -> Seat:
        """Compare the cards taken from the talon."""
        fact = self._since.pick(word, ev.TalonTaken, talon_exchange.RULE)
        self._since.compare(fact.cards, talon_exchange.RULE)
        return fact.seat

    def talon_turned(self, word: Word, _state: State) -> None:
        """Compare the talon turned face up, group by group."""
        for group in self._since.pick(word, ev.TalonTurned, talon_exchange.RULE).groups:
            self._since.compare(group, talon_exchange.RULE)

    def talon_dealt(self, word: Word, _state: State) -> None:
        """Compare the talon cards dealt out."""
        facts = [fact for fact in self._since.left if isinstance(fact, ev.TalonCardDealt)]
        self._since.pick(word, ev.TalonCardDealt, talon_exchange.RULE)
        self._since.happened(fact for fact in self._since.left if fact not in facts)
        self._since.compare([f"{fact.card}>{fact.to}" for fact in facts], talon_exchange.RULE)

    def shown(self, word: Word, _state: State) -> None:
        """Compare the discard or the talon turned up at the end."""
        fact: Any = self._since.pick(word, (ev.DiscardRevealed, ev.TalonRevealed), play.RULE)
        self._since.compare(fact.cards, play.RULE)

    def ended(self, word: Word, state: State) -> None:
        """Compare how the hand ended, and the group that made the objective, if that is written."""
        fact = self._since.pick(word, ev.HandWon, play.RULE)
        if word.text.lower() != _ENDED[fact.by]:
            raise word.wrong(f"by the rules the declarer's side has {_ENDED[fact.by]}", play.RULE)
        if self._words.next.text.upper() in state.hand.tokens:
            self._since.compare(fact.path, play.RULE)

    def void(self, word: Word, _state: State) -> None:
        """Check that all have passed."""
        self._since.pick(word, ev.HandPassedOut, bidding.RULE)

    def scored(self, word: Word, _state: State) -> None:
        """Compare the scores of the hand, seat by seat."""
        fact = self._since.pick(word, ev.HandScored, _SCORE_RULE)
        self._since.compare_in_order(fact.scores, _SCORE_RULE)

    def trick_number(self, word: Word, state: State) -> None:
        """Compare the number of a trick that begins."""
        begins = state.phase == "play" and not state.table.trick
        check_trick_number(word, len(state.table.tricks) + 1, begins=begins, rule=play.RULE)

    def turned_up(self, word: Word, _state: State) -> Seat:
        """Compare a lower card that was turned up."""
        turned = [fact for fact in self._since.left if isinstance(fact, ev.PileCardTurned)]
        fact = next((fact for fact in turned if f"/{fact.card}" == word.text.upper()), None)
        if fact is None:
            cards = " ".join(f"/{each.card}" for each in turned) or "no cards"
            raise word.wrong(f"by the rules there turn up here: {cards}", play.RULE)
        self._since.left.remove(fact)
        return fact.owner


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
