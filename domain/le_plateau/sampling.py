"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

The world agrees with the view and with what the view shows of the past: who could not follow suit, who held an
announced card, which higher cards a declarer must have held. It is drawn from all such worlds, each equally likely. A
world is where every card lies now, and how the hand got there: which cards were in the talon, in which order, and which
of them were taken, dealt out or given. Every lie of the cards has equally many such pasts, so the two are drawn apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from domain.cardplay.cards import Card, in_deck_order
from domain.cardplay.placement import Layout, unplaced
from domain.chance import Rng
from domain.le_plateau.dealt import DealtPile, ShownGift, ShownTalonCard
from domain.le_plateau.deck import shape_for
from domain.le_plateau.inference import DISCARD, TALON, Place, allowed_places, cards_in_tricks
from domain.le_plateau.options import Options
from domain.le_plateau.state import Announced, Hand, Pile, State, Table, initial
from domain.le_plateau.view import View, result_of
from domain.log.record import Shown
from domain.serialization import Plain
from domain.table import EVERYTHING, Viewer


def sample(options: Options, viewer: Viewer, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view of ``viewer``."""
    seats = len(view.scores)
    if not view.deal_number:
        return initial(options, seats)
    lying = _lie_of_cards(options, viewer, view, rng)
    table = _table(view, lying)
    return State(
        options=options,
        seats=seats,
        phase=view.phase,
        hand=_hand(viewer, view, table, lying, rng),
        table=table,
        scores=view.scores,
        stops=view.stops_after_hand,
        results=view.hand_results,
    )


def _lie_of_cards(options: Options, viewer: Viewer, view: View, rng: Rng) -> dict[Place, tuple[Card, ...]]:
    """Map every unseen place to its cards: those that the viewer knows, and others that are drawn."""
    drawn, known = unseen_cards(options, viewer, view).drawn(rng), _known_cards(view, viewer)
    return {place: (*known.get(place, ()), *drawn.get(place, ())) for place in _room(view)}


def unseen_cards(options: Options, viewer: Viewer, view: View) -> Layout[Place]:
    """Return the cards of which the viewer does not know where they lie, and where they can lie."""
    deck = shape_for(len(view.scores), options.deck, options.edition).deck
    return unplaced(deck, _room(view), _known_cards(view, viewer), _face_up(view), allowed_places(options, view))


def _room(view: View) -> dict[Place, int]:
    """Count the cards in each place whose faces are not public."""
    room: dict[Place, int] = {("held", hand.seat, 0): hand.count for hand in view.hands}
    for hand in view.hands:
        room |= {("under", hand.seat, i): 1 for i, pile in enumerate(hand.piles) if pile["under"]}
    return room | {TALON: view.talon.count, DISCARD: view.discard.count}


def _known_cards(view: View, viewer: Viewer) -> dict[Place, tuple[Card, ...]]:
    """Map places to the cards that the viewer knows to lie there."""
    known: dict[Place, tuple[Card, ...]] = {
        ("held", hand.seat, 0): hand.cards for hand in view.hands if hand.cards is not None
    }
    known |= {
        ("under", hand.seat, i): (pile["under_card"],)
        for hand in view.hands
        for i, pile in enumerate(hand.piles)
        if "under_card" in pile
    }
    if view.talon.cards:
        known[TALON] = view.talon.cards
    if view.discard.cards:
        known[DISCARD] = view.discard.cards
    if view.talon.groups:
        known[TALON] = tuple(chain(*(group for i, group in enumerate(view.talon.groups) if i != view.talon.chosen)))
    face_up = set(_face_up(view))
    for gift in view.gifts:
        if gift["card"] and gift["from"] == viewer and gift["card"] not in face_up:
            place = ("held", gift["to"], 0)
            known[place] = (*known.get(place, ()), gift["card"])
    return known


def _face_up(view: View) -> Iterator[Card]:
    """List the cards whose faces are public: played ones and tops of piles."""
    yield from (played.card for cards in cards_in_tricks(view) for played in cards)
    yield from (pile["top"] for hand in view.hands for pile in hand.piles if pile["top"])


def _table(view: View, lying: Mapping[Place, tuple[Card, ...]]) -> Table:
    owners = view.board.owners
    return Table(
        held=tuple(in_deck_order(lying["held", hand.seat, 0]) for hand in view.hands),
        piles=tuple(
            tuple(
                Pile(pile["top"], lying["under", hand.seat, i][0] if pile["under"] else None)
                for i, pile in enumerate(hand.piles)
            )
            for hand in view.hands
            if hand.piles
        ),
        trick=view.trick.cards if view.trick else (),
        tricks=view.tricks,
        declarer_spaces=frozenset(space for space, side in owners.items() if side == "declarer"),
        opposing_spaces=frozenset(space for space, side in owners.items() if side == "opposing"),
    )


def _hand(viewer: Viewer, view: View, table: Table, lying: Mapping[Place, tuple[Card, ...]], rng: Rng) -> Hand:
    """Draw a story of the hand that ends with the cards on this table."""
    discard = lying[DISCARD]
    before = _after_exchange(view, table)
    gifts = _gifts(view, before, rng)
    talon_dealt = _talon_dealt(view, before, rng)
    given = [gift.card for gift in gifts]
    taken = _taken(view, before, (*discard, *given), rng)
    for to, card in [*((gift.to, gift.card) for gift in gifts), *((dealt.to, dealt.card) for dealt in talon_dealt)]:
        before[to].remove(card)
    if taken and view.contract and view.contract.exchanger is not None:
        whole = [*before[view.contract.exchanger], *discard, *given]
        before[view.contract.exchanger] = [card for card in whole if card not in taken]
    parts = taken, lying[TALON]
    first, last = parts if viewer == EVERYTHING else (shuffled(cards, rng) for cards in parts)
    groups, end = view.talon.groups or (), result_of(view)
    return Hand(
        number=view.hand_number,
        deal_number=view.deal_number,
        dealer=view.dealer,
        tokens=view.board.tokens,
        dealt=tuple(map(in_deck_order, before)),
        dealt_piles=_dealt_piles(view, table),
        talon=end.talon if end else tuple(chain(*groups)) or (*first, *(dealt.card for dealt in talon_dealt), *last),
        bids=view.bids,
        contract=view.contract,
        groups=groups,
        chosen=view.talon.chosen,
        taken=in_deck_order(taken),
        discard=in_deck_order(discard),
        gifts=gifts,
        talon_dealt=talon_dealt,
        announced=tuple(Announced(card, view.holders[card], answered=True) for card in view.announced),
        raises=view.raises,
    )


def _dealt_piles(view: View, table: Table) -> tuple[tuple[DealtPile, ...], ...]:
    return tuple(
        tuple(
            DealtPile(*(card for card in (*shown["played"], pile.top, pile.under) if card is not None))
            for shown, pile in zip(hand.piles, of_seat, strict=True)
        )
        for hand, of_seat in zip(view.hands, table.piles, strict=False)
    )


def _after_exchange(view: View, table: Table) -> list[list[Card]]:
    """List each seat's hand as it was when the play began (or is now, before that)."""
    hands = [list(held) for held in table.held]
    from_piles = {card for hand in view.hands for pile in hand.piles for card in pile["played"]}
    for played in chain(*cards_in_tricks(view)):
        if played.card not in from_piles:
            hands[played.seat].append(played.card)
    return hands


def _gifts(view: View, hands: Sequence[Sequence[Card]], rng: Rng) -> tuple[ShownGift, ...]:
    end = result_of(view)
    shown = [(gift["from"], gift["to"], gift["card"]) for gift in (end.gifts if end else view.gifts)]
    return tuple(ShownGift(giver, to, card or _one_of(hands[to], rng)) for giver, to, card in shown)


def _talon_dealt(view: View, hands: Sequence[Sequence[Card]], rng: Rng) -> tuple[ShownTalonCard, ...]:
    end = result_of(view)
    if end:
        return end.talon_dealt
    return tuple(ShownTalonCard(d.to, d.card or _one_of(hands[d.to], rng)) for d in view.talon.dealt)


def _taken(view: View, hands: Sequence[list[Card]], gone: Sequence[Card], rng: Rng) -> tuple[Card, ...]:
    """Return the talon cards that the exchanger took: as known, else any of the cards that went through the hand."""
    contract, groups, chosen = view.contract, view.talon.groups, view.talon.chosen
    if contract is None or contract.exchanger is None or (groups and chosen is None):
        return ()
    if groups and chosen is not None:
        return in_deck_order(groups[chosen])
    known = (result_of(view) or view.talon).taken
    if known:
        return known
    through = shuffled((*hands[contract.exchanger], *gone), rng)
    return in_deck_order(through[: 2 if len(hands) == 2 else 3])


def shuffled(cards: Iterable[Card], rng: Rng) -> Sequence[Card]:
    """Return cards in an order drawn at random."""
    order = list(cards)
    rng.shuffle(order)
    return order


def _one_of(cards: Sequence[Card], rng: Rng) -> Card:
    return cards[rng.randrange(len(cards))]


def hidden_parts(state: State, events: Iterable[Shown]) -> Iterator[Mapping[str, Plain]]:
    """Return the hidden parts of the events of a hand, as they were in the world of a state."""
    return (_hidden_in(state.hand, event["type"], event["data"]) for event in events)


def _hidden_in(hand: Hand, event_type: str, data: Mapping[str, Plain]) -> Mapping[str, Plain]:
    match event_type:
        case "hand_dealt":
            return {
                "/talon/cards": hand.talon,
                **{f"/hands/{seat}/cards": cards for seat, cards in enumerate(hand.dealt)},
                **{
                    f"/piles/{seat}/piles/{i}/under": pile.under
                    for seat, of_seat in enumerate(hand.dealt_piles)
                    for i, pile in enumerate(of_seat)
                },
            }
        case "talon_taken":
            return {"/cards": hand.taken}
        case "cards_discarded":
            return {"/cards": hand.discard}
        case "card_given":
            return {"/card": next(gift.card for gift in hand.gifts if gift.to == data["to"])}
        case "talon_card_dealt":
            return {"/card": next(dealt.card for dealt in hand.talon_dealt if dealt.to == data["to"])}
        case _:
            return {}
