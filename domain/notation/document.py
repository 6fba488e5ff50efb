"""A whole game as text that people read and type, and that reads back to the same events (docs/notation.md).

Here is what all rulesets share: the header, with the facts of the log that are worth keeping, and the result. What
stands between them is the ruleset's to write and read (``NOTATION``).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from domain.chance import Chance, commitment
from domain.notation.lexer import END, Word, Words
from domain.notation.options import option_words, read_options
from domain.notation.replay import Replay
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import from_plain
from domain.table import Outcome, Seat

FORMAT = "1"
_LINES = ("notation", "ruleset", "seats", "options", "game", "players", "seeds", "commitment", "secret")
_BARE = re.compile("[A-Za-z0-9_.-]+")
_NOBODY = "-"
_AGREEING = ("proposal_made", "vote_cast")


@dataclass(frozen=True, slots=True)
class Header:
    """What a text says before the game: which game it is, and what the log tells beside it, None where it does not."""

    ruleset: AnyRuleset
    rules_version: int
    seats: int
    options: Any
    game: str | None = None
    players: tuple[str | None, ...] | None = None
    seeds: tuple[str | None, ...] | None = None
    commitment: str | None = None
    secret: str | None = field(default=None, repr=False)

    @property
    def chance(self) -> Chance | None:
        """Give the source of the game's draws, once its secret is known."""
        if self.secret is None or self.game is None:
            return None
        return Chance(bytes.fromhex(self.secret), self.game, self.seeds or (None,) * self.seats)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that has been read: the ruleset's events, and how the game ended, None if it goes on.

    ``has_draws`` says whether the rules had anything drawn in it.
    """

    header: Header
    events: tuple[Any, ...]
    outcome: Outcome | None
    to_act: tuple[Seat, ...]
    has_draws: bool


def write(events: Sequence[Mapping[str, Any]]) -> str:
    """Write a log, from its first event on, as its reader may see it (``domain.log.record.visible``)."""
    header = header_of(events)
    lines = [*_header_lines(header), ""]
    if header.ruleset.notation is not None:
        told = {*header.ruleset.events, *_AGREEING}
        lines += header.ruleset.notation.write(header.options, [event for event in events if event["type"] in told])
    for event in events:
        if event["type"] == "game_finished":
            lines.append(" ".join([END, *_result_words(from_plain(Outcome, event["data"]["outcome"]))]))
    return "\n".join(lines) + "\n"


def header_of(events: Sequence[Mapping[str, Any]]) -> Header:
    """Collect what the header of a log says."""
    created = events[0]["data"]
    ruleset = RULESETS[created["ruleset"]]
    players: list[str | None] = [None] * created["seats"]
    seeds: list[str | None] = [None] * created["seats"]
    secret = created.get("secret")
    for event in events:
        seat, data = event["seat"], event["data"]
        if event["type"] == "seat_taken":
            players[seat], seeds[seat] = data["player"], data["client_seed"]
        elif event["type"] == "seat_left":
            players[seat] = seeds[seat] = None
        elif event["type"] == "game_finished":
            secret = data["secret"]
    return Header(
        ruleset=ruleset,
        rules_version=created["rules_version"],
        seats=created["seats"],
        options=from_plain(ruleset.options.shape, created["options"]),
        game=events[0]["game_id"],
        players=tuple(players),
        seeds=tuple(seeds),
        commitment=created["commitment"],
        secret=secret,
    )


def read(text: str, tell: Callable[[str], None] = lambda _: None) -> Reading:
    """Read a text and check it against the rules; ``tell`` receives a sentence for each part that has been read.

    Raises ``NotationError`` for the first place that is wrong.
    """
    words = Words(text)
    header = _HeaderReader(words).read()
    replay = Replay(header.ruleset, header.options, header.seats, header.chance, tell)
    if header.ruleset.notation is not None:
        header.ruleset.notation.read(replay, words)
    outcome = header.ruleset.outcome(replay.state)
    if words.next.text:
        _read_result(words, outcome)
    return Reading(header, tuple(replay.events), outcome, tuple(replay.to_act), replay.has_draws)


def _result_words(outcome: Outcome) -> list[str]:
    return [outcome.reason, "won", *map(str, outcome.winners), "scores", *map(str, outcome.scores)]


def _read_result(words: Words, outcome: Outcome | None) -> None:
    """Compare the result, and refuse whatever follows it."""
    label = words.take()
    if label.text.lower() != END:
        raise label.wrong(f"{label} does not belong here")
    if outcome is None:
        raise label.wrong("there is no result yet: by the rules the game goes on")
    true = _result_words(outcome)
    for each in true:
        said = words.take()
        if said.text.lower() != each:
            raise said.wrong(f"by the rules the result is: {' '.join(true)}")
    if words.next.text:
        raise words.next.wrong("nothing can follow the result")


# -- the header -----------------------------------------------------------------------------------------------------


def _header_lines(header: Header) -> Iterator[str]:
    yield f"notation: {FORMAT}"
    yield f"ruleset: {header.ruleset.id} {header.rules_version}"
    yield f"seats: {header.seats}"
    if options := option_words(header.ruleset, header.options, header.seats):
        yield " ".join(["options:", *options])
    if header.game is not None:
        yield f"game: {_value(header.game)}"
    if header.players is not None:
        yield " ".join(["players:", *map(_value, header.players)])
    if header.seeds is not None:
        yield " ".join(["seeds:", *map(_value, header.seeds)])
    for name in ("commitment", "secret"):
        if getattr(header, name) is not None:
            yield f"{name}: {getattr(header, name)}"


def _value(text: str | None) -> str:
    """Write a text bare, if it could not be taken for anything else, else quoted as in JSON."""
    if text is None:
        return _NOBODY
    return text if _BARE.fullmatch(text) and text != _NOBODY else json.dumps(text)


def _text(word: Word) -> str | None:
    """Read a text that may be quoted; None for ``-``."""
    if not word.text.startswith('"'):
        return None if word.text == _NOBODY else word.text
    try:
        text = json.loads(word.text)
        text.encode()
    except ValueError as error:
        raise word.wrong("this is no text as JSON writes one") from error
    return cast("str", text)


class _HeaderReader:
    """Reads the lines of a header; which values a line has may depend on lines that come after it."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._labels: dict[str, Word] = {}
        self._values: dict[str, list[Word]] = {}

    def read(self) -> Header:
        """Read the header."""
        self._collect()
        self._only("notation", f"this must be {FORMAT}, the only form there is", FORMAT)
        ruleset, version = self._ruleset()
        counts = [str(count) for count in ruleset.seats]
        between = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else counts[0]
        counted = self._only("seats", f"{ruleset.name} has {between} seats", *counts)
        seats, options = int(counted.text), self._values.get("options", [])
        return Header(
            ruleset=ruleset,
            rules_version=version,
            seats=seats,
            options=read_options(ruleset, seats, options, options[-1].after() if options else counted),
            game=self._game(),
            players=self._texts("players", seats),
            seeds=self._texts("seeds", seats),
            commitment=self._digest("commitment"),
            secret=self._secret(),
        )

    def _collect(self) -> None:
        while self._words.next.is_label and self._words.next.text.lower() != END and len(self._words.next.text) > 2:
            label = self._words.take()
            name = label.text[:-1]
            if name not in _LINES:
                raise label.wrong(f"there is no header line {label}; there are {': '.join(_LINES)}:")
            if name in self._labels:
                raise label.wrong(f"{label} is given twice")
            if not self._labels and name != _LINES[0]:
                raise label.wrong(f"a text begins with 'notation: {FORMAT}'")
            self._labels[name] = label
            self._values[name] = self._words.take_line(label.line)

    def _only(self, name: str, message: str, *allowed: str) -> Word:
        """Give the only value of a line that must be there."""
        (word,) = self._exactly(name, 1)
        if word.text not in allowed:
            raise word.wrong(message)
        return word

    def _exactly(self, name: str, count: int) -> list[Word]:
        if name not in self._labels:
            raise self._words.next.wrong(f"the header lacks the line '{name}:'")
        values = self._values[name]
        if len(values) > count:
            raise values[count].wrong(f"{name}: takes {count} value{'s' * (count > 1)}")
        if len(values) < count:
            last = values[-1] if values else self._labels[name]
            raise last.after().wrong(f"{name}: takes {count} value{'s' * (count > 1)}, not {len(values)}")
        return values

    def _ruleset(self) -> tuple[AnyRuleset, int]:
        name, version = self._exactly("ruleset", 2)
        ruleset = RULESETS.get(name.text)
        if ruleset is None:
            raise name.wrong(f"there is no ruleset {name}; there are: {' '.join(RULESETS)}")
        if ruleset.notation is None:
            raise name.wrong(f"there is no text form of {ruleset.name} yet")
        if version.text != str(ruleset.version):
            raise version.wrong(f"the rules of {ruleset.name} are known in version {ruleset.version} only")
        return ruleset, ruleset.version

    def _texts(self, name: str, count: int) -> tuple[str | None, ...] | None:
        if name not in self._labels:
            return None
        return tuple(map(_text, self._exactly(name, count)))

    def _game(self) -> str | None:
        (game,) = self._texts("game", 1) or (None,)
        return game

    def _digest(self, name: str) -> str | None:
        if name not in self._labels:
            return None
        (word,) = self._exactly(name, 1)
        if not re.fullmatch("[0-9a-f]{64}", word.text):
            raise word.wrong(f"the {name} must be 64 hexadecimal digits, in small letters")
        return word.text

    def _secret(self) -> str | None:
        """Read the secret; it must fit the commitment, and draws nothing without the game's id."""
        secret = self._digest("secret")
        if secret is None:
            return None
        (word,) = self._values["secret"]
        if self._game() is None:
            raise word.wrong("the draws follow from the secret and the game's id: the header lacks the line 'game:'")
        committed = self._digest("commitment")
        if committed is not None and commitment(bytes.fromhex(secret)) != committed:
            raise word.wrong("the secret does not fit the commitment: its SHA-256 is another")
        return secret
