"""Plateau in text, written: an action a line, from events as some viewer can see them (docs/notation.md).

``lines`` writes the line of an action; offers of a draw, and the answers, stand between them.
"""

from collections.abc import Iterator, Mapping, Sequence

from domain.log.record import Shown
from domain.notation.lexer import ASKED
from domain.plateau import lines
from domain.plateau.options import Options
from domain.plateau.stacks import Token
from domain.serialization import Plain

OFFERED, ACCEPTED, DECLINED = ASKED, "=", "=-"


def write(_options: Options, events: Sequence[Shown]) -> Iterator[str]:
    """Write a log, an action a line."""
    placed = _placed(events)
    for event in events:
        text = _draw(event) or lines.write(event["type"], _disclosed(event, placed))
        if text is not None:
            yield lines.line(event["seat"], text)


def _draw(event: Shown) -> str | None:
    """Write an offer of a draw, or the answer to one."""
    match event["type"]:
        case "proposal_made":
            return OFFERED
        case "vote_cast":
            return ACCEPTED if event["data"]["accept"] else DECLINED
        case _:
            return None


def _placed(events: Sequence[Shown]) -> Mapping[Token, tuple[str, str]]:
    """Return which piece was placed with which face up, once the end of the game has made all of them public."""
    revealed = next((event["data"] for event in events if event["type"] == "everything_revealed"), None)
    if revealed is None:
        return {}
    captures = [event["data"] for event in events if event["type"] == "pieces_captured"]
    return {
        piece["token"]: (piece["piece"], piece["bottom"] if piece["turned"] else piece["top"])
        for shown in (*captures, *revealed["stacks"])
        for piece in shown["pieces"]
    }


def _disclosed(event: Shown, placed: Mapping[Token, tuple[str, str]]) -> Mapping[str, Plain]:
    """Add to an event what the end of the game has made public."""
    data: Mapping[str, Plain] = event["data"]
    match event["type"]:
        case "unit_opened" if placed:
            (lower, up), (upper, _) = placed[data["lower_token"]], placed[data["upper_token"]]
            return {**data, "lower": {"piece": lower, "up": up}, "upper": upper}
        case "piece_onboarded" if placed:
            return {**data, "piece": placed[data["token"]][0]}
        case _:
            return data
