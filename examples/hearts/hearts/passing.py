"""Passing: each seat chooses three cards, and once all have, they change hands (rules.md, section 2)."""

from collections.abc import Sequence

from domain.errors import Refusals
from domain.sentences import message as msg
from domain.sequences import Mapped, Subsets
from domain.table import Seat
from hearts import nouns as ev
from hearts.deck import PASSED, PLAYERS, in_pack_order
from hearts.state import State, receiver_of

RULE = "2. Passing"
_refuse = Refusals(__package__)
_ROTATION: tuple[ev.Direction, ...] = ("left", "right", "across", "none")


def direction_of(options: ev.Options, hand_number: int) -> ev.Direction:
    """Return to whom a hand is passed."""
    return _ROTATION[(hand_number - 1) % len(_ROTATION)] if options.passing == "rotate" else options.passing


def actors(state: State) -> frozenset[Seat]:
    """Return the seats that have not chosen yet."""
    return frozenset(seat for seat, cards in enumerate(state.hand.chosen) if not cards)


def legal_actions(state: State, seat: Seat) -> Sequence[ev.Action]:
    """List every three cards of a hand."""
    return Mapped(ev.Pass, Subsets(state.table.held[seat], PASSED))


def decide(state: State, seat: Seat, action: ev.Action) -> list[ev.Event]:
    """Choose the cards to pass."""
    if not isinstance(action, ev.Pass):
        raise _refuse("wrong-phase.pass", RULE)
    if len(action.cards) != PASSED or len({*action.cards}) != PASSED:
        raise _refuse("wrong-number-of-cards", RULE, wanted=msg.Number(PASSED), given=msg.Number(len({*action.cards})))
    for card in action.cards:
        if card not in state.table.held[seat]:
            raise _refuse("card-not-held", RULE, card=msg.Card(card))
    return [ev.CardsChosen(seat, PASSED, in_pack_order(action.cards))]


def settle(state: State) -> list[ev.Event]:
    """Let the cards change hands once all have chosen."""
    if actors(state):
        return []
    receivers = (receiver_of(seat, state.hand.direction) for seat in range(PLAYERS))
    passes = zip(receivers, state.hand.chosen, strict=True)
    return [ev.CardsPassed(tuple(ev.PassedCards(giver, to, PASSED, cards) for giver, (to, cards) in enumerate(passes)))]
