"""The events and actions of Plute, as messages; their words stand in ``sentences.<language>.json``."""

from domain.sentences.message import Items, Message
from domain.sentences.telling import Tellers, Told, actor, card, if_shown, number, says, seat, term


def _points(event: Told) -> Items:
    return Items(tuple(Message(f"point.{point}") for point in event.data["points"]))


TELLERS: Tellers = {
    "hand_dealt": says("hand_dealt", hand=number("hand_number"), dealer=seat("dealer")),
    "phase_began": says("phase_began.{phase}"),
    "bid_made": says("bid_made", player=actor, points=number("points")),
    "passed": says("passed", player=actor),
    "contract_won": says("contract_won", bidder=seat("bidder"), team=term("team", "team"), points=number("points")),
    "card_played": says("card_played", player=actor, card=card("card")),
    "trump_named": says("trump_named", player=actor, suit=term("trump", "suit")),
    "joker_named": says("joker_named.{name}", card=card("card")),
    "trick_won": says("trick_won", number=number("number"), winner=seat("winner"), team=term("team", "team")),
    "hand_claimed": says("hand_claimed", player=actor),
    "hand_stopped": says("hand_stopped", tricks=number("tricks")),
    "points_counted": says("points_counted", team=term("team", "team"), points=_points, value=number("game_value")),
    "plute_made": says("plute_made", team=term("team", "team")),
    "bid_made_good": says(
        "bid_made_good", team=term("team", "team"), bid=number("bid"), points=number("points"), made=number("made")
    ),
    "team_set": says(
        "team_set", team=term("team", "team"), bid=number("bid"), points=number("points"), sets=number("set")
    ),
}

ACTION_TELLERS: Tellers = {
    "bid": says("action.bid", points=number("points")),
    "pass": says("action.pass"),
    "play": if_shown(
        "trump",
        says("action.play.trump", card=card("card"), suit=term("trump", "suit")),
        says("action.play", card=card("card")),
    ),
    "claim": says("action.claim"),
}
