"""Play: following suit, winning tricks, placing counters, and the end of a hand (rules.md, play)."""

from collections.abc import Iterator
from typing import Any

from domain.cards import TRUMP, Card
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Action, Play
from domain.le_plateau.board import Space, formation
from domain.le_plateau.deck import STRENGTH, SUIT_OF, deal_for
from domain.le_plateau.events import Side
from domain.le_plateau.state import State, contract_of, forehand, side_of
from domain.ruleset import IllegalAction, Seat
from domain.tricks import following, trick_winner

RULE = "7. Play"


def actors(state: State) -> frozenset[Seat]:
    """Give the seat to play, none while a full trick waits to be settled."""
    trick = state.table.trick
    if not trick:
        return frozenset({leader(state)})
    return frozenset() if len(trick) == state.seats else frozenset({(trick[-1].seat + 1) % state.seats})


def leader(state: State) -> Seat:
    """Say who leads, or led, the current trick: the last winner, at first forehand."""
    if state.table.trick:
        return state.table.trick[0].seat
    return state.table.tricks[-1].winner if state.table.tricks else forehand(state)


def playable(state: State, seat: Seat) -> tuple[Card, ...]:
    """Give the cards that a seat could play if it had to follow nothing: the hand, and the tops of its piles."""
    hand = state.table.held[seat]
    if not state.table.piles:
        return hand
    return (*hand, *(pile.top for pile in state.table.piles[seat] if pile.top))


def legal_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """Give the cards that a seat may play now."""
    trick = state.table.trick
    led = SUIT_OF[trick[0].card] if trick else None
    return following(playable(state, seat), led, SUIT_OF, TRUMP)


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    """List the cards that may be played."""
    yield from map(Play, legal_cards(state, seat))


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Play a card."""
    if not isinstance(action, Play):
        raise IllegalAction("wrong-phase", "the play is on: play a card", RULE)
    card = action.card
    legal = legal_cards(state, seat)
    if card in legal:
        return [ev.CardPlayed(seat, card, _pile_of(state, seat, card))]
    if card not in playable(state, seat):
        raise IllegalAction("card-not-held", f"you do not hold {card}", RULE)
    led = SUIT_OF[state.table.trick[0].card]
    if SUIT_OF[legal[0]] == led:
        raise IllegalAction("must-follow-suit", f"{state.table.trick[0].card} was led: follow suit, not {card}", RULE)
    raise IllegalAction(
        "must-play-trump", f"you cannot follow {state.table.trick[0].card}: play a trump, not {card}", RULE
    )


def settle(state: State) -> list[Any]:
    """Settle a full trick: its winner, the counters, and the end of the hand or what is turned up next."""
    trick = state.table.trick
    if len(trick) < state.seats:
        return []
    number = len(state.table.tricks) + 1
    winner = trick_winner(trick, SUIT_OF, STRENGTH, TRUMP)
    side = side_of(state, winner)
    spaces = _on_board(state, (f"#{number}", *(played.card for played in trick)))
    events: list[Any] = [ev.TrickWon(number, winner, trick), ev.CountersPlaced(side, spaces)]
    mine, theirs = _with_spaces(state, side, spaces)
    won = _decided(state, mine, theirs)
    if won is not None:
        return [*events, won]
    if number < deal_for(state.seats).tricks:
        return [*events, *_turned_up(state, winner)]
    return [*events, *_last_reveal(state, mine, theirs)]


def _decided(state: State, mine: frozenset[Space], theirs: frozenset[Space]) -> ev.HandWon | None:
    """Test whether the declarer's side has made its objective, or could not even with every free space."""
    objective = contract_of(state).objective
    path = formation(state.hand.tokens, mine, objective)
    if path:
        return ev.HandWon("declarer", objective, path)
    if not formation(state.hand.tokens, {*state.hand.tokens} - theirs, objective):
        return ev.HandWon("opposing", objective, ())
    return None


def _last_reveal(state: State, mine: frozenset[Space], theirs: frozenset[Space]) -> list[Any]:
    """Turn up discard or talon after the last trick: the other side takes its spaces, and the objective is judged."""
    contract = contract_of(state)
    cards = state.hand.discard if contract.exchange else state.hand.talon
    spaces = _on_board(state, cards)
    if {*spaces} != {*state.hand.tokens} - mine - theirs:
        raise AssertionError(f"free spaces after the last trick are not those of {cards}")
    revealed = ev.DiscardRevealed(cards) if contract.exchange else ev.TalonRevealed(cards)
    path = formation(state.hand.tokens, mine, contract.objective)
    by: Side = "declarer" if path else "opposing"
    return [revealed, ev.CountersPlaced("opposing", spaces), ev.HandWon(by, contract.objective, path)]


def _turned_up(state: State, winner: Seat) -> list[Any]:
    """Turn up the lower cards that this trick uncovered, the winner's first."""
    return [
        ev.PileCardTurned(seat, index, pile.under)
        for seat in sorted(range(len(state.table.piles)), key=lambda seat: seat != winner)
        for index, pile in enumerate(state.table.piles[seat])
        if pile.top is None and pile.under is not None
    ]


def _on_board(state: State, codes: tuple[str, ...]) -> tuple[Space, ...]:
    return tuple(token for token in state.hand.tokens if token in codes)


def _with_spaces(state: State, side: Side, spaces: tuple[Space, ...]) -> tuple[frozenset[Space], frozenset[Space]]:
    mine, theirs = state.table.declarer_spaces, state.table.opposing_spaces
    return (mine | {*spaces}, theirs) if side == "declarer" else (mine, theirs | {*spaces})


def _pile_of(state: State, seat: Seat, card: Card) -> int | None:
    if card in state.table.held[seat]:
        return None
    return next(index for index, pile in enumerate(state.table.piles[seat]) if pile.top == card)
