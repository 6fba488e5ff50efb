"""Plateau in text, read: the actions of a game, and the offers of a draw between them (docs/notation.md)."""

import re
from collections.abc import Mapping

from domain.errors import IllegalAction
from domain.notation.lexer import Lexer, Word
from domain.notation.replay import Replay
from domain.plateau import agreements, lines
from domain.plateau.notation.writer import ACCEPTED, DECLINED, OFFERED
from domain.plateau.state import State
from domain.table import Seat

_FURTHER: Mapping[str, tuple[tuple[str, str], ...]] = {
    "[*]": (
        ("[a-d][1-4]", "a square, a1 to d4"),
        ("[rbox]{2}[.][rbox]{2}", "the lower piece, a dot, and the upper piece"),
    ),
    "[+][a-d][1-4]/[0-9]{1,2}": (("[rbox]{2}", "a piece: its upper and its lower face"),),
    "[$]": (("[A-Z+]+", "prisoners, joined by +"),),
    "%": (("[A-Z+]+|-", "prisoners, joined by +, or -"),),
}
"""What follows the first word of an action, by the form of that word: a pattern, and what to call it."""

_AT_FAULT: Mapping[str, int] = {
    "not-at-the-edge": 1,
    "square-taken": 1,
    "not-in-reserve": -1,
    "no-such-face": -1,
    "not-a-prisoner": -1,
    "tender-too-low": -1,
    "answer-too-low": -1,
    "refusal-forbidden": -1,
}
"""Which word of an action a refusal is about, by its code: the first word, where nothing else is said."""


def read(replay: Replay[State], lexer: Lexer) -> None:
    """Read actions and play them, up to the result or the end of the text."""
    turns, draws = 0, _Draws(replay)
    while lexer.more:
        turns += _read_line(replay, draws, lexer)
    replay.report(f"{turns} turn{'' if turns == 1 else 's'}")


class _Draws:
    """The standing offer of a draw, if there is one."""

    def __init__(self, replay: Replay[State]) -> None:
        self._replay = replay
        self._offered: tuple[Seat, int] | None = None

    def read(self, word: Word, seat: Seat) -> None:
        """Read that a player offers a draw, or accepts or declines one."""
        if word.text == OFFERED:
            if self._stands():
                raise word.wrong("a draw has already been offered")
            self._offered = seat, self._ground(seat)
        elif not self._stands(by=1 - seat):
            raise word.wrong(f"there is no offer of a draw for {lines.PLAYERS[seat]} to answer")
        else:
            self._offered = None
            if word.text == ACCEPTED:
                self._replay.record(agreements.agree(self._replay.state, "draw"))

    def _stands(self, by: Seat | None = None) -> bool:
        """Return whether there is an offer (by a player) that has not lapsed."""
        if self._offered is None:
            return False
        seat, ground = self._offered
        return by in (None, seat) and self._ground(seat) == ground

    def _ground(self, seat: Seat) -> int:
        return agreements.offers(self._replay.state, seat)["draw"]


def _read_line(replay: Replay[State], draws: _Draws, lexer: Lexer) -> bool:
    """Read a line; return whether it is a turn, and not an offer of a draw, an answer to one, or a resignation."""
    label = lexer.take()
    if label.text.upper() not in ("B:", "W:"):
        raise label.wrong(f"{label} does not belong here: a line begins with B: or W:")
    if replay.state.phase == "over":
        raise label.wrong("the game is over")
    seat = lines.PLAYERS.index(label.text[0].upper())
    if lexer.next.text in (OFFERED, ACCEPTED, DECLINED):
        draws.read(lexer.take(), seat)
        return False
    return _read_action(replay, lexer, label, seat)


def _read_action(replay: Replay[State], lexer: Lexer, label: Word, seat: Seat) -> bool:
    if lexer.next.text.lower() not in agreements.GIVEN_UP and replay.to_act != [seat]:
        raise label.wrong(f"{lines.PLAYERS[1 - seat]} is to act")
    words, text = _action_words(lexer)
    try:
        if text in agreements.GIVEN_UP:
            replay.record(agreements.GIVEN_UP[text](replay.state, seat))
            return False
        replay.act(seat, lines.read(text, replay.state.board))
    except IllegalAction as refused:
        raise words[_AT_FAULT.get(refused.code, 0)].wrong(refused.message, refused.rule) from refused
    except ValueError as fault:
        raise words[-1].wrong(str(fault)) from fault
    return True


def _action_words(lexer: Lexer) -> tuple[list[Word], str]:
    """Take the words of one action; return them, the pieces of a unit apart, and the text as ``lines`` writes it."""
    first = lexer.take()
    if first.is_label or not first.text:
        raise first.wrong(f"expected an action, not {first}")
    taken = [first]
    for pattern, what in next((more for form, more in _FURTHER.items() if _has_form(form, first)), ()):
        word = lexer.take()
        if not _has_form(pattern, word):
            raise word.wrong(f"expected {what}, not {word}")
        taken.append(word)
    text = " ".join(word.text for word in taken)
    words = [piece for word in taken for piece in word.pieces(".")]
    for piece in words:
        if _has_form("[rbox]{2}", piece):
            _check_piece(piece)
    return words, text.upper() if first.text in ("$", "%") else text.lower()


def _has_form(pattern: str, word: Word) -> bool:
    return re.fullmatch(pattern, word.text, re.IGNORECASE) is not None


def _check_piece(word: Word) -> None:
    try:
        lines.piece_of(word.text.lower())
    except ValueError as fault:
        raise word.wrong(str(fault)) from fault
