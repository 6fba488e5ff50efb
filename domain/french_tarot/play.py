"""Play: following suit, overtrumping, the Excuse, winning tricks (rules.md, play)."""

from collections.abc import Sequence

from domain.cardplay.cards import TRUMP, Card, Suit
from domain.cardplay.tricks import SuitOf, TrickCard, following, next_to_play, only, suit_setter
from domain.errors import IllegalAction, Refusals
from domain.french_tarot import announcements, excuse, hands
from domain.french_tarot import events as ev
from domain.french_tarot.actions import Action, AnnounceMisere, Play, ShowPoignee
from domain.french_tarot.deck import STRENGTH
from domain.french_tarot.partners import RULE as CALL_RULE
from domain.french_tarot.partners import fallen
from domain.french_tarot.state import State, evolve, shape_of, suits_of
from domain.sentences import message as msg
from domain.sequences import joined
from domain.table import Seat

RULE = "8. Play"
_refuse = Refusals(__package__)


def actors(state: State) -> frozenset[Seat]:
    """Return the seat to play."""
    return only(next_to_play(state.deal.players, leader(state), state.table.trick))


def leader(state: State) -> Seat:
    """Return the seat that leads, or led, the current trick: the last winner."""
    if state.table.trick:
        return state.table.trick[0].seat
    if state.table.tricks:
        return state.table.tricks[-1].winner
    return announcements.first_leader(state.deal.players, state.deal.contract, state.deal.slam)


def legal_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that a seat can play now."""
    hand, trick, suit_of = state.table.held[seat], state.table.trick, suits_of(state)
    led = _led(trick, suit_of)
    if led is None:
        return _without_called_suit(state, hand, suit_of)
    return overtrumping(following(hand, led, suit_of, TRUMP), trick, suit_of)


def overtrumping(cards: Sequence[Card], trick: Sequence[TrickCard], suit_of: SuitOf) -> tuple[Card, ...]:
    """Leave out the trumps that do not beat those in the trick, if there are any that do."""
    highest = max((STRENGTH[played.card] for played in trick if suit_of[played.card] == TRUMP), default=-1)
    beating = [card for card in cards if suit_of[card] == TRUMP and STRENGTH[card] > highest]
    return tuple(card for card in cards if not beating or card in beating or suit_of[card] is None)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List the cards that can be played, then what can be announced before the first one."""
    cards: Sequence[Action] = tuple(map(Play, legal_cards(state, seat)))
    return joined(cards, announcements.legal_before_first_card(state, seat))


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Play a card, or announce something before the first one."""
    if isinstance(action, ShowPoignee | AnnounceMisere):
        return announcements.decide_before_first_card(state, seat, action)
    if not isinstance(action, Play):
        raise _refuse("wrong-phase.play", RULE)
    if action.card in legal_cards(state, seat):
        return [ev.CardPlayed(seat, action.card)]
    raise _refusal(state, seat, action.card)


def settle(state: State) -> list[ev.Event]:
    """Settle the called card, a full trick, and after the last one the deal."""
    trick, revealed = state.table.trick, fallen(state)
    if revealed or len(trick) < len(state.deal.players):
        return [*revealed]
    won = ev.TrickWon(len(state.table.tricks) + 1, excuse.winner_of(state, trick), trick)
    if won.number < shape_of(state).hand:
        kept = [ev.ExcuseKept(played.card, played.seat) for played in excuse.excuses(state, trick)]
        return [won, *kept]
    ended = evolve(state, won)
    settled = [ev.ExcuseSettled(found.card, found.player, found.owner) for found in excuse.counted(ended, won)]
    return [won, *settled, *hands.finish(ended)]


def _led(trick: Sequence[TrickCard], suit_of: SuitOf) -> Suit | None:
    setter = suit_setter(trick, suit_of)
    return suit_of[setter] if setter else None


def _without_called_suit(state: State, hand: tuple[Card, ...], suit_of: SuitOf) -> tuple[Card, ...]:
    """Leave the called suit out of a free choice, except for the called card, where the rules ban leading it."""
    called = _banned_lead(state)
    if called is None:
        return hand
    others = [card for card in hand if suit_of[card] != suit_of[called]]
    return tuple(card for card in hand if card in others or card == called) if others else hand


def _banned_lead(state: State) -> Card | None:
    """Return the called card if its suit cannot be played now: in the first trick, with no suit led yet."""
    called, options = state.deal.called, state.options
    if called is None or state.table.tricks or options.called_suit_lead == "free":
        return None
    return called.card if not state.table.trick or options.called_suit_ban_after_excuse else None


def _refusal(state: State, seat: Seat, card: Card) -> IllegalAction:
    """Return why a card cannot be played."""
    suit_of = suits_of(state)
    if card not in state.table.held[seat]:
        return _refuse("card-not-held", RULE, card=msg.Card(card))
    setter = suit_setter(state.table.trick, suit_of)
    if setter is None:
        called = msg.Card(str(_banned_lead(state)))
        return _refuse("called-suit-lead", CALL_RULE, called=called, card=msg.Card(card))
    must = [mine for mine in legal_cards(state, seat) if suit_of[mine]]
    if suit_of[must[0]] == suit_of[setter] != suit_of[card]:
        return _refuse("must-follow-suit", RULE, led=msg.Card(setter), card=msg.Card(card))
    if suit_of[card] != TRUMP:
        return _refuse("must-play-trump", RULE, led=msg.Card(setter), card=msg.Card(card))
    return _refuse("must-overtrump", RULE, card=msg.Card(card))
