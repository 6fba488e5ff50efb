"""Le Plateau in text: the facts that a text can state, by the word that begins them (docs/notation.md)."""

from collections.abc import Mapping

from domain.le_plateau import bidding, play, talon_exchange
from domain.le_plateau import events as ev
from domain.le_plateau.state import State
from domain.notation.facts import Consequences, Fact, happened, trick_number
from domain.notation.lexer import Word
from domain.table import Seat

_SCORE_RULE = "8. Score"
_ENDED = {"declarer": "won", "opposing": "lost"}


def result_of(event: object) -> object | None:
    """Return what is written after ``=``: the value of a bid or raise, the holder of a card, the winner of a trick."""
    match event:
        case ev.BidMade(value=value) | ev.ObjectiveRaised(value=value):
            return value
        case ev.AnnouncementAnswered(holder=holder):
            return "-" if holder is None else holder
        case ev.TrickWon(winner=winner):
            return winner
        case _:
            return None


def _talon_turned(since: Consequences, word: Word, _state: State) -> None:
    """Compare the talon turned face up, group by group."""
    for group in since.pick(word, ev.TalonTurned, talon_exchange.RULE).groups:
        since.compare(group, talon_exchange.RULE)


def _talon_dealt(since: Consequences, word: Word, _state: State) -> None:
    """Compare all the talon cards dealt out."""
    dealt = [event for event in since.left if isinstance(event, ev.TalonCardDealt)]
    since.pick(word, ev.TalonCardDealt, talon_exchange.RULE)
    since.left = [event for event in since.left if event not in dealt]
    since.compare([f"{event.card}>{event.to}" for event in dealt], talon_exchange.RULE)


def _shown(since: Consequences, word: Word, _state: State) -> None:
    """Compare the discard or the talon turned up at the end."""
    shown: ev.DiscardRevealed | ev.TalonRevealed
    if any(isinstance(event, ev.DiscardRevealed) for event in since.left):
        shown = since.pick(word, ev.DiscardRevealed, play.RULE)
    else:
        shown = since.pick(word, ev.TalonRevealed, play.RULE)
    since.compare(shown.cards, play.RULE)


def _ended(since: Consequences, word: Word, state: State) -> None:
    """Compare how the hand ended, and the group that made the objective, if that is written."""
    event = since.pick(word, ev.HandWon, play.RULE)
    if word.text.lower() != _ENDED[event.by]:
        raise word.wrong(f"by the rules the declarer's side has {_ENDED[event.by]}", play.RULE)
    if since.lexer.next.text.upper() in state.hand.tokens:
        since.compare(event.path, play.RULE)


def _turned_up(since: Consequences, word: Word, _state: State) -> Seat:
    """Compare a lower card that was turned up."""
    turned = [event for event in since.left if isinstance(event, ev.PileCardTurned)]
    event = next((event for event in turned if f"/{event.card}" == word.text.upper()), None)
    if event is None:
        cards = " ".join(f"/{each.card}" for each in turned) or "no cards"
        raise word.wrong(f"by the rules these cards turn up here: {cards}", play.RULE)
    since.left.remove(event)
    return event.owner


FACTS: Mapping[str, Fact[State]] = {
    "take": happened(
        ev.TalonTaken, talon_exchange.RULE, in_any_order=lambda taken: taken.cards, of=lambda taken: taken.seat
    ),
    "open": _talon_turned,
    "dealt": _talon_dealt,
    "show": _shown,
    "won": _ended,
    "lost": _ended,
    "void": happened(ev.HandPassedOut, bidding.RULE),
    "score": happened(ev.HandScored, _SCORE_RULE, in_order=lambda scored: scored.scores),
    "#": trick_number(play.RULE),
    "/": _turned_up,
}
