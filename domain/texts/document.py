"""A whole game as text that people read and type, and that reads back to the same events (docs/notation.md).

A text is a header, the game itself, which the ruleset writes and reads, and the result.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, get_args

from domain.events import AbortReason
from domain.log.effective import effective
from domain.log.record import Shown
from domain.notation.lexer import END, Lexer
from domain.notation.replay import Replay
from domain.ruleset import AnyRuleset
from domain.serialization import from_plain
from domain.table import Outcome, Seat
from domain.texts.header import Header, header_lines, header_of, read_header, text_of

_AGREEING = ("proposal_made", "vote_cast")
_ABORTED: Final = "aborted"
_BY_OPERATOR: Final = "operator"
_IN_PLAY = ("agreed", "closed", "idle", "endless", _BY_OPERATOR)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that has been read: the ruleset's events, and how the game ended.

    ``outcome`` is None if it is running, or was ``aborted``, by the operator with a ``note`` that says why.
    ``has_draws`` is whether the rules drew anything in it, apart from what a fork repeats.
    """

    header: Header
    events: tuple[object, ...]
    outcome: Outcome | None
    to_act: tuple[Seat, ...]
    has_draws: bool
    aborted: AbortReason | None = None
    note: str | None = None


def write(events: Sequence[Shown]) -> str:
    """Write a log, from its first event on, as its reader can see it (``domain.log.record.visible``)."""
    header = header_of(events)
    lines = [*header_lines(header), ""]
    if header.ruleset.notation is not None:
        lines += header.ruleset.notation.write(header.options, _of_the_game(header.ruleset, effective(events)))
    for before, event in pairwise(events):
        if event["type"] == "game_finished":
            lines.append(" ".join([END, *_result_words(from_plain(Outcome, event["data"]["outcome"]))]))
        elif event["type"] == "game_aborted":
            reason = event["data"]["reason"]
            note = [json.dumps(before["data"]["reason"])] if reason == _BY_OPERATOR else []
            lines.append(" ".join([END, _ABORTED, reason, *note]))
    return "\n".join(lines) + "\n"


def _of_the_game(ruleset: AnyRuleset, events: Sequence[Shown]) -> list[Shown]:
    """Return the ruleset's events, its own proposals, and the votes on these."""
    proposed = {
        event["data"]["proposal"]
        for event in events
        if event["type"] == "proposal_made" and event["data"]["kind"] in ruleset.proposal_kinds
    }
    return [
        event
        for event in events
        if event["type"] in ruleset.events or (event["type"] in _AGREEING and event["data"]["proposal"] in proposed)
    ]


def read(text: str, report: Callable[[str], None] = lambda _: None) -> Reading:
    """Read a text and check it against the rules; ``report`` receives a sentence for each part that has been read.

    Raise ``NotationError`` for the first fault.
    """
    lexer = Lexer(text)
    header = read_header(lexer)
    copied = header.fork.events if header.fork else 0
    replay = Replay(header.ruleset, header.options, header.seats, header.draws, report, copied)
    if header.ruleset.notation is not None:
        header.ruleset.notation.read(replay, lexer)
    outcome = header.ruleset.outcome(replay.state)
    is_new = not replay.events
    aborted, note = _read_result(lexer, outcome, is_new=is_new) if lexer.next.text else (None, None)
    return Reading(header, tuple(replay.events), outcome, tuple(replay.to_act), replay.has_draws, aborted, note)


def _result_words(outcome: Outcome) -> list[str]:
    return [outcome.reason, "won", *map(str, outcome.winners), "scores", *map(str, outcome.scores)]


def _read_result(lexer: Lexer, outcome: Outcome | None, *, is_new: bool) -> tuple[AbortReason | None, str | None]:
    """Compare the result, and reject anything after it; return why the game was aborted, if it was, and the note.

    A game in which something has happened (one that is not ``is_new``) can be aborted only by agreement, by the
    operator, because no one continued it, or because its log had no room for more.
    """
    label = lexer.take()
    if label.text.lower() != END:
        raise label.wrong(f"{label} does not belong here")
    reason: AbortReason | None = None
    note: str | None = None
    if outcome is None and lexer.next.text.lower() == _ABORTED:
        reason = _read_reason(lexer, get_args(AbortReason) if is_new else _IN_PLAY)
        note = _read_note(lexer) if reason == _BY_OPERATOR else None
    elif outcome is None:
        raise label.wrong("there is no result yet: by the rules the game continues")
    else:
        _compare(lexer, _result_words(outcome))
    if lexer.next.text:
        raise lexer.next.wrong("nothing can follow the result")
    return reason, note


def _read_reason(lexer: Lexer, reasons: Sequence[AbortReason]) -> AbortReason:
    lexer.take()
    word = lexer.take()
    reason: AbortReason | None = next((each for each in reasons if each == word.text.lower()), None)
    if reason is None:
        raise word.wrong(f"possible here: {' '.join(reasons)}")
    return reason


def _read_note(lexer: Lexer) -> str | None:
    word = lexer.take()
    if word.kind != "quoted":
        raise word.wrong("the operator's reason must follow, in double quotes")
    return text_of(word)


def _compare(lexer: Lexer, true: Sequence[str]) -> None:
    """Compare the words of a result."""
    for each in true:
        word = lexer.take()
        if word.text.lower() != each:
            raise word.wrong(f"by the rules the result is: {' '.join(true)}")
