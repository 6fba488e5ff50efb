"""The events and actions of Plateau, as messages; their words stand in ``sentences.<language>.json``."""

from collections import Counter
from collections.abc import Iterable, Mapping

from domain.plateau.pieces import Kind, in_order
from domain.sentences.message import Items, Message, Number, Text
from domain.sentences.telling import Tellers, Told, actor, if_shown, number, says, seat, term, text
from domain.serialization import Plain


def _opened(event: Told) -> Message:
    return Message("unit_opened", {
        "player": actor(event),
        "square": Text(event.data["square"]),
        "upper": _piece(event.data["upper"]),
        "face": term("top", "face")(event),
        "lower": _piece(event.data["lower"]["piece"]),
    })  # fmt: skip


def _moved(event: Told) -> Message:
    """Tell a move; the stops are left out where there are none."""
    stops = Items(tuple(Text(stop["square"]) for stop in event.data["stops"]))
    forms = ["flipped"] * event.data["flipped"] + ["stops"] * bool(stops.value)
    return Message(".".join(["unit_moved", *forms]), {
        "player": actor(event),
        "lift": Number(event.data["lift"]),
        "start": Text(event.data["from"]),
        "to": Text(event.data["to"]),
        **({"stops": stops} if stops.value else {}),
    })  # fmt: skip


def _faces(event: Told) -> Items:
    return Items(tuple(
        Message("face_on", {"face": Message(f"face.{shown['face']}"), "square": Text(shown["square"])})
        for shown in event.data["faces"]
    ))  # fmt: skip


def _captured(event: Told) -> Items:
    return _pieces(captured["piece"] for captured in event.data["pieces"])


def _to_open(event: Told) -> Message:
    lower, upper = map(_placed, event.data["pieces"])
    return Message("action.open", {"square": Text(event.data["square"]), "lower": lower, "upper": upper})


def _to_move(event: Told) -> Message:
    """Word a move; the stops are left out where there are none."""
    stops = Items(tuple(
        Message("stop", {"square": Text(stop["square"]), "carry": Number(stop["carry"])})
        for stop in event.data["stops"]
    ))  # fmt: skip
    forms = ["flip"] * event.data["flip"] + ["stops"] * bool(stops.value)
    return Message(".".join(["action.move", *forms]), {
        "lift": Number(event.data["lift"]),
        "start": Text(event.data["from"]),
        "to": Text(event.data["to"]),
        **({"stops": stops} if stops.value else {}),
    })  # fmt: skip


def _to_respond(event: Told) -> Message:
    if event.data["refuse"]:
        return Message("action.respond.refuse")
    return Message("action.respond", {"pieces": _pieces(event.data["pieces"])})


def _placed(placed: Mapping[str, Plain]) -> Message:
    return Message("placed", {"piece": _piece(placed["piece"]), "face": Message(f"face.{placed['up']}")})


def _piece(kind: Kind, count: int = 1) -> Message:
    return Message(f"piece.{kind}", {"count": Number(count)})


def _pieces(kinds: Iterable[Kind]) -> Items:
    """List pieces, the most valuable first, with equal ones counted."""
    return Items(tuple(_piece(kind, count) for kind, count in Counter(in_order(kinds)).items()))


TELLERS: Tellers = {
    "unit_opened": if_shown(
        "upper", _opened, says("unit_opened.unseen", player=actor, square=text("square"), face=term("top", "face"))
    ),
    "piece_onboarded": if_shown(
        "piece",
        says(
            "piece_onboarded",
            player=actor,
            piece=lambda event: _piece(event.data["piece"]),
            square=text("square"),
            height=number("height"),
            face=term("top", "face"),
        ),
        says(
            "piece_onboarded.unseen",
            player=actor,
            square=text("square"),
            height=number("height"),
            face=term("top", "face"),
        ),
    ),
    "unit_moved": _moved,
    "unit_stomped": says("unit_stomped.{flipped}", player=actor, square=text("square")),
    "faces_shown": says("faces_shown", faces=_faces),
    "pieces_captured": says("pieces_captured", player=seat("by"), pieces=_captured, square=text("square")),
    "prisoners_tendered": says(
        "prisoners_tendered",
        player=actor,
        pieces=lambda event: _pieces(event.data["pieces"]),
        to=seat("to"),
        total=number("total"),
    ),
    "prisoners_exchanged": says(
        "prisoners_exchanged",
        player=actor,
        given=lambda event: _pieces(event.data["given"]),
        to=seat("initiator"),
        tendered=lambda event: _pieces(event.data["tendered"]),
    ),
    "tender_refused": says("tender_refused", player=actor),
    "turn_forfeited": says("turn_forfeited", player=actor),
    "turn_began": says("turn_began", player=seat("player")),
    "turn_resumed": says("turn_resumed", player=seat("player")),
    "resigned": says("resigned", player=actor),
    "time_lost": says("time_lost", player=actor),
    "game_won": says("game_won.{reason}", winner=seat("winner")),
    "game_drawn": says("game_drawn.{reason}"),
    "everything_revealed": says("everything_revealed"),
}

ACTION_TELLERS: Tellers = {
    "open": _to_open,
    "onboard": says(
        "action.onboard", placed=lambda event: _placed(event.data), square=text("square"), height=number("height")
    ),
    "move": _to_move,
    "stomp": says("action.stomp.{flip}", square=text("square")),
    "tender": says("action.tender", pieces=lambda event: _pieces(event.data["pieces"])),
    "respond": _to_respond,
    "pass": says("action.pass"),
}
