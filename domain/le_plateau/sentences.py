"""The events and actions of Le Plateau, as messages; their words stand in ``sentences.<language>.json``."""

from domain.cardplay.cards import TAROT_PACK
from domain.sentences.message import AtSeat, Card, Items, Message, Parameter, Text
from domain.sentences.telling import (
    Tellers,
    Told,
    actor,
    card,
    card_list,
    cards,
    if_shown,
    number,
    says,
    scores,
    seat,
    term,
)

_CARDS = frozenset(TAROT_PACK)


def _contract(event: Told) -> Message:
    """Return what is played for; a bid says nothing of the exchange where there is none."""
    form = f".{str(event.data['exchange']).lower()}" if "exchange" in event.data else ""
    parts = {"objective": term("objective", "objective")(event), "team": term("team", "team")(event)}
    return Message(f"contract{form}", parts)


def _spaces(event: Told) -> Items:
    return Items(tuple(map(_space, event.data["spaces"])))


def _space(code: str) -> Parameter:
    return Card(code) if code in _CARDS else Message("trick_space", {"space": Text(code)})


def _turned(event: Told) -> Message:
    first, second = map(card_list, event.data["groups"])
    return Message("talon_turned", {"first": first, "second": second})


def _gifts(event: Told) -> Items:
    return Items(tuple(
        Message("gift", {"card": Card(gift["card"]), "to": AtSeat(gift["seat"])}) for gift in event.data["gifts"]
    ))  # fmt: skip


TELLERS: Tellers = {
    "hand_dealt": says("hand_dealt", hand=number("hand_number"), dealer=seat("dealer")),
    "phase_began": says("phase_began.{phase}"),
    "bid_made": says("bid_made", player=actor, contract=_contract, value=number("value")),
    "passed": says("passed", player=actor),
    "contract_won": says("contract_won", declarer=seat("declarer"), contract=_contract, value=number("value")),
    "hand_passed_out": says("hand_passed_out"),
    "talon_turned": _turned,
    "talon_group_chosen": says("talon_group_chosen.{group}", player=actor),
    "talon_taken": if_shown(
        "cards",
        says("talon_taken", player=actor, cards=cards("cards")),
        says("talon_taken.unseen", player=actor, count=number("count")),
    ),
    "cards_discarded": if_shown(
        "cards",
        says("cards_discarded", player=actor, cards=cards("cards")),
        says("cards_discarded.unseen", player=actor, count=number("count")),
    ),
    "card_given": if_shown(
        "card",
        says("card_given", player=actor, to=seat("to"), card=card("card")),
        says("card_given.unseen", player=actor, to=seat("to")),
    ),
    "talon_card_dealt": if_shown(
        "card",
        says("talon_card_dealt", to=seat("to"), card=card("card")),
        says("talon_card_dealt.unseen", to=seat("to")),
    ),
    "card_announced": says("card_announced", player=actor, card=card("card")),
    "announcement_answered": if_shown(
        "holder",
        says("announcement_answered", holder=seat("holder"), card=card("card")),
        says("announcement_answered.nobody", card=card("card")),
    ),
    "partner_found": says("partner_found", partner=seat("partner")),
    "objective_raised": says(
        "objective_raised", player=actor, objective=term("objective", "objective"), value=number("value")
    ),
    "objective_kept": says("objective_kept", player=actor),
    "declarer_abdicated": says("declarer_abdicated", player=actor, declarer=seat("declarer"), partner=seat("partner")),
    "card_played": if_shown(
        "pile",
        says("card_played.pile", player=actor, card=card("card")),
        says("card_played", player=actor, card=card("card")),
    ),
    "trick_won": says("trick_won", number=number("number"), winner=seat("winner")),
    "counters_placed": says("counters_placed.{team}", spaces=_spaces),
    "pile_card_turned": says("pile_card_turned", owner=seat("owner"), card=card("card")),
    "discard_revealed": says("discard_revealed", cards=cards("cards")),
    "talon_revealed": says("talon_revealed", cards=cards("cards")),
    "hand_won": says("hand_won.{by}", objective=term("objective", "objective")),
    "hand_revealed": says("hand_revealed"),
    "hand_scored": says("hand_scored", value=number("value"), scores=scores),
    "stop_agreed": says("stop_agreed"),
}

ACTION_TELLERS: Tellers = {
    "bid": says("action.bid", contract=_contract),
    "pass": says("action.pass"),
    "exchange": says("action.exchange", cards=cards("discard")),
    "give": says("action.give", gifts=_gifts),
    "choose_talon": says("action.choose_talon.{group}"),
    "announce": says("action.announce", card=card("card")),
    "raise": says("action.raise", objective=term("objective", "objective")),
    "keep": says("action.keep"),
    "abdicate": says("action.abdicate"),
    "play": says("action.play", card=card("card")),
}
