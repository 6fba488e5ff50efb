"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

The world agrees with the view and with what the view shows of the past (``inference``). It is drawn from all such
worlds, each equally likely; a world is where every unseen card lies, from which follows what was dealt.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from domain.cardplay.cards import TAROT_PACK, Card, Hands, in_deck_order
from domain.cardplay.placement import completed
from domain.chance import Rng
from domain.errors import NoWorldFound
from domain.french_tarot.deck import is_petit_sec
from domain.french_tarot.inference import CHIEN, ECART, Place, allowed_places, cards_played
from domain.french_tarot.options import Options
from domain.french_tarot.state import Deal, State, Table, initial
from domain.french_tarot.view import View
from domain.log.record import Shown
from domain.serialization import Plain
from domain.table import Seat, Viewer

MOST_DRAWS = 1000
"""How often a world is drawn again because a hand in it is a petit sec that would have been shown; rarely twice."""

Lying: TypeAlias = Mapping[Place, tuple[Card, ...]]


def sample(options: Options, viewer: Viewer, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view of ``viewer``, whose own cards the view shows."""
    seats = len(view.scores)
    if not view.deal_number:
        return initial(options, seats)
    for _ in range(MOST_DRAWS):
        lying = _lie_of_cards(options, view, rng)
        dealt = _dealt(view, lying)
        if _is_as_declared(options, view, dealt):
            held = tuple(in_deck_order(lying["held", hand.seat]) for hand in view.hands)
            table = Table(held, view.trick.cards if view.trick else (), view.tricks)
            deal = _deal(view, lying, dealt)
            return State(options, seats, view.phase, deal, table, view.scores, view.deal_results)
    raise NoWorldFound(f"no world found in which only the petits secs of this view of {viewer} were shown")


def free_cards(options: Options, view: View) -> Mapping[Card, frozenset[Place]]:
    """Return the cards whose place the view does not show, each with the places that it can lie in."""
    known = _known_cards(view)
    left = {place: count - len(known.get(place, ())) for place, count in _room(view).items()}
    shown = {played.card for played in cards_played(view)}.union(*known.values())
    allowed = allowed_places(options, view)
    return {
        card: frozenset(place for place in left if left[place] and allowed(card, place))
        for card in TAROT_PACK
        if card not in shown
    }


def _room(view: View) -> dict[Place, int]:
    """Return how many cards lie in each unseen place."""
    held: dict[Place, int] = {("held", hand.seat): hand.count for hand in view.hands}
    return held | {CHIEN: view.chien.count, ECART: view.ecart.count}


def _lie_of_cards(options: Options, view: View, rng: Rng) -> Lying:
    """Return the cards of every unseen place: those that the viewer knows, and the others drawn."""
    room = _room(view)
    played = (played.card for played in cards_played(view))
    return completed(TAROT_PACK, room, _known_cards(view), played, allowed_places(options, view), rng)


def _known_cards(view: View) -> Lying:
    """Return the cards whose unseen place the viewer knows for certain."""
    result = view.result
    if result is not None:
        return {ECART: result.ecart, CHIEN: result.chien if view.chien.count else ()}
    laid_aside = view.ecart.cards or view.ecart.trumps
    no_longer_held = {*laid_aside, *(played.card for played in cards_played(view))}
    known: dict[Place, tuple[Card, ...]] = {ECART: laid_aside}
    if view.chien.count and view.chien.cards:
        known[CHIEN] = view.chien.cards
    for poignee in view.poignees:
        known["held", poignee.seat] = tuple(card for card in poignee.cards if card not in no_longer_held)
    return known | {("held", hand.seat): hand.cards for hand in view.hands if hand.cards is not None}


def _dealt(view: View, lying: Lying) -> Hands:
    """Return the hands as they were dealt, before chien and écart."""
    hands = {hand.seat: [*lying["held", hand.seat]] for hand in view.hands}
    for played in cards_played(view):
        hands[played.seat].append(played.card)
    if view.contract and view.chien.turned_up:
        taker = view.contract.taker
        hands[taker] = [card for card in (*hands[taker], *lying[ECART]) if card not in view.chien.turned_up]
    return tuple(in_deck_order(hands[seat]) for seat in sorted(hands))


def _is_as_declared(options: Options, view: View, dealt: Iterable[tuple[Card, ...]]) -> bool:
    """Return whether the only petit sec among the hands is the one that was declared."""
    declared = [] if view.petit_imprenable is None else [view.petit_imprenable]
    is_cancelled = view.phase == "deal" and not view.bids
    if options.petit_sec == "play_on" or is_cancelled:
        return True
    return declared == [seat for seat, hand in enumerate(dealt) if is_petit_sec(hand)]


def _deal(view: View, lying: Lying, dealt: Hands) -> Deal:
    return Deal(
        number=view.deal_number,
        dealer=view.dealer,
        players=view.players,
        dealt=dealt,
        chien=in_deck_order(view.chien.cards or lying[CHIEN]),
        imprenable=view.petit_imprenable,
        bids=view.bids,
        contract=view.contract,
        called=view.called,
        turned=bool(view.chien.turned_up),
        ecart=in_deck_order(lying[ECART]),
        shown_trumps=view.ecart.trumps,
        slam=view.slam,
        poignees=view.poignees,
        declined=view.poignees_declined,
        miseres=view.miseres,
    )


def hidden_parts(state: State, events: Sequence[Shown]) -> Iterator[Mapping[str, Plain]]:
    """Return the hidden parts of the events of a deal, as they were in the world of a state."""
    shown = next((event["data"] for event in events if event["type"] == "petit_sec_shown"), None)
    for event in events:
        match event["type"]:
            case "cards_dealt" if shown:
                yield _around(shown["holder"], shown["cards"], event["data"], state.deal)
            case "cards_dealt":
                hands = {f"/hands/{seat}/cards": cards for seat, cards in enumerate(state.deal.dealt)}
                yield {**hands, "/chien/cards": state.deal.chien}
            case "cards_discarded":
                yield {"/cards": state.deal.ecart}
            case _:
                yield {}


def _around(holder: Seat, shown: Iterable[Card], dealt: Mapping[str, Plain], deal: Deal) -> Mapping[str, Plain]:
    """Return the cards of a deal that was thrown in because of a petit sec, which no view shows."""
    known = {hand["seat"]: tuple(hand["cards"]) for hand in dealt["hands"] if "cards" in hand} | {holder: tuple(shown)}
    seen = {card for cards in known.values() for card in cards}
    rest = (card for cards in (*deal.dealt, deal.chien) for card in cards if card not in seen)
    parts: dict[str, Plain] = {}
    for seat, hand in enumerate(dealt["hands"]):
        cards = known[seat] if seat in known else in_deck_order(islice(rest, hand["count"]))
        parts[f"/hands/{seat}/cards"] = cards
    return {**parts, "/chien/cards": in_deck_order(rest)}
