"""The events and actions of Hearts, as messages; their words stand in ``sentences.<language>.json``."""

from domain.sentences.message import AtSeat, Items, Message
from domain.sentences.telling import Tellers, Told, actor, card, card_list, cards, if_shown, number, says, scores, seat


def _dealt(event: Told) -> Message:
    """Tell a deal; a reader who sees cards reads which they are."""
    hand = {"hand": number("hand_number")(event), "dealer": seat("dealer")(event)}
    direction = Message(f"direction.{event.data['direction']}")
    seen = Items(tuple(
        Message("has", {"seat": AtSeat(dealt["seat"]), "cards": card_list(dealt["cards"])})
        for dealt in event.data["hands"] if "cards" in dealt
    ))  # fmt: skip
    told = {**hand, "direction": direction}
    return Message("hand_dealt.seen", {**told, "seen": seen}) if seen.value else Message("hand_dealt", told)


def _passed(event: Told) -> Message:
    """Tell the passing; a reader who sees cards reads which they are and where they went."""
    seen = Items(tuple(
        Message("gets", {"receiver": AtSeat(each["receiver"]), "cards": card_list(each["cards"])})
        for each in event.data["passes"] if "cards" in each
    ))  # fmt: skip
    return Message("cards_passed.seen", {"seen": seen}) if seen.value else Message("cards_passed")


TELLERS: Tellers = {
    "hand_dealt": _dealt,
    "cards_chosen": if_shown(
        "cards",
        says("cards_chosen.seen", player=actor, cards=cards("cards")),
        says("cards_chosen", player=actor, count=number("count")),
    ),
    "cards_passed": _passed,
    "play_began": says("play_began", leader=seat("leader"), card=card("card")),
    "card_played": says("card_played", player=actor, card=card("card")),
    "hearts_broken": says("hearts_broken"),
    "trick_taken": says("trick_taken", number=number("number"), winner=seat("winner"), points=number("points")),
    "hand_scored": if_shown(
        "shooter",
        says("hand_scored.moon", hand=number("hand_number"), shooter=seat("shooter"), scores=scores),
        says("hand_scored", hand=number("hand_number"), scores=scores),
    ),
}

ACTION_TELLERS: Tellers = {
    "pass": says("action.pass", cards=cards("cards")),
    "play": says("action.play", card=card("card")),
}
