"""Whole games of Plateau in text, an action a line (docs/notation.md; rules.md, notation).

The line of an action is in ``notation_lines``; offers of a draw, and the answers, stand between them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from domain.errors import IllegalAction
from domain.notation.lexer import ASKED, Lexer, Word
from domain.notation.replay import Replay
from domain.plateau import agreements, lines
from domain.plateau.options import Options
from domain.plateau.stacks import Token
from domain.serialization import Plain
from domain.table import Seat

Event: TypeAlias = Mapping[str, Any]
"""An event as the interface shows it: its ``type``, ``seat`` and ``data``."""

OFFERED, ACCEPTED, DECLINED = ASKED, "=", "=-"


def write(_options: Options, events: Sequence[Event]) -> Iterator[str]:
    """Write a log, an action a line."""
    placed = _placed(events)
    for event in events:
        text = _of_a_draw(event) or lines.write(event["type"], _opened(event, placed))
        if text is not None:
            yield lines.line(event["seat"], text)


def read(replay: Replay, words: Lexer) -> None:
    """Read actions and have them played, up to the result or the end of the text."""
    turns, draws = 0, _Draws(replay)
    while words.more:
        _read_line(replay, draws, words)
        turns += 1
    replay.report(f"{turns} turns")


def _of_a_draw(event: Event) -> str | None:
    match event["type"]:
        case "proposal_made":
            return OFFERED
        case "vote_cast":
            return ACCEPTED if event["data"]["accept"] else DECLINED
        case _:
            return None


def _placed(events: Sequence[Event]) -> dict[Token, tuple[str, str]]:
    """Tell which piece was placed with which face up, once the end of the game has made all of them public."""
    if not any(event["type"] == "everything_revealed" for event in events):
        return {}
    captured = [piece for event in events if event["type"] == "pieces_captured" for piece in event["data"]["pieces"]]
    on_board = [
        piece
        for event in events
        if event["type"] == "everything_revealed"
        for stack in event["data"]["stacks"]
        for piece in stack["pieces"]
    ]
    return {
        piece["token"]: (piece["piece"], piece["bottom"] if piece["turned"] else piece["top"])
        for piece in (*captured, *on_board)
    }


def _opened(event: Event, placed: Mapping[Token, tuple[str, str]]) -> Mapping[str, Plain]:
    """Put into an event what the end of the game has made public."""
    data: Mapping[str, Plain] = event["data"]
    match event["type"]:
        case "unit_opened" if placed:
            (lower, up), (upper, _) = placed[data["lower_token"]], placed[data["upper_token"]]
            return {**data, "lower": {"piece": lower, "up": up}, "upper": upper}
        case "piece_onboarded" if placed:
            return {**data, "piece": placed[data["token"]][0]}
        case _:
            return data


# -- reading --------------------------------------------------------------------------------------------------------


_SQUARE, _CODE = "a square, a1 to d4", "a piece: its upper and its lower face"
_FURTHER: Mapping[str, tuple[tuple[str, str], ...]] = {
    "*": (("[a-d][1-4]", _SQUARE), ("[rbox]{2}[.][rbox]{2}", "the lower piece, a dot, and the upper piece")),
    "+": (("[rbox]{2}", _CODE),),
    "$": (("[A-Z+]+", "prisoners, joined by +"),),
    "%": (("[A-Z+]+|-", "prisoners, joined by +, or -"),),
}
"""What comes after the first word of an action, by how that begins: a pattern, and what to call it."""


class _Draws:
    """The offer of a draw that stands, if one does."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._offered: tuple[Seat, Any] | None = None

    def read(self, word: Word, seat: Seat) -> None:
        """Read that a player offers a draw, accepts or declines one."""
        if word.text == OFFERED:
            if self._stands():
                raise word.wrong("a draw is offered already")
            self._offered = seat, self._ground(seat)
        elif not self._stands(by=1 - seat):
            raise word.wrong(f"no offer of a draw stands that {lines.PLAYERS[seat]} could answer")
        else:
            self._offered = None
            if word.text == ACCEPTED:
                self._replay.record(agreements.agree(self._replay.state, "draw"))

    def _stands(self, by: Seat | None = None) -> bool:
        """Say whether there is an offer (by a player) that has not lapsed."""
        if self._offered is None:
            return False
        seat, ground = self._offered
        return by in (None, seat) and self._ground(seat) == ground

    def _ground(self, seat: Seat) -> Any:
        return agreements.offers(self._replay.state, seat)["draw"]


def _read_line(replay: Replay, draws: _Draws, words: Lexer) -> None:
    label = words.take()
    if label.text not in ("B:", "W:"):
        raise label.wrong(f"{label} does not belong here: a line begins with B: or W:")
    if replay.state.phase == "over":
        raise label.wrong("the game is over")
    seat = lines.PLAYERS.index(label.text[0])
    if words.next.text in (OFFERED, ACCEPTED, DECLINED):
        draws.read(words.take(), seat)
    else:
        _read_action(replay, words, label, seat)


def _read_action(replay: Replay, words: Lexer, label: Word, seat: Seat) -> None:
    if words.next.text != lines.RESIGNATION and replay.to_act != [seat]:
        raise label.wrong(f"{lines.PLAYERS[1 - seat]} is to act")
    last, text = _action_words(words)
    try:
        if text == lines.RESIGNATION:
            replay.record(agreements.resigned(replay.state, seat))
        else:
            replay.act(seat, lines.read(text, replay.state))
    except IllegalAction as refused:
        raise last.wrong(refused.message, refused.rule) from refused
    except ValueError as fault:
        raise last.wrong(str(fault)) from fault


def _action_words(words: Lexer) -> tuple[Word, str]:
    """Take the words of one action; answer the last of them, and all of it."""
    taken = [words.take()]
    if taken[0].is_label or not taken[0].text:
        raise taken[0].wrong(f"an action must stand here, not {taken[0]}")
    for pattern, what in _FURTHER.get(taken[0].text[:1], ()):
        word = words.take()
        if not re.fullmatch(pattern, word.text):
            raise word.wrong(f"{what} must stand here, not {word}")
        taken.append(word)
    return taken[-1], " ".join(word.text for word in taken)
