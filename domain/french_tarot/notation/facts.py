"""French Tarot in text: comparing what a text says has happened with what the rules give (docs/notation.md).

None of it needs to be written; what is written must be right, and stand after what it follows from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.french_tarot import bidding, chien, hands, partners, play, scoring
from domain.french_tarot import events as ev
from domain.french_tarot.state import State
from domain.notation.deals import Consequences, check_trick_number
from domain.notation.lexer import Word, Words
from domain.table import Seat


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
        """Compare who is said to have won the trick that a card has filled."""
        won = next((event for event in self._since.left if isinstance(event, ev.TrickWon)), None)
        if won is None:
            raise said.wrong("the trick is not full: leave out the = and what stands after it", rule)
        if said.text != str(won.winner):
            raise said.wrong(f"by the rules it is ={won.winner}", rule)

    def petit_sec(self, word: Word, _state: State) -> Seat:
        """Compare whose hand was shown for its petit sec."""
        return self._since.pick(word, ev.PetitSecShown, hands.PETIT_SEC_RULE).holder

    def imprenable(self, word: Word, _state: State) -> Seat:
        """Compare who plays the petit as a second Excuse."""
        return self._since.pick(word, ev.PetitImprenableDeclared, hands.PETIT_SEC_RULE).holder

    def void(self, word: Word, _state: State) -> None:
        """Check that the deal was thrown in."""
        self._since.pick(word, ev.DealThrownIn, bidding.RULE)

    def taken(self, word: Word, _state: State) -> Seat:
        """Compare the chien that was turned up."""
        fact = self._since.pick(word, ev.ChienTurned, chien.RULE)
        self._since.compare(fact.cards, chien.RULE)
        return fact.taker

    def shown(self, word: Word, _state: State) -> Seat:
        """Compare the trumps of the écart."""
        fact = self._since.pick(word, ev.TrumpsShown, chien.RULE)
        self._since.compare(fact.cards, chien.RULE)
        return fact.taker

    def partner(self, word: Word, _state: State) -> None:
        """Compare who the called card has shown to be the partner."""
        partner = self._since.pick(word, ev.PartnerRevealed, partners.RULE).partner
        if partner is None:
            raise word.wrong("by the rules it is alone", partners.RULE)
        said = self._words.take()
        if said.text != str(partner):
            raise said.wrong(f"by the rules it is partner {partner}", partners.RULE)

    def alone(self, word: Word, _state: State) -> None:
        """Compare that the called card has shown the taker to be alone."""
        partner = self._since.pick(word, ev.PartnerRevealed, partners.RULE).partner
        if partner is not None:
            raise word.wrong(f"by the rules it is partner {partner}", partners.RULE)

    def trick_number(self, word: Word, state: State) -> None:
        """Compare the number of a trick that begins."""
        begins = state.phase == "play" and not state.table.trick
        check_trick_number(word, len(state.table.tricks) + 1, begins=begins, rule=play.RULE)

    def points(self, word: Word, state: State) -> None:
        """Compare the card points of the attack, as people write them."""
        self._since.pick(word, ev.DealRevealed, scoring.RULE)
        points = state.results[-1].calculation.count.card_points
        self._since.compare_in_order([points], scoring.RULE)

    def scored(self, word: Word, _state: State) -> None:
        """Compare what the deal is to each seat."""
        fact = self._since.pick(word, ev.DealScored, scoring.RULE)
        self._since.compare_in_order(fact.scores, scoring.RULE)


def is_fact(word: Word) -> bool:
    """Say whether a word begins a fact."""
    return _kind(word) in _FACTS


def _kind(word: Word) -> str:
    return "#" if word.text[:1] == "#" else word.text.lower()


_FACTS: Mapping[str, Callable[[Facts, Word, State], Seat | None]] = {
    "petit_sec": Facts.petit_sec,
    "imprenable": Facts.imprenable,
    "void": Facts.void,
    "take": Facts.taken,
    "show": Facts.shown,
    "partner": Facts.partner,
    "alone": Facts.alone,
    "#": Facts.trick_number,
    "points": Facts.points,
    "score": Facts.scored,
}
"""The words that state facts; for a trick its first sign."""
