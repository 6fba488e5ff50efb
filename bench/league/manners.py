"""Manners: rules of thumb that partners at a table expect of each other, and how often a bot breaks them.

A move is a chance to break a rule if the seat could have kept it and could have broken it, by what it sees: its own
cards, the trick, and sides that are public. Only the last card of a trick is judged, where the consequence is certain;
the rule about trumps judges every card. Breaking a rule can be right, and a strong bot does so at times; a bot that
does it often looks like a bad partner, however much it wins.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from domain.cardplay.cards import EXCUSE, TRUMP, Card
from domain.cardplay.tricks import Played, SuitOf, TrickCard, trick_winner, winning_so_far
from domain.french_tarot import play as french_play
from domain.french_tarot import state as french
from domain.french_tarot.actions import Play as FrenchPlay
from domain.french_tarot.deck import HALF_POINTS, OUDLERS
from domain.french_tarot.deck import STRENGTH as FRENCH_STRENGTH
from domain.french_tarot.partners import partner_of
from domain.le_plateau import play as plateau_play
from domain.le_plateau import state as le_plateau
from domain.le_plateau.actions import Play as PlateauPlay
from domain.le_plateau.deck import STRENGTH, SUIT_OF
from domain.plute import naming
from domain.plute import play as plute_play
from domain.plute.actions import Play as PlutePlay
from domain.plute.deck import JOKERS, PLAYERS, game_value, strengths, suits
from domain.plute.state import State as PluteState
from domain.plute.state import team_of
from domain.table import Seat

OVERTAKES = "overtakes a partner's sure winner"
WITHHOLDS = "gives a partner's sure winner nothing"
FEEDS = "gives an opponent's sure winner something"
TOO_HIGH = "wins with a higher card than needed"
TRUMPS_NOTHING = "trumps a trick that holds nothing"
RULES = (OVERTAKES, WITHHOLDS, FEEDS, TOO_HIGH, TRUMPS_NOTHING)

Judged: TypeAlias = tuple[str, bool]
"""A rule that could be broken, and whether it was."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A card about to be played: the alternatives, the trick, and the value of cards to its winner."""

    seat: Seat
    card: Card
    legal: Sequence[Card]
    trick: Sequence[Played]
    is_last: bool
    suit_of: SuitOf
    strength: Mapping[Card, int]
    is_friend: Callable[[Seat], bool | None]
    """Return whether a seat is on the same side; None while that is not public."""
    worth: Callable[[Card], int]

    def wins(self, card: Card) -> bool:
        """Return whether a card would win the trick as it is."""
        trick = [*self.trick, TrickCard(self.seat, card)]
        return bool(self.suit_of[card]) and trick_winner(trick, self.suit_of, self.strength, TRUMP) == self.seat


def judged(ruleset_id: str, state: Any, seat: Seat, action: object) -> Iterator[Judged]:
    """List the rules that an action could break, each with whether it does."""
    reader = _READERS.get(ruleset_id)
    moment = reader(state, seat, action) if reader else None
    if moment is not None and moment.trick:
        yield from of_moment(moment)


def of_moment(moment: Moment) -> Iterator[Judged]:
    """List the rules that a card to a trick could break."""
    yield from _trumping(moment)
    ahead = winning_so_far(moment.trick, moment.suit_of, moment.strength, TRUMP)
    friendly = None if ahead is None or not moment.is_last else moment.is_friend(ahead)
    if friendly is None:
        return
    winning = [card for card in moment.legal if moment.wins(card)]
    losing = [card for card in moment.legal if card not in winning]
    if friendly and winning and losing:
        yield OVERTAKES, moment.card in winning
    if moment.card in losing:
        yield from _giving(moment, losing, friendly=friendly)
    elif not friendly:
        yield from _sparing(moment, winning)


def _trumping(moment: Moment) -> Iterator[Judged]:
    """Judge a trump on a suit that was led and holds nothing yet, if another card could be played."""
    led = moment.suit_of[moment.trick[0].card]
    trumps = [card for card in moment.legal if moment.suit_of[card] == TRUMP]
    others = [card for card in moment.legal if moment.suit_of[card] not in (TRUMP, None)]
    is_empty = not any(moment.worth(played.card) for played in moment.trick)
    if led != TRUMP and is_empty and trumps and others:
        yield TRUMPS_NOTHING, moment.card in trumps


def _giving(moment: Moment, losing: Sequence[Card], *, friendly: bool) -> Iterator[Judged]:
    """Judge what goes to the winner of the trick, if something and nothing could be given."""
    worths = [moment.worth(card) for card in losing]
    if min(worths) == 0 < max(worths):
        gives = moment.worth(moment.card) > 0
        yield (WITHHOLDS, not gives) if friendly else (FEEDS, gives)


def _sparing(moment: Moment, winning: Sequence[Card]) -> Iterator[Judged]:
    """Judge whether the lowest winning card was played, among those of its suit that are worth as much."""
    alike = [
        card
        for card in winning
        if moment.suit_of[card] == moment.suit_of[moment.card] and moment.worth(card) == moment.worth(moment.card)
    ]
    if len(alike) > 1:
        yield TOO_HIGH, moment.card != min(alike, key=moment.strength.__getitem__)


# -- the values in each game -----------------------------------------------------------------------------------------


def _of_le_plateau(state: le_plateau.State, seat: Seat, action: object) -> Moment | None:
    """Cards on the board have a value: their spaces go to the side that wins the trick."""
    if not isinstance(action, PlateauPlay) or state.phase != "play":
        return None
    return Moment(
        seat,
        action.card,
        plateau_play.legal_cards(state, seat),
        state.table.trick,
        len(state.table.trick) == state.seats - 1,
        SUIT_OF[state.options.excuse],
        STRENGTH,
        lambda other: le_plateau.side_of(state, other) == le_plateau.side_of(state, seat),
        lambda card: int(card in state.hand.tokens),
    )


def _of_french_tarot(state: french.State, seat: Seat, action: object) -> Moment | None:
    """Cards with a face are worth points; oudlers and trumps are not gifts. A secret partner is not a friend yet."""
    if not isinstance(action, FrenchPlay):
        return None
    called, taker = state.deal.called, french.contract_of(state).taker
    is_public = called is None or called.revealed
    side = {taker, partner_of(state)} if is_public else {taker}
    return Moment(
        seat,
        action.card,
        french_play.legal_cards(state, seat),
        state.table.trick,
        len(state.table.trick) == len(state.deal.players) - 1,
        french.suits_of(state),
        FRENCH_STRENGTH,
        lambda other: ((other in side) == (seat in side)) if is_public else None,
        lambda card: 0 if card in OUDLERS or card == EXCUSE else int(HALF_POINTS[card] > 1),
    )


def _of_plute(state: PluteState, seat: Seat, action: object) -> Moment | None:
    """Tens, honours and jokers are worth points to the player who takes them."""
    if not isinstance(action, PlutePlay) or state.table.trump is None:
        return None
    return Moment(
        seat,
        action.card,
        plute_play.legal_cards(state, seat),
        state.table.trick,
        len(state.table.trick) == PLAYERS - 1,
        suits(state.table.trump),
        strengths(state.table.trump, naming.high_joker(state)),
        lambda other: team_of(other) == team_of(seat),
        lambda card: int(card in JOKERS or game_value(card) > 0),
    )


_READERS: Mapping[str, Callable[[Any, Seat, object], Moment | None]] = {
    "le-plateau": _of_le_plateau,
    "french-tarot": _of_french_tarot,
    "plute": _of_plute,
}
