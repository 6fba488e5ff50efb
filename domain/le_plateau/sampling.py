"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

The world agrees with the view and with what the view tells about the past: who could not follow suit, who answered an
announcement, which higher cards a declarer must have held. It is one consistent world, not a uniform draw of all.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from domain.cardplay.cards import Card, in_deck_order
from domain.cardplay.placement import distributed
from domain.cardplay.tricks import TrickCard
from domain.chance import Rng
from domain.le_plateau import events as ev
from domain.le_plateau.board import Space
from domain.le_plateau.deck import deal_for
from domain.le_plateau.inference import Place, View, allowed_places, revealed
from domain.le_plateau.options import Options
from domain.le_plateau.state import (
    Announced,
    Contract,
    Hand,
    Pile,
    Raised,
    Spoken,
    State,
    Table,
    Trick,
    initial,
)
from domain.serialization import from_plain
from domain.table import Seat


def sample(options: Options, viewer: Seat | None, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view of ``viewer``."""
    seats = len(view["scores"])
    if not view["deal_number"]:
        return initial(options, seats)
    lying = _lie_of_cards(options, viewer, view, rng)
    table = _table(view, lying)
    return State(
        options=options,
        seats=seats,
        phase=view["phase"],
        hand=_hand(view, table, lying.get(("discard", 0, 0), ()), lying.get(("talon", 0, 0), ()), rng),
        table=table,
        scores=tuple(view["scores"]),
        stops=view["stops_after_hand"],
        results=tuple(view["hand_results"]),
    )


def _lie_of_cards(options: Options, viewer: Seat | None, view: View, rng: Rng) -> dict[Place, tuple[Card, ...]]:
    """Give every unseen place its cards: those the viewer knows, and the others drawn."""
    known = _known_cards(view, viewer)
    room = _room(view)
    for place, cards in known.items():
        room[place] -= len(cards)
    seen = {card for cards in known.values() for card in cards} | set(_face_up(view))
    deck = deal_for(len(view["scores"]), options.deck, options.edition).deck
    unseen = [card for card in deck if card not in seen]
    drawn = distributed(unseen, room, allowed_places(options, view), rng)
    return {place: (*known.get(place, ()), *drawn[place]) for place in room}


def _room(view: View) -> dict[Place, int]:
    """Count the cards in each place whose faces not everyone sees."""
    room: dict[Place, int] = {("held", hand["seat"], 0): hand["count"] for hand in view["hands"]}
    for hand in view["hands"]:
        room |= {("under", hand["seat"], i): 1 for i, pile in enumerate(hand["piles"]) if pile["under"]}
    room["talon", 0, 0] = view["talon"]["count"]
    room["discard", 0, 0] = view["discard"]["count"]
    return room


def _known_cards(view: View, viewer: Seat | None) -> dict[Place, tuple[Card, ...]]:
    """Give the cards whose unseen place the viewer knows for certain."""
    known: dict[Place, tuple[Card, ...]] = {
        ("held", hand["seat"], 0): tuple(hand["cards"]) for hand in view["hands"] if hand["cards"] is not None
    }
    if view["discard"]["cards"]:
        known["discard", 0, 0] = tuple(view["discard"]["cards"])
    if view["talon"]["groups"]:
        known["talon", 0, 0] = tuple(chain(*_lying_groups(view)))
    face_up = set(_face_up(view))
    for gift in view["gifts"]:
        if gift["card"] and gift["from"] == viewer and gift["card"] not in face_up:
            known["held", gift["to"], 0] = (*known.get(("held", gift["to"], 0), ()), gift["card"])
    return known


def _lying_groups(view: View) -> list[list[Card]]:
    """Give the groups of a talon turned up that nobody has taken (yet)."""
    return [group for number, group in enumerate(view["talon"]["groups"]) if number != view["talon"]["chosen"]]


def _face_up(view: View) -> Iterable[Card]:
    """List the cards that everyone has seen: played ones and tops of piles."""
    for trick in [*view["tricks"], *([view["trick"]] if view["trick"] else [])]:
        yield from (played["card"] for played in trick["cards"])
    for hand in view["hands"]:
        yield from (pile["top"] for pile in hand["piles"] if pile["top"])


def _table(view: View, lying: Mapping[Place, tuple[Card, ...]]) -> Table:
    owners: Mapping[Space, str] = view["board"]["owners"]
    return Table(
        held=tuple(in_deck_order(lying["held", hand["seat"], 0]) for hand in view["hands"]),
        piles=tuple(
            tuple(
                Pile(pile["top"], lying["under", hand["seat"], i][0] if pile["under"] else None)
                for i, pile in enumerate(hand["piles"])
            )
            for hand in view["hands"]
            if hand["piles"]
        ),
        trick=_played(view["trick"]["cards"]) if view["trick"] else (),
        tricks=tuple(Trick(t["number"], t["winner"], _played(t["cards"])) for t in view["tricks"]),
        declarer_spaces=frozenset(space for space, side in owners.items() if side == "declarer"),
        opposing_spaces=frozenset(space for space, side in owners.items() if side == "opposing"),
    )


def _played(cards: Iterable[Mapping[str, Any]]) -> tuple[TrickCard, ...]:
    return tuple(TrickCard(played["seat"], played["card"]) for played in cards)


def _hand(view: View, table: Table, discard: Sequence[Card], talon: Sequence[Card], rng: Rng) -> Hand:
    """Tell a story of the hand that ends with the cards on this table."""
    piles = _dealt_piles(view, table)
    before = _after_exchange(view, table)
    gifts = _gifts(view, before, rng)
    talon_dealt = _talon_dealt(view, before, rng)
    taken = _taken(view, before, (*discard, *(gift.card for gift in gifts)), rng)
    for to, card in [*((g.to, g.card) for g in gifts), *((d.to, d.card) for d in talon_dealt)]:
        before[to].remove(card)
    if taken:
        exchanger = view["contract"]["exchanger"]
        whole = [*before[exchanger], *discard, *(gift.card for gift in gifts)]
        before[exchanger] = [card for card in whole if card not in taken]
    contract = view["contract"]
    groups = tuple(map(tuple, view["talon"]["groups"] or ()))
    return Hand(
        number=view["hand_number"],
        deal_number=view["deal_number"],
        dealer=view["dealer"],
        tokens=tuple(view["board"]["tokens"]),
        dealt=tuple(map(in_deck_order, before)),
        dealt_piles=piles,
        talon=tuple(chain(*groups)) or (*taken, *(dealt.card for dealt in talon_dealt), *talon),
        bids=tuple(_spoken(spoken) for spoken in view["bids"]),
        contract=from_plain(Contract, contract) if contract else None,
        groups=groups,
        chosen=view["talon"]["chosen"],
        taken=taken,
        discard=in_deck_order(discard),
        gifts=gifts,
        talon_dealt=talon_dealt,
        announced=tuple(Announced(card, view["holders"][card], answered=True) for card in view["announced"]),
        raises=tuple(from_plain(Raised, raised) for raised in view["raises"]),
    )


def _dealt_piles(view: View, table: Table) -> tuple[tuple[Pile, ...], ...]:
    return tuple(
        tuple(
            Pile(*(card for card in (*shown["played"], pile.top, pile.under) if card is not None))
            for shown, pile in zip(hand["piles"], of_seat, strict=True)
        )
        for hand, of_seat in zip(view["hands"], table.piles, strict=False)
    )


def _after_exchange(view: View, table: Table) -> list[list[Card]]:
    """Give each seat's hand as it was when the play began (or is now, before that)."""
    hands = [list(held) for held in table.held]
    from_piles = {card for hand in view["hands"] for pile in hand["piles"] for card in pile["played"]}
    for trick in (*(trick.cards for trick in table.tricks), table.trick):
        for played in trick:
            if played.card not in from_piles:
                hands[played.seat].append(played.card)
    return hands


def _gifts(view: View, hands: Sequence[Sequence[Card]], rng: Rng) -> tuple[ev.ShownGift, ...]:
    shown = (revealed(view) or view)["gifts"]
    return tuple(ev.ShownGift(g["from"], g["to"], g["card"] or _one_of(hands[g["to"]], rng)) for g in shown)


def _talon_dealt(view: View, hands: Sequence[Sequence[Card]], rng: Rng) -> tuple[ev.ShownTalonCard, ...]:
    shown = (revealed(view) or {"talon_dealt": view["talon"]["dealt"]})["talon_dealt"]
    return tuple(ev.ShownTalonCard(d["to"], d["card"] or _one_of(hands[d["to"]], rng)) for d in shown)


def _taken(view: View, hands: Sequence[list[Card]], gone: Sequence[Card], rng: Rng) -> tuple[Card, ...]:
    """Give the talon cards that the exchanger took: as known, else any of the cards that went through the hand."""
    contract, groups, chosen = view["contract"], view["talon"]["groups"], view["talon"]["chosen"]
    if contract is None or contract["exchanger"] is None or (groups and chosen is None):
        return ()
    known = groups[chosen] if groups else (revealed(view) or view["talon"])["taken"]
    if known:
        return in_deck_order(known) if groups else tuple(known)
    through = [*hands[contract["exchanger"]], *gone]
    rng.shuffle(through)
    return in_deck_order(through[: 2 if len(hands) == 2 else 3])


def _one_of(cards: Sequence[Card], rng: Rng) -> Card:
    return cards[rng.randrange(len(cards))]


def _spoken(spoken: Mapping[str, Any]) -> Spoken:
    bid = spoken["bid"]
    return Spoken(spoken["seat"], bid and from_plain(ev.BidMade, {**spoken, **bid}))
