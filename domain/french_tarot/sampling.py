"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

The world agrees with the view and with what the view tells about the past (``deductions``). It is one consistent world,
not a uniform draw of all.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from domain.cardplay.cards import TAROT_PACK, Card, in_deck_order
from domain.cardplay.placement import distributed
from domain.cardplay.tricks import TrickCard
from domain.chance import Rng
from domain.french_tarot.deck import is_petit_sec
from domain.french_tarot.inference import CHIEN, ECART, Place, View, allowed_places, tricks_of
from domain.french_tarot.options import Options
from domain.french_tarot.state import (
    Contract,
    Deal,
    MisereShown,
    Poignee,
    Revealed,
    Spoken,
    State,
    Table,
    Trick,
    initial,
)
from domain.serialization import from_plain
from domain.table import Seat

MOST_DRAWS = 1000
"""So often is a world drawn anew because a hand in it was a petit sec that would have been shown; mostly never."""

Lying = Mapping[Place, tuple[Card, ...]]


def sample(options: Options, viewer: Seat | None, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view of ``viewer``, whose own cards the view shows."""
    seats = len(view["scores"])
    if not view["deal_number"]:
        return initial(options, seats)
    for _ in range(MOST_DRAWS):
        lying = _lie_of_cards(options, view, rng)
        dealt = _dealt(view, lying)
        if _is_as_declared(options, view, dealt):
            return _state(options, view, lying, dealt)
    raise AssertionError(f"no world found for this view of {viewer}")


def _state(options: Options, view: View, lying: Lying, dealt: tuple[tuple[Card, ...], ...]) -> State:
    table = Table(
        held=tuple(in_deck_order(lying["held", hand["seat"]]) for hand in view["hands"]),
        trick=_played(view["trick"]["cards"]) if view["trick"] else (),
        tricks=tuple(Trick(t["number"], t["winner"], _played(t["cards"])) for t in view["tricks"]),
    )
    return State(
        options=options,
        seats=len(view["scores"]),
        phase=view["phase"],
        deal=_deal(view, lying, dealt),
        table=table,
        scores=tuple(view["scores"]),
        results=tuple(view["deal_results"]),
    )


def _lie_of_cards(options: Options, view: View, rng: Rng) -> Lying:
    """Give every unseen place its cards: those the viewer knows, and the others drawn."""
    known = _known_cards(view)
    room: dict[Place, int] = {("held", hand["seat"]): hand["count"] for hand in view["hands"]}
    room |= {CHIEN: view["chien"]["count"], ECART: view["ecart"]["count"]}
    for place, cards in known.items():
        room[place] -= len(cards)
    seen = {card for cards in known.values() for card in cards}
    seen |= {played["card"] for trick in tricks_of(view) for played in trick["cards"]}
    unseen = [card for card in TAROT_PACK if card not in seen]
    drawn = distributed(unseen, room, allowed_places(options, view), rng)
    return {place: (*known.get(place, ()), *drawn[place]) for place in room}


def _known_cards(view: View) -> dict[Place, tuple[Card, ...]]:
    """Give the cards whose unseen place the viewer knows for certain."""
    end = _end(view)
    if end is not None:
        return {ECART: tuple(end["ecart"]), CHIEN: tuple(end["chien"]) if view["chien"]["count"] else ()}
    played = {played["card"] for trick in tricks_of(view) for played in trick["cards"]}
    laid_aside = view["ecart"]["cards"] or view["ecart"]["trumps"]
    known: dict[Place, tuple[Card, ...]] = {ECART: tuple(laid_aside)}
    for poignee in view["poignees"]:
        shown = tuple(card for card in poignee["cards"] if card not in played and card not in laid_aside)
        known["held", poignee["seat"]] = shown
    return known | {("held", hand["seat"]): tuple(hand["cards"]) for hand in view["hands"] if hand["cards"] is not None}


def _end(view: View) -> View | None:
    """Give what the end of this very deal made public, if it has ended."""
    last = view["deal_results"][-1] if view["deal_results"] else None
    return last if last and last["deal_number"] == view["deal_number"] else None


def _dealt(view: View, lying: Lying) -> tuple[tuple[Card, ...], ...]:
    """Give the hands as they were dealt, before chien and écart."""
    hands = {hand["seat"]: [*lying["held", hand["seat"]]] for hand in view["hands"]}
    for trick in tricks_of(view):
        for played in trick["cards"]:
            hands[played["seat"]].append(played["card"])
    if view["chien"]["cards"]:
        taker, taken_in = view["contract"]["taker"], view["chien"]["cards"]
        hands[taker] = [card for card in (*hands[taker], *lying[ECART]) if card not in taken_in]
    return tuple(in_deck_order(hands[seat]) for seat in sorted(hands))


def _is_as_declared(options: Options, view: View, dealt: Iterable[tuple[Card, ...]]) -> bool:
    """Say whether the only petit sec among the hands is the one that was declared."""
    dry = [seat for seat, hand in enumerate(dealt) if is_petit_sec(hand)]
    return options.petit_sec == "play_on" or dry == [seat for seat in [view["petit_imprenable"]] if seat is not None]


def _deal(view: View, lying: Lying, dealt: tuple[tuple[Card, ...], ...]) -> Deal:
    turned, called, contract = view["chien"]["cards"], view["called"], view["contract"]
    return Deal(
        number=view["deal_number"],
        dealer=view["dealer"],
        players=tuple(view["players"]),
        dealt=dealt,
        chien=in_deck_order(turned or lying[CHIEN]),
        imprenable=view["petit_imprenable"],
        bids=tuple(from_plain(Spoken, spoken) for spoken in view["bids"]),
        contract=from_plain(Contract, contract) if contract else None,
        called=called["card"] if called else None,
        revealed=Revealed(called["partner"]) if called and called["revealed"] else None,
        turned=turned is not None,
        ecart=in_deck_order(lying[ECART]),
        shown_trumps=tuple(view["ecart"]["trumps"]),
        slam=view["slam"],
        poignees=tuple(from_plain(Poignee, poignee) for poignee in view["poignees"]),
        declined=tuple(view["poignees_declined"]),
        miseres=tuple(from_plain(MisereShown, misere) for misere in view["miseres"]),
    )


def _played(cards: Iterable[Mapping[str, Any]]) -> tuple[TrickCard, ...]:
    return tuple(TrickCard(played["seat"], played["card"]) for played in cards)
