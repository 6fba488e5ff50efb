"""Facts of Plute for the laws: the pack, where cards lie, who knows which (rules by Darren Smith)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from domain.game.aggregate import Game
from domain.log.record import Shown
from domain.plute import events as ev
from domain.plute.state import State
from domain.plute.view import View
from domain.serialization import to_plain
from tests.domain.laws.facts import strings_in

LONGEST = {"win_at": 9, "lose_at": 9, "early_stop": "off"}

ORDERED: set[tuple[str, str]] = set()
IN_EVERY_LOG = {"hand_dealt", "contract_won", "trump_named", "card_played"}
IS_NEVER_ALL_SHOWN = True
PACK = {f"{rank}{suit}" for suit in "SHDC" for rank in [*range(2, 11), *"JQKA"]} | {"X1", "X2"}


def variants(_seats: int) -> list[str]:
    """Return options such that every value of every option occurs."""
    return [
        "early_stop=off low=taker dealer_may_steal=true show_points=true win_at=2 lose_at=2 chat_in_hand=true",
        "early_stop=auto joker_order=marked stuck_dealer_may_raise=true declare_off_jack_lead=true win_at=1 lose_at=2",
    ]


def with_details(options: dict[str, Any], _seats: int) -> dict[str, Any]:
    """Read what is written as it is meant: a number, a truth, or a word."""
    return {
        name: int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value)
        for name, value in options.items()
    }


def pack(game: Game) -> set[str]:
    """Return the 52 cards and the two jokers, for six."""
    assert len(game.sitters) == 6
    return PACK


def has_its_subject(_state: State, _event: Any) -> bool:
    """Return True: any event can be recorded at any time."""
    return True


def places_of_cards(state: State) -> Iterator[str]:
    """List what lies in hands and in tricks."""
    for held in state.table.held:
        yield from held
    for cards in (*(trick.cards for trick in state.table.tricks), state.table.trick):
        yield from (played.card for played in cards)


nothing_known = nothing_named = frozenset


def known_after(known: frozenset[str], event: Any, viewer: int | None) -> frozenset[str]:
    """Return the cards of the current hand whose places the viewer knows."""
    match event:
        case ev.HandDealt():
            return frozenset(card for hand in event.hands if hand.seat == viewer for card in hand.cards)
        case ev.CardPlayed(_, card):
            return known | {card}
        case _:
            return known


def codes(known: frozenset[str]) -> frozenset[str]:
    """Return what is known unchanged."""
    return known


def named_after(named: frozenset[str], event: Shown, _viewer: int | None, _game: Game) -> frozenset[str]:
    """Return the cards of the current hand that events have named, after one more event."""
    shown = frozenset(PACK & {*strings_in(event["data"])})
    return shown if event["type"] == "hand_dealt" else named | shown


def shown_by_view(view: View, _game: Game) -> frozenset[str]:
    """Return the cards that a view names; the names of marked jokers do not reveal where they are."""
    return frozenset(PACK & {*strings_in({**to_plain(view), "jokers": None})})


def has_many_worlds(_state: State, _viewer: int | None) -> bool:
    """Return True: every viewer has hands that are hidden."""
    return True


def redealt(events: Sequence[Any], state: State) -> list[Any]:
    """Return the events with the hands that were dealt in the world of ``state``, from its deal on."""
    deal = max(index for index, event in enumerate(events) if isinstance(event, ev.HandDealt))
    hands = tuple(replace(hand, cards=state.hand.dealt[hand.seat]) for hand in events[deal].hands)
    return [*events[:deal], replace(events[deal], hands=hands), *events[deal + 1 :]]


def acted_again(action: Any, _events: Sequence[Any]) -> Any:
    """Return the same action: no action depends on anything hidden."""
    return action


def is_deal(event: Any) -> bool:
    """Return whether the event deals a new hand."""
    return isinstance(event, ev.HandDealt)
