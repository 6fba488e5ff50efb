"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

The world agrees with the view and with what the view reveals about the past: which seats could not follow suit. It is
drawn from all such worlds, each equally likely; a world is who holds which of the unseen cards.
"""

from collections.abc import Iterable, Iterator, Mapping

from domain.cardplay.cards import TRUMP, Hands
from domain.cardplay.placement import completed
from domain.chance import Rng
from domain.log.record import Shown
from domain.plute.deck import PACK, Card, TrickCard, in_pack_order, suits
from domain.plute.naming import are_marked
from domain.plute.options import Options
from domain.plute.state import Hand, State, Table, initial
from domain.plute.view import View
from domain.serialization import Plain
from domain.table import Seat, Viewer


def sample(options: Options, _viewer: Viewer, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view."""
    if not view.hand_number:
        return initial(options, len(view.hands))
    held = _held(view, rng)
    hand = Hand(view.hand_number, view.dealer, _dealt(view, held), view.bids, view.contract)
    return State(options, view.phase, hand, _table(options, view, held), view.tally, view.hand_results)


def _held(view: View, rng: Rng) -> Hands:
    """Return the cards of each seat: those that it is known to hold, or others drawn."""
    known = {hand.seat: hand.cards for hand in view.hands if hand.cards is not None}
    played = (played.card for trick in _tricks(view) for played in trick)
    room, voids = {hand.seat: hand.count for hand in view.hands}, _voids(view)
    held = completed(PACK, room, known, played, lambda card, seat: card not in voids.get(seat, ()), rng)
    return tuple(in_pack_order(held[seat]) for seat in sorted(held))


def _voids(view: View) -> dict[Seat, set[Card]]:
    """Collect the cards that a seat cannot hold, because it neither followed suit nor trumped."""
    voids: dict[Seat, set[Card]] = {}
    if view.trump is None:
        return voids
    suit_of = suits(view.trump)
    for trick in _tricks(view):
        led = suit_of[trick[0].card]
        for played in trick:
            if suit_of[played.card] not in (led, TRUMP):
                voids.setdefault(played.seat, set()).update(card for card in PACK if suit_of[card] == led)
    return voids


def _tricks(view: View) -> Iterator[tuple[TrickCard, ...]]:
    """List the tricks, the one on the table included, as far as cards lie in them."""
    yield from (trick.cards for trick in view.tricks)
    if view.trick and view.trick.cards:
        yield view.trick.cards


def _table(options: Options, view: View, held: Hands) -> Table:
    jokers = view.jokers
    over = view.hand_results[-1] if view.phase == "over" else None
    return Table(
        held=held,
        trump=view.trump,
        jokers=() if are_marked(options) else tuple(filter(None, (jokers.high, jokers.low))),
        trick=view.trick.cards if view.trick else (),
        tricks=view.tricks,
        claimed=bool(over and over.stopped) and options.early_stop == "claim",
        stopped=bool(over and over.stopped),
        counted=over.points if over else (),
        pluted=over.plute if over else None,
    )


def _dealt(view: View, held: Hands) -> Hands:
    """Return what each seat was dealt: what it holds and what it has played."""
    dealt = [list(cards) for cards in held]
    for trick in _tricks(view):
        for played in trick:
            dealt[played.seat].append(played.card)
    return tuple(map(in_pack_order, dealt))


def hidden_parts(state: State, events: Iterable[Shown]) -> Iterator[Mapping[str, Plain]]:
    """Return the hidden parts of the events of a hand, as they were in the world of a state: only the deal has any."""
    dealt = {f"/hands/{seat}/cards": cards for seat, cards in enumerate(state.hand.dealt)}
    return (dealt if event["type"] == "hand_dealt" else {} for event in events)
