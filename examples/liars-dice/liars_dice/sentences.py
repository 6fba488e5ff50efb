"""The events and actions as messages; their words stand in ``sentences.en.json``."""

from collections.abc import Mapping

from domain.sentences.message import AtSeat, Items, Message, Number
from domain.sentences.telling import Tellers, Told, actor, number, says, seat
from domain.serialization import Plain


def _dice(count: int, face: int) -> Message:
    return Message("dice", {"count": Number(count), "face": Number(face)})


def _bid(bid: Mapping[str, Plain]) -> Message:
    return _dice(bid["count"], bid["face"])


def _rolled(event: Told) -> Message:
    """Tell a roll; a reader who can see dice reads which they are."""
    begun = {"round": number("round")(event), "starter": seat("starter")(event)}
    seen = Items(tuple(
        Message("under", {"seat": AtSeat(cup["seat"]), "dice": Items(tuple(map(Number, cup["dice"])))})
        for cup in event.data["cups"] if "dice" in cup
    ))  # fmt: skip
    return Message("dice_rolled.seen", {**begun, "seen": seen}) if seen.value else Message("dice_rolled", begun)


TELLERS: Tellers = {
    "dice_rolled": _rolled,
    "bid_made": says("bid_made", player=actor, bid=lambda event: _bid(event.data)),
    "bid_challenged": says("bid_challenged", player=actor),
    "cups_lifted": says(
        "cups_lifted", matching=number("matching"), bid=lambda event: _bid(event.data["bid"]), loser=seat("loser")
    ),
}

ACTION_TELLERS: Tellers = {
    "bid": says("action.bid", bid=lambda action: _bid(action.data)),
    "challenge": says("action.challenge"),
}
