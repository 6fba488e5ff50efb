"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

A world is who holds which of the unseen cards, and which cards were passed between the others. Any three of the cards
that a seat had after the passing can be those that it got. So there are equally many pasts for each way in which the
cards can lie now, and it is enough to draw one after the other.
"""

from collections.abc import Iterable, Iterator, Mapping

from domain.cardplay.cards import Hands
from domain.cardplay.placement import completed
from domain.chance import Rng
from domain.log.record import Shown
from domain.serialization import Plain
from domain.table import Seat, Viewer
from hearts import nouns as ev
from hearts.deck import PACK, PASSED, PLAYERS, SUIT_OF, Card, in_pack_order, points_of
from hearts.play import breaks_hearts
from hearts.state import NOTHING, Hand, State, Table, setup
from hearts.view import View


def sample(options: ev.Options, _viewer: Viewer, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view."""
    if not view.hand_number:
        return setup(options, PLAYERS)
    held = _held(options, view, rng)
    chosen, is_passed = _chosen(view, held, rng), view.phase != "pass" and view.direction != "none"
    if not is_passed:
        held = tuple(_without(cards, chosen[seat]) for seat, cards in enumerate(held))
    hand = Hand(view.hand_number, view.dealer, view.direction, _dealt(view, held, chosen), chosen, is_passed)
    table = Table(held, _first_leader(view), view.trick.cards if view.trick else (), view.tricks, view.hearts_broken)
    return State(options, hand, table, view.hand_results)


def _held(options: ev.Options, view: View, rng: Rng) -> Hands:
    """Return the cards of each seat, those laid aside included: the ones that it is known to hold, or others drawn."""
    played = {card.card for trick in _tricks(view) for card in trick}
    known: dict[Seat, set[Card]] = {hand.seat: {*(hand.cards or ())} for hand in view.hands}
    room = {hand.seat: hand.count for hand in view.hands}
    for each in view.passes:
        owner = each.giver if view.phase == "pass" else each.receiver
        known[owner].update(card for card in each.cards or () if card not in played)
        if view.phase == "pass" and each.is_chosen:
            room[owner] += PASSED
    if view.must_lead and view.trick:
        known[view.trick.leader].add(view.must_lead)
    voids = _voids(options, view)
    lying = {seat: in_pack_order(cards) for seat, cards in known.items()}
    held = completed(PACK, room, lying, played, lambda card, seat: card not in voids.get(seat, ()), rng)
    return tuple(in_pack_order(held[seat]) for seat in range(PLAYERS))


def _voids(options: ev.Options, view: View) -> dict[Seat, set[Card]]:
    """Collect the cards that a seat cannot hold since it played what those who have them cannot play."""
    voids: dict[Seat, set[Card]] = {}
    is_broken = False
    for number, trick in enumerate(_tricks(view)):
        led = SUIT_OF[trick[0].card]
        if led == "H" and not is_broken:
            voids.setdefault(trick[0].seat, set()).update(card for card in PACK if SUIT_OF[card] != "H")
        for played in trick:
            if SUIT_OF[played.card] != led:
                none = voids.setdefault(played.seat, set())
                none.update(card for card in PACK if SUIT_OF[card] == led)
                if number == 0 and points_of(played.card) and not options.points_in_first_trick:
                    none.update(card for card in PACK if not points_of(card))
        is_broken = is_broken or breaks_hearts(options, trick)
    return voids


def _chosen(view: View, held: Hands, rng: Rng) -> Hands:
    """Return the cards that each seat chose to pass: the known ones, or any that their owner could have had."""
    chosen = list(NOTHING)
    hands = held if view.phase == "pass" else _with_played(view, held)
    for each in view.passes:
        if each.is_chosen:
            owner = each.giver if view.phase == "pass" else each.receiver
            chosen[each.giver] = each.cards or _drawn(hands[owner], rng)
    return tuple(chosen)


def _drawn(cards: Iterable[Card], rng: Rng) -> tuple[Card, ...]:
    shuffled = list(cards)
    rng.shuffle(shuffled)
    return in_pack_order(shuffled[:PASSED])


def _dealt(view: View, held: Hands, chosen: Hands) -> Hands:
    """Return what each seat was dealt: what it has had, without the cards that it got, and with those that it gave."""
    had = list(_with_played(view, held))
    if view.phase != "pass":
        for each in view.passes:
            had[each.receiver] = _without(had[each.receiver], chosen[each.giver])
    return tuple(in_pack_order((*cards, *chosen[seat])) for seat, cards in enumerate(had))


def _with_played(view: View, held: Hands) -> Hands:
    """Return what each seat has or has played."""
    had = [list(cards) for cards in held]
    for trick in _tricks(view):
        for played in trick:
            had[played.seat].append(played.card)
    return tuple(map(in_pack_order, had))


def _without(cards: Iterable[Card], others: Iterable[Card]) -> tuple[Card, ...]:
    gone = {*others}
    return tuple(card for card in cards if card not in gone)


def _tricks(view: View) -> Iterator[tuple[ev.TrickCard, ...]]:
    """List the tricks, the one on the table included, as far as cards lie in them."""
    yield from (trick.cards for trick in view.tricks)
    if view.trick and view.trick.cards:
        yield view.trick.cards


def _first_leader(view: View) -> Seat | None:
    if view.tricks:
        return view.tricks[0].cards[0].seat
    return view.trick.leader if view.trick else None


def hidden_parts(state: State, events: Iterable[Shown]) -> Iterator[Mapping[str, Plain]]:
    """Return the hidden parts of the events of a hand, as they were in the world of a state."""
    hand = state.hand
    for event in events:
        match event["type"]:
            case "hand_dealt":
                yield {f"/hands/{seat}/cards": cards for seat, cards in enumerate(hand.dealt)}
            case "cards_chosen":
                yield {"/cards": hand.chosen[event["seat"]]}
            case "cards_passed":
                yield {f"/passes/{giver}/cards": cards for giver, cards in enumerate(hand.chosen)}
            case _:
                yield {}
