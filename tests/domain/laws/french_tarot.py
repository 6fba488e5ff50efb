"""Facts of French Tarot for the laws: the pack, where cards lie, and who knows which (rules of the FFT, 2012)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from domain.french_tarot import events as ev
from domain.french_tarot.actions import Discard
from domain.french_tarot.state import State
from domain.french_tarot.view import View
from domain.game.aggregate import Game
from domain.log.record import Shown
from tests.domain.laws.facts import strings_in

ORDERED: set[tuple[str, str]] = set()
SHORT = {"deals": 1}
LONGEST = {"deals": 120}
IS_NEVER_ALL_SHOWN = True
IN_EVERY_LOG = {"cards_dealt", "card_played"}


def variants(seats: int) -> list[str]:
    """Return options in which every value of every option occurs."""
    more = {
        3: ("deal_packet_3p=3 half_point_short=zero", "half_point_short=won"),
        4: ("deals=2", ""),
        5: (
            "call_self=false five_player_split=equal called_suit_lead=free half_point_short=won poignee_5p_triple=15",
            "called_suit_ban_after_excuse=true half_point_short=zero",
        ),
    }[seats]
    written = [
        "bidding=open minimum_contract=garde petit_sec=imprenable excuse_last_trick=goes_to_trick_winner misere=on "
        f"excuse_wins_last_trick=any_slam poignee_scale=20_40_60 score_rounding=10 {more[0]}",
        "petit_sec=play_on chien_excluded=first3_last3 excuse_wins_last_trick=never poignee_scale=10_20_40 "
        "thrown_in=count poignee_timing=before_first_lead petit_chelem=300/-150 "
        f"score_rounding=5 direction=clockwise {more[1]}",
    ]
    at_five = ["five_player_mode=dead_dealer", "excuse_wins_last_trick=announcing_side"] if seats == 5 else []
    return [" ".join(options.split()) for options in written] + at_five


def with_details(options: dict[str, Any], _seats: int) -> dict[str, Any]:
    """Read numbers and booleans, and make the match a short one: where the dealer sits out, all do so once."""
    values: dict[str, Any] = {"true": True, "false": False}
    short = {"deals": 5} if options.get("five_player_mode") == "dead_dealer" else SHORT
    numbers = ("deal_packet_3p", "poignee_5p_triple", "deals")
    return short | {
        name: int(value) if name in numbers else values.get(value, value) for name, value in options.items()
    }


def pack(*_: Any) -> set[str]:
    """Return the cards in play: all 78, whatever the number of players and the options."""
    suited = {rank + suit for suit in "SHDC" for rank in [*map(str, range(1, 11)), *"VCDR"]}
    return {*suited, *(f"T{n}" for n in range(1, 22)), "EX"}


def has_its_subject(state: State, event: Any) -> bool:
    """Return whether a slam has a taker to announce it, for the announcer leads."""
    return state.deal.contract is not None or not isinstance(event, ev.SlamAnnounced)


def places_of_cards(state: State) -> Iterator[str]:
    """List the cards in hands, in the chien, in the écart, and in tricks."""
    for held in state.table.held:
        yield from held
    yield from () if state.deal.turned else state.deal.chien
    yield from state.deal.ecart
    for cards in (*(trick.cards for trick in state.table.tricks), state.table.trick):
        yield from (played.card for played in cards)


nothing_known = nothing_named = frozenset


def known_after(known: frozenset[str], event: Any, viewer: int | None) -> frozenset[str]:
    """Return the cards of the current deal whose place the viewer knows, or that were named in public."""
    match event:
        case ev.CardsDealt():
            return frozenset(card for hand in event.hands if hand.seat == viewer for card in hand.cards)
        case ev.CardsDiscarded(seat, _, cards) if seat == viewer:
            return known | {*cards}
        case ev.PetitSecShown(_, cards) | ev.ChienTurned(_, cards) | ev.TrumpsShown(_, cards):
            return known | {*cards}
        case ev.PoigneeShown(_, _, cards):
            return known | {*cards}
        case ev.CardCalled(_, card) | ev.CardPlayed(_, card):
            return known | {card}
        case _:
            return known


def codes(known: frozenset[str]) -> frozenset[str]:
    """Return what is known as it is."""
    return known


def named_after(named: frozenset[str], event: Shown, _viewer: int | None, game: Game) -> frozenset[str]:
    """Return the cards of the current deal that have been named, after one more event."""
    shown = frozenset(pack(game) & {*strings_in(card_fields(event["type"], event["data"]))})
    return shown if event["type"] == "cards_dealt" else named | shown


def shown_by_view(view: View, game: Game) -> frozenset[str]:
    """Return the cards that a view names, without what the ends of earlier deals made public."""
    return frozenset(pack(game) & {*strings_in(replace(view, deal_results=()))})


def has_many_worlds(_state: State, _viewer: int | None) -> bool:
    """Return True: there is always a hand that only its seat knows."""
    return True


def redealt(events: Sequence[Any], state: State) -> list[Any]:
    """Return the events with the hidden cards that they have in the world of ``state``, from its deal on."""
    begun = max(index for index, event in enumerate(events) if is_deal(event))
    changed: list[Any] = []
    for event in events[begun:]:
        match event:
            case ev.CardsDealt():
                hands = tuple(replace(hand, cards=state.deal.dealt[hand.seat]) for hand in event.hands)
                changed.append(replace(event, hands=hands, chien=replace(event.chien, cards=state.deal.chien)))
            case ev.CardsDiscarded():
                changed.append(replace(event, cards=state.deal.ecart))
            case _:
                changed.append(event)
    return [*events[:begun], *changed]


def acted_again(action: Any, events: Sequence[Any]) -> Any:
    """Return the action that these events record: the écart is hidden, and differs between worlds."""
    if isinstance(action, Discard):
        return Discard(next(event.cards for event in events if isinstance(event, ev.CardsDiscarded)))
    return action


def is_deal(event: Any) -> bool:
    """Return whether the event begins a new deal."""
    return isinstance(event, ev.CardsDealt)


def card_fields(event_type: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an event, none where the end of a deal makes its cards public."""
    return {} if event_type in ("deal_revealed", "deal_scored") else data
