"""What a card names by being played: trump, if it is the first of the hand, and which joker it is (rules.md, trump)."""

from domain.cardplay.cards import rank_of
from domain.errors import IllegalAction
from domain.plute import events as ev
from domain.plute.actions import Play
from domain.plute.deck import JOKERS, TRUMP_SUITS, Card, TrumpSuit, printed_suit, same_colour
from domain.plute.options import Options
from domain.plute.state import State
from domain.table import Seat

RULE = "4. Trump and the first lead"


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
        message = f"{action.card} leads the first trick: name the suit that it makes trump in 'trump'"
        raise IllegalAction("trump-not-declared", message, RULE)
    if state.table.trump is not None:
        raise IllegalAction("trump-is-named", f"{state.table.trump} is trump already: leave 'trump' out", RULE)
    others = " or ".join(suit for suit in allowed if suit)
    message = f"{action.card} names its own suit if 'trump' is left out" + (
        f", and can declare {others}" if others else ""
    )
    raise IllegalAction("names-its-own-suit", f"{message}; it cannot declare {action.trump}", RULE)


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
