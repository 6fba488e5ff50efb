"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

The world agrees with the view and with what the view tells about the past: who could not follow suit, who answered an
announcement, which higher cards a declarer must have held. It is one consistent world, not a uniform draw of all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from domain.cards import RANKS, SUITS, TRUMP, Card, in_deck_order
from domain.le_plateau import events as ev
from domain.le_plateau.board import Space
from domain.le_plateau.deck import SUIT_OF, deal_for
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
from domain.plain import Plain, from_plain
from domain.ruleset import Rng, Seat
from domain.tricks import TrickCard
from domain.unseen import distributed

View: TypeAlias = Mapping[str, Plain]
Place: TypeAlias = tuple[str, int, int]
"""Where a card can lie unseen: ("held", seat, 0), ("under", seat, pile), ("talon", 0, 0), ("discard", 0, 0)."""


def sample(options: Options, viewer: Seat | None, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view of ``viewer``."""
    seats = len(view["scores"])
    if not view["deal_number"]:
        return initial(options, seats)
    lying = _lie_of_cards(view, viewer, rng)
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


def _revealed(view: View) -> View | None:
    """Give what the end of this very hand made public, if it has ended."""
    last = view["hand_results"][-1] if view["hand_results"] else None
    return last if last and last["deal_number"] == view["deal_number"] else None


def _lie_of_cards(view: View, viewer: Seat | None, rng: Rng) -> dict[Place, tuple[Card, ...]]:
    """Give every unseen place its cards: those the viewer knows, and the others drawn."""
    known = _known_cards(view, viewer)
    room = _room(view)
    for place, cards in known.items():
        room[place] -= len(cards)
    seen = {card for cards in known.values() for card in cards} | set(_face_up(view))
    unseen = [card for card in deal_for(len(view["scores"])).deck if card not in seen]
    allowed = _constraints(view)
    drawn = distributed(unseen, room, allowed, rng)
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
    face_up = set(_face_up(view))
    for gift in view["gifts"]:
        if gift["card"] and gift["from"] == viewer and gift["card"] not in face_up:
            known["held", gift["to"], 0] = (*known.get(("held", gift["to"], 0), ()), gift["card"])
    return known


def _face_up(view: View) -> Iterable[Card]:
    """List the cards that everyone has seen: played ones and tops of piles."""
    for trick in [*view["tricks"], *([view["trick"]] if view["trick"] else [])]:
        yield from (played["card"] for played in trick["cards"])
    for hand in view["hands"]:
        yield from (pile["top"] for pile in hand["piles"] if pile["top"])


Allowed: TypeAlias = Callable[[Card, Place], bool]


def _constraints(view: View) -> Allowed:
    """Say which unseen card may lie where, by what the past of the hand tells."""
    revealed = _revealed(view)
    if revealed is not None:
        return _as_revealed(revealed)
    voids = _voids(view)
    holder = _holders(view)

    def allowed(card: Card, place: Place) -> bool:
        kind, seat, _ = place
        if card in holder:
            return kind == "held" and holder[card] == seat if holder[card] is not None else kind != "held"
        return kind != "held" or (seat, SUIT_OF[card]) not in voids

    return allowed


def _as_revealed(revealed: View) -> Allowed:
    where: dict[Card, tuple[str, Seat]] = dict.fromkeys(revealed["discard"], ("discard", 0))
    where |= {card: ("held", shown["seat"]) for shown in revealed["unplayed"] for card in shown["cards"]}
    where |= (
        {
            pile["under"]: ("under", shown["seat"], index)
            for shown in revealed["piles"]
            for index, pile in enumerate(shown["piles"])
        }
        if revealed["piles"]
        else {}
    )
    return lambda card, place: where.get(card, ("talon", 0))[: len(place)] in (place, place[:2])


def _voids(view: View) -> set[tuple[Seat, str]]:
    """Collect (seat, suit) where a seat did not follow suit, and so holds none of it in the hand."""
    voids: set[tuple[Seat, str]] = set()
    for trick in [*view["tricks"], *([view["trick"]] if view["trick"] else [])]:
        led = SUIT_OF[trick["cards"][0]["card"]] if trick["cards"] else TRUMP
        for played in trick["cards"]:
            suit = SUIT_OF[played["card"]]
            if suit != led:
                voids.add((played["seat"], led))
                if suit != TRUMP:
                    voids.add((played["seat"], TRUMP))
    return voids


def _holders(view: View) -> dict[Card, Seat | None]:
    """Give the seat that certainly held a card when the partner was sought; None for a card that nobody held."""
    holders: dict[Card, Seat | None] = dict(view["holders"])
    if not view["announced"]:
        return holders
    declarer = next(spoken["seat"] for spoken in reversed(view["bids"]) if spoken["bid"])
    deck = deal_for(len(view["scores"])).deck
    lowest = min(RANKS.index(card[:-1]) for card in view["announced"])
    for rank in RANKS[lowest + 1 :]:
        for card in (rank + suit for suit in SUITS):
            if card in deck and card not in holders:
                holders[card] = declarer
    return holders


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
    return Hand(
        number=view["hand_number"],
        deal_number=view["deal_number"],
        dealer=view["dealer"],
        tokens=tuple(view["board"]["tokens"]),
        dealt=tuple(map(in_deck_order, before)),
        dealt_piles=piles,
        talon=(*taken, *(dealt.card for dealt in talon_dealt), *talon),
        bids=tuple(_spoken(spoken) for spoken in view["bids"]),
        contract=from_plain(Contract, contract) if contract else None,
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
    shown = (_revealed(view) or view)["gifts"]
    return tuple(ev.ShownGift(g["from"], g["to"], g["card"] or _one_of(hands[g["to"]], rng)) for g in shown)


def _talon_dealt(view: View, hands: Sequence[Sequence[Card]], rng: Rng) -> tuple[ev.ShownTalonCard, ...]:
    shown = (_revealed(view) or {"talon_dealt": view["talon"]["dealt"]})["talon_dealt"]
    return tuple(ev.ShownTalonCard(d["to"], d["card"] or _one_of(hands[d["to"]], rng)) for d in shown)


def _taken(view: View, hands: Sequence[list[Card]], gone: Sequence[Card], rng: Rng) -> tuple[Card, ...]:
    """Give the talon cards that the exchanger took: as known, else any of the cards that went through the hand."""
    contract = view["contract"]
    if contract is None or contract["exchanger"] is None:
        return ()
    known = (_revealed(view) or view["talon"])["taken"]
    if known:
        return tuple(known)
    through = [*hands[contract["exchanger"]], *gone]
    rng.shuffle(through)
    return in_deck_order(through[: 3 if len(hands) == 6 else deal_for(len(hands)).talon])


def _one_of(cards: Sequence[Card], rng: Rng) -> Card:
    return cards[rng.randrange(len(cards))]


def _spoken(spoken: Mapping[str, Any]) -> Spoken:
    bid = spoken["bid"]
    return Spoken(spoken["seat"], bid and ev.BidMade(spoken["seat"], **bid, value=spoken["value"]))
