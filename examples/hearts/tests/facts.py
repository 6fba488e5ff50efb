"""Facts of Hearts for the laws: what each player knows of the cards, told from what happens at a table."""

from dataclasses import replace

from hearts.nouns import CardPlayed, CardsChosen, CardsPassed, HandDealt, PlayBegan

from domain.laws import Facts
from domain.laws.facts import strings_in
from domain.serialization import to_plain

PACK = {f"{rank}{suit}" for suit in "SHDC" for rank in [*range(2, 11), *"JQKA"]}


def known_after(known, event, viewer):
    """A player knows their own cards, also those given away, and those that they got; all see what is played."""
    match event:
        case HandDealt():
            return frozenset(card for hand in event.hands if hand.seat == viewer for card in hand.cards)
        case CardsPassed():
            return known | {
                card for each in event.passes if viewer in (each.receiver, each.giver) for card in each.cards
            }
        case PlayBegan(_, card) | CardPlayed(_, card):
            return known | {card}
    return known


def named_after(named, event, _viewer, _game):
    shown = frozenset(PACK & {*strings_in(event["data"])})
    return shown if event["type"] == "hand_dealt" else named | shown


def shown_by_view(view, _game):
    return frozenset(PACK & {*strings_in(to_plain(view))})


def places_of_cards(state):
    """Cards lie in hands, face down to be passed, on the table and in tricks."""
    yield from (card for held in state.table.held for card in held)
    if not state.hand.passed:
        yield from (card for chosen in state.hand.chosen for card in chosen)
    for trick in (*(trick.cards for trick in state.table.tricks), state.table.trick):
        yield from (played.card for played in trick)


def redealt(events, state):
    """Return the events with the cards that were dealt and passed in the world of a state."""
    hand = state.hand
    return [_redealt(event, hand) for event in events]


def _redealt(event, hand):
    match event:
        case HandDealt():
            return replace(event, hands=tuple(replace(each, cards=hand.dealt[each.seat]) for each in event.hands))
        case CardsChosen():
            return replace(event, cards=hand.chosen[event.seat])
        case CardsPassed():
            passes = (replace(each, cards=hand.chosen[each.giver]) for each in event.passes)
            return replace(event, passes=tuple(passes))
    return event


def acted_again(action, events):
    """Return what a seat chose to pass in another world."""
    chosen = [event.cards for event in events if isinstance(event, CardsChosen)]
    return replace(action, cards=chosen[0]) if chosen else action


def has_many_worlds(state, _viewer):
    """Cards that were passed between others stay unknown; without passing, only unplayed cards are."""
    return state.hand.direction != "none" or len(state.table.tricks) < 7


FACTS = Facts(
    known_after=known_after,
    named_after=named_after,
    shown_by_view=shown_by_view,
    is_deal=lambda event: isinstance(event, HandDealt),
    redealt=redealt,
    acted_again=acted_again,
    has_many_worlds=has_many_worlds,
    pack=lambda game: PACK if game.state is not None and game.state.hand.number else (),
    places_of_cards=places_of_cards,
    short={"limit": 25},
    longest={"limit": 100, "shoot_the_moon": False},
    words=sorted(PACK),
    is_never_all_shown=True,
)
