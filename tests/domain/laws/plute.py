"""Facts of Plute for the laws: the pack, where cards lie, who knows which (rules by Darren Smith)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from domain.plute import events as ev
from domain.plute.state import State


def variants(_seats: int) -> list[str]:
    """Give options such that every value of every option occurs."""
    return [
        "early_stop=off low=taker dealer_may_steal=true show_points=true",
        "early_stop=auto joker_order=marked win_at=5 lose_at=5",
        "stuck_dealer_may_raise=true declare_off_jack_lead=true joker_order=marked",
        "win_at=1 lose_at=2 low=taker",
    ]


def with_details(options: dict[str, Any], _seats: int) -> dict[str, Any]:
    """Read what is written as it is meant: a number, a truth, or a word."""
    return {
        name: int(value) if value.isdigit() else {"true": True, "false": False}.get(value, value)
        for name, value in options.items()
    }


def pack(*_: Any) -> set[str]:
    """Give the 52 cards and the two jokers."""
    return {f"{rank}{suit}" for suit in "SHDC" for rank in [*range(2, 11), *"JQKA"]} | {"X1", "X2"}


def has_its_subject(_state: State, _event: Any) -> bool:
    """Say that anything can be recorded at any time."""
    return True


def places_of_cards(state: State) -> Iterator[str]:
    """List what lies in hands and in tricks."""
    for held in state.table.held:
        yield from held
    for cards in (*(trick.cards for trick in state.table.tricks), state.table.trick):
        yield from (played.card for played in cards)


def public_codes(view: dict[str, Any]) -> dict[str, Any]:
    """Leave out the names of marked jokers, which tell nothing of where they are."""
    return {key: value for key, value in view.items() if key != "jokers"}


def known_after(known: frozenset[str], event: Any, viewer: int | None) -> frozenset[str]:
    """Give the cards of the current hand whose place the viewer knows."""
    match event:
        case ev.HandDealt():
            return frozenset(card for hand in event.hands if hand.seat == viewer for card in hand.cards)
        case ev.CardPlayed(_, card):
            return known | {card}
        case _:
            return known


def redealt(events: Sequence[Any], state: State) -> list[Any]:
    """Give the events with the hands that were dealt in the world of ``state``, from its deal on."""
    deal = max(index for index, event in enumerate(events) if isinstance(event, ev.HandDealt))
    hands = tuple(replace(hand, cards=state.hand.dealt[hand.seat]) for hand in events[deal].hands)
    return [*events[:deal], replace(events[deal], hands=hands), *events[deal + 1 :]]


def asked_again(action: Any, _events: Sequence[Any]) -> Any:
    """Give the same action: nothing that a seat asks for is hidden."""
    return action


def is_deal(event: Any) -> bool:
    """Say whether the event deals a new hand."""
    return isinstance(event, ev.HandDealt)


def card_fields(_event_type: str, data: dict[str, Any]) -> dict[str, Any]:
    """Give all of an event: every card in it is one whose place it tells."""
    return data
