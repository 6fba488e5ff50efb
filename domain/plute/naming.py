"""What a card names by being played: trump, if it is the first of the hand, and which joker it is (rules.md, trump)."""

from domain.cardplay.cards import rank_of
from domain.errors import Refusals
from domain.plute import events as ev
from domain.plute.actions import Play
from domain.plute.deck import JOKERS, TRUMP_SUITS, Card, TrumpSuit, printed_suit, same_colour
from domain.plute.options import Options
from domain.plute.state import State
from domain.sentences import message as msg
from domain.table import Seat

RULE = "4. Trump and the first lead"
_refuse = Refusals(__package__)


def declarations(state: State, card: Card) -> tuple[TrumpSuit | None, ...]:
    """Return what can be declared with a card: a suit where it needs one, None where it names its own, or none."""
    if state.table.trump is not None:
        return (None,)
    if card in JOKERS:
        return TRUMP_SUITS
    if state.options.declare_off_jack_lead and rank_of(card) == "J":
        return None, same_colour(printed_suit(card))
    return (None,)


def check(state: State, action: Play) -> None:
    """Reject a declaration that is missing, or that the card does not allow."""
    allowed = declarations(state, action.card)
    if action.trump in allowed:
        return
    if action.trump is None:
        raise _refuse("trump-not-declared", RULE, card=msg.Card(action.card))
    if state.table.trump is not None:
        raise _refuse("trump-is-named", RULE, suit=msg.Message(f"suit.{state.table.trump}"))
    card, suit = msg.Card(action.card), msg.Message(f"suit.{action.trump}")
    others = tuple(msg.Message(f"suit.{each}") for each in allowed if each)
    if others:
        raise _refuse("names-its-own-suit.or", RULE, card=card, suit=suit, others=msg.Items(others))
    raise _refuse("names-its-own-suit", RULE, card=card, suit=suit)


def named(state: State, seat: Seat, action: Play) -> list[ev.Event]:
    """Return what a legal card names."""
    events: list[ev.Event] = []
    if state.table.trump is None:
        events.append(ev.TrumpNamed(seat, action.trump or printed_suit(action.card)))
    if action.card in JOKERS and action.card not in named_jokers(state):
        events.append(ev.JokerNamed(seat, action.card, "low" if state.table.jokers else "high"))
    return events


def are_marked(options: Options) -> bool:
    """Return whether the jokers are named in advance, rather than by the order in which they are played."""
    return options.joker_order == "marked"


def named_jokers(state: State) -> tuple[Card, ...]:
    """Return the jokers that have a name, the high one first: those played so far, or both where they are marked."""
    return JOKERS if are_marked(state.options) else state.table.jokers


def high_joker(state: State) -> Card | None:
    """Return the high joker, None while it has no name."""
    return next(iter(named_jokers(state)), None)
