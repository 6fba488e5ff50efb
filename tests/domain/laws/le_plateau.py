"""Facts of Le Plateau for the laws: the pack, where cards lie, who knows which (rules of 16 June 2023)."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from domain.game.aggregate import Game
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Exchange, Gift, Give
from domain.le_plateau.state import State
from domain.le_plateau.view import View
from domain.log.record import Shown
from tests.domain.laws.facts import strings_in
from tests.domain.le_plateau.reference_rules import printed_board

LONGEST = {"hands": 120}

ORDERED: set[tuple[str, str]] = set()
IN_EVERY_LOG = {"hand_dealt", "card_played"}
FACES = [rank + suit for suit in "SHDC" for rank in "VCDR"]


def variants(seats: int) -> list[str]:
    """List options such that every value of every option, and every deck with every excuse, occurs."""
    full = "deck=full" if seats in (3, 4, 5) else ""
    french = "excuse=french" if seats in (4, 5, 6) else ""
    on, off = ("abdication=on", "abdication=off") if seats == 5 else ("", "")
    written = (
        f"edition=2022 scoring=positive board=random_game {on} {french if seats == 6 else ''}",
        f"{full} {french} board=random_deal void_hands=redeal {off}",
        f"{full} {french} edition=2022 board=custom",
        f"{full} board=custom scoring=positive",
    )
    return [" ".join(options.split()) for options in written]


def with_details(options: dict[str, Any], seats: int) -> dict[str, Any]:
    """Add the tokens of a custom board, in an order of their own for every number of players."""
    if options.get("board") != "custom":
        return options
    tokens = list(printed_board(seats, options.get("deck", "standard")))
    random.Random(seats).shuffle(tokens)
    return options | {"board_tokens": tokens}


def pack(game: Game) -> set[str]:
    """Return the cards in play; what is removed stands in the table of the rules, sections Cards and Variants."""
    seats, options = len(game.sitters), game.options
    trumps = {f"T{n}" for n in range(1, 22)} - ({f"T{n}" for n in range(8, 16)} if seats == 2 else set())
    lowest = {2: (10, 10, 10, 10), 3: (10, 10, 10, 10), 4: (6, 7, 7, 7), 5: (3, 4, 4, 3), 6: (1, 1, 1, 1)}[seats]
    if options.deck == "full":
        lowest = (7, 7, 7, 7) if seats == 3 else (1, 1, 1, 1)
    pips = {f"{pip}{suit}" for suit, low in zip("SHDC", lowest, strict=True) for pip in range(low, 11)}
    return {*FACES, *pips, *trumps, "EX"}


def has_its_subject(state: State, event: Any) -> bool:
    """Return whether there is a contract to change."""
    of_a_contract = ev.PartnerFound | ev.ObjectiveRaised | ev.DeclarerAbdicated
    return state.hand.contract is not None or not isinstance(event, of_a_contract)


def places_of_cards(state: State) -> Iterator[str]:
    """List what lies in hands, in piles, in the talon, in the discard, and in tricks."""
    hand, table = state.hand, state.table
    for held in table.held:
        yield from held
    for of_seat in table.piles:
        yield from (card for pile in of_seat for card in (pile.top, pile.under) if card)
    gone = {*hand.taken, *(dealt.card for dealt in hand.talon_dealt)}
    yield from (card for card in hand.talon if card not in gone)
    yield from hand.discard
    for cards in (*(trick.cards for trick in table.tricks), table.trick):
        yield from (played.card for played in cards)


def public_codes(view: View) -> dict[str, Any]:
    """Leave out where a code names a space of the board, or what the ends of earlier hands made public."""
    return {name: value for name, value in vars(view).items() if name not in ("board", "hand_results")}


nothing_known = nothing_named = frozenset


def known_after(known: frozenset[str], event: Any, viewer: int | None) -> frozenset[str]:
    """Return the cards of the current hand whose place the viewer knows, or that were named in public."""
    if isinstance(event, ev.HandDealt):
        own = {card for hand in event.hands if hand.seat == viewer for card in hand.cards}
        return frozenset(own | {pile.top for of_seat in event.piles for pile in of_seat.piles})
    return known.union(learned(event, viewer))


def learned(event: Any, viewer: int | None) -> Sequence[str]:
    """List the cards that an event names to the viewer."""
    match event:
        case ev.TalonTaken(seat, _, cards) | ev.CardsDiscarded(seat, _, cards) if seat == viewer:
            return cards
        case ev.TalonTurned(groups):
            return [card for group in groups for card in group]
        case ev.CardGiven(giver, receiver, card) if viewer in (giver, receiver):
            return [card]
        case ev.TalonCardDealt(receiver, card) if viewer == receiver:
            return [card]
        case ev.CardAnnounced(_, card) | ev.CardPlayed(_, card) | ev.PileCardTurned(_, _, card):
            return [card]
        case _:
            return []


def codes(known: frozenset[str]) -> frozenset[str]:
    """Return the known cards: they are codes already."""
    return known


def named_after(named: frozenset[str], event: Shown, _viewer: int | None, game: Game) -> frozenset[str]:
    """Return the cards of the current hand that have been named, after one more event."""
    shown = frozenset(pack(game) & {*strings_in(card_fields(event["type"], event["data"]))})
    return shown if event["type"] == "hand_dealt" else named | shown


def shown_by_view(view: View, game: Game) -> frozenset[str]:
    """Return the cards that a view names."""
    return frozenset(pack(game) & {*strings_in(public_codes(view))})


def has_many_worlds(_state: State, _viewer: int | None) -> bool:
    """Return True: there is always a hand that the viewer does not know."""
    return True


def redealt(events: Sequence[Any], state: State) -> list[Any]:
    """Return the events with the hidden cards that they have in the world of ``state``, from its deal on."""
    hand = state.hand
    gifts = {gift.to: gift.card for gift in hand.gifts}
    from_talon = {dealt.to: dealt.card for dealt in hand.talon_dealt}
    deal = max(index for index, event in enumerate(events) if isinstance(event, ev.HandDealt))
    changed: list[Any] = []
    for event in events[deal:]:
        match event:
            case ev.HandDealt():
                hands = tuple(replace(dealt, cards=hand.dealt[dealt.seat]) for dealt in event.hands)
                piles = tuple(
                    replace(of_seat, piles=hand.dealt_piles[seat]) for seat, of_seat in enumerate(event.piles)
                )
                talon = replace(event.talon, cards=hand.talon)
                changed.append(replace(event, hands=hands, piles=piles, talon=talon))
            case ev.TalonTaken():
                changed.append(replace(event, cards=hand.taken))
            case ev.CardsDiscarded():
                changed.append(replace(event, cards=hand.discard))
            case ev.CardGiven():
                changed.append(replace(event, card=gifts[event.to]))
            case ev.TalonCardDealt():
                changed.append(replace(event, card=from_talon[event.to]))
            case _:
                changed.append(event)
    return [*events[:deal], *changed]


def acted_again(action: Any, events: Sequence[Any]) -> Any:
    """Return the action that caused these events: discards and gifts are hidden, and differ between worlds."""
    match action:
        case Exchange():
            return Exchange(next(event.cards for event in events if isinstance(event, ev.CardsDiscarded)))
        case Give():
            return Give(tuple(Gift(event.to, event.card) for event in events if isinstance(event, ev.CardGiven)))
        case _:
            return action


def is_deal(event: Any) -> bool:
    """Return whether the event deals a new hand."""
    return isinstance(event, ev.HandDealt)


def card_fields(event_type: str, data: dict[str, Any]) -> dict[str, Any]:
    """Leave out of an event where codes name spaces, and where the end of a hand makes its cards public."""
    if event_type in ("counters_placed", "hand_won", "hand_revealed", "discard_revealed", "talon_revealed"):
        return {}
    return {key: value for key, value in data.items() if key not in ("board", "options")}
