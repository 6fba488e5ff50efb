"""The header of a game as text: which game it is, and facts of its log to keep (docs/notation.md)."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import get_args

from domain.chance import Draws, commitment
from domain.events import ForkedFrom, Knowledge
from domain.log.record import Shown
from domain.log.secrets import of_deals, of_set
from domain.notation.lexer import END, Lexer, Word
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import from_plain
from domain.texts.options import option_words, read_options

FORMAT = "1"
_LINES = (
    "notation",
    "ruleset",
    "seats",
    "options",
    "game",
    "fork",
    "players",
    "seeds",
    "commitment",
    "anchor",
    "secret",
    "set",
)
_BARE = re.compile("[A-Za-z0-9_.-]+")
_NONE = "-"


@dataclass(frozen=True, slots=True)
class Header:
    """What a text states before the game: which game it is, and facts of its log, None if not known."""

    ruleset: AnyRuleset
    rules_version: int
    seats: int
    options: object
    game: str | None = None
    fork: ForkedFrom | None = None
    players: tuple[str | None, ...] | None = None
    seeds: tuple[str | None, ...] | None = None
    commitment: str | None = None
    anchor: str | None = None
    secret: str | None = field(default=None, repr=False)
    deal_set: tuple[str, str | None] | None = field(default=None, repr=False)
    """The deal set of which it plays a deal, and the secret of the deal, None if that is not known yet."""

    @property
    def draws(self) -> Draws | None:
        """Return the source of the game's draws, once its secret is known."""
        if self.secret is None or self.game is None:
            return None
        secret, seeds = bytes.fromhex(self.secret), self.seeds or (None,) * self.seats
        if self.deal_set is not None:
            set_id, of_deal = self.deal_set
            return None if of_deal is None else Draws(secret, set_id, (None,) * self.seats, of_set(of_deal))
        return Draws(secret, self.game, seeds, None if self.anchor is None else of_deals(secret, self.game))


def header_of(events: Sequence[Shown]) -> Header:
    """Collect the header of a log."""
    created = events[0]["data"]
    ruleset = RULESETS[created["ruleset"]]
    players: list[str | None] = [None] * created["seats"]
    seeds: list[str | None] = [None] * created["seats"]
    secret = created.get("secret")
    for event in events:
        seat, data = event["seat"], event["data"]
        if event["type"] == "seat_taken":
            players[seat], seeds[seat] = data["player"], data["client_seed"]
        elif event["type"] == "seed_opened":
            seeds[seat] = data["client_seed"]
        elif event["type"] == "seat_left":
            players[seat] = seeds[seat] = None
        elif event["type"] in ("game_finished", "game_aborted"):
            secret = data["secret"]
    return Header(
        ruleset=ruleset,
        rules_version=created["rules_version"],
        seats=created["seats"],
        options=from_plain(ruleset.options.shape, created["options"]),
        game=events[0]["game_id"],
        fork=from_plain(ForkedFrom, created["forked_from"]) if "forked_from" in created else None,
        players=tuple(players),
        seeds=tuple(seeds),
        commitment=created["commitment"],
        anchor=created.get("deal_anchor"),
        secret=secret,
        deal_set=(created["deal"]["set"], created.get("deal_secret")) if "deal" in created else None,
    )


def header_lines(header: Header) -> Iterator[str]:
    """Write a header, line by line."""
    yield f"notation: {FORMAT}"
    yield f"ruleset: {header.ruleset.id} {header.rules_version}"
    yield f"seats: {header.seats}"
    if options := option_words(header.ruleset, header.options, header.seats):
        yield " ".join(["options:", *options])
    if header.game is not None:
        yield f"game: {_written(header.game)}"
    if header.fork is not None:
        yield f"fork: {_fork_words(header.fork)}"
    if header.players is not None:
        yield " ".join(["players:", *map(_written, header.players)])
    if header.seeds is not None:
        yield " ".join(["seeds:", *map(_written, header.seeds)])
    yield from _lines_of_draws(header)


def _lines_of_draws(header: Header) -> Iterator[str]:
    for name in ("commitment", "anchor", "secret"):
        if getattr(header, name) is not None:
            yield f"{name}: {getattr(header, name)}"
    if header.deal_set is not None:
        yield " ".join(["set:", *(_written(each) for each in header.deal_set)])


def read_header(lexer: Lexer) -> Header:
    """Read the header at the beginning of a text; raise ``NotationError`` for its first fault."""
    lines = _Lines(lexer)
    lines.only("notation", f"this must be {FORMAT}, the only format", FORMAT)
    ruleset, version = _ruleset(*lines.exactly("ruleset", 2))
    counts = [str(count) for count in ruleset.seats]
    between = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else counts[0]
    counted = lines.only("seats", f"{ruleset.name} has {between} seats", *counts)
    seats, options = int(counted.text), lines.values.get("options", [])
    return Header(
        ruleset=ruleset,
        rules_version=version,
        seats=seats,
        options=read_options(ruleset, seats, options, options[-1].after() if options else counted),
        game=lines.game(),
        fork=lines.fork(seats),
        players=lines.texts("players", seats),
        seeds=lines.texts("seeds", seats),
        commitment=lines.digest("commitment"),
        anchor=lines.digest("anchor"),
        secret=lines.secret(),
        deal_set=lines.deal_set(),
    )


def _written(text: str | None) -> str:
    """Write a text bare if it is unambiguous, else quoted as in JSON."""
    if text is None:
        return _NONE
    return text if _BARE.fullmatch(text) and text != _NONE else json.dumps(text)


def _fork_words(fork: ForkedFrom) -> str:
    seat = _NONE if fork.seat is None else str(fork.seat)
    return f"{_written(fork.game_id)} {fork.version} {fork.knowledge} {seat} {fork.events}"


def text_of(word: Word) -> str | None:
    """Read a text that can be quoted; None for ``-``."""
    if not word.text.startswith('"'):
        return None if word.text == _NONE else word.text
    try:
        text: str = json.loads(word.text)
        text.encode()
    except ValueError as error:
        raise word.wrong("this is not a valid JSON string") from error
    return text


def _ruleset(name: Word, version: Word) -> tuple[AnyRuleset, int]:
    ruleset = RULESETS.get(name.text)
    if ruleset is None:
        raise name.wrong(f"there is no ruleset {name}; the rulesets are: {' '.join(RULESETS)}")
    if ruleset.notation is None:
        raise name.wrong(f"{ruleset.name} has no text notation yet")
    if version.text != str(ruleset.version):
        raise version.wrong(f"the only known version of the rules of {ruleset.name} is {ruleset.version}")
    return ruleset, ruleset.version


class _Lines:
    """The lines of a header by name, in any order, because the possible values of a line can depend on a later one."""

    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer
        self._labels: dict[str, Word] = {}
        self.values: dict[str, list[Word]] = {}
        while lexer.next.is_label and lexer.next.text.lower() != END and len(lexer.next.text) > 2:
            self._take_line(lexer.take())

    def _take_line(self, label: Word) -> None:
        name = label.text[:-1]
        if name not in _LINES:
            raise label.wrong(f"there is no header line {label}; the lines are: {', '.join(_LINES)}")
        if name in self._labels:
            raise label.wrong(f"{label} occurs twice")
        if not self._labels and name != _LINES[0]:
            raise label.wrong(f"a text begins with 'notation: {FORMAT}'")
        self._labels[name] = label
        self.values[name] = self._lexer.take_line(label.line)

    def only(self, name: str, message: str, *allowed: str) -> Word:
        """Return the only value of a required line."""
        (word,) = self.exactly(name, 1)
        if word.text not in allowed:
            raise word.wrong(message)
        return word

    def exactly(self, name: str, count: int) -> list[Word]:
        """Return the values of a required line, which must have this many."""
        if name not in self._labels:
            raise self._lexer.next.wrong(f"the header lacks the line '{name}:'")
        values = self.values[name]
        takes = f"{name}: takes {count} value{'s' * (count > 1)}"
        if len(values) > count:
            raise values[count].wrong(takes)
        if len(values) < count:
            last = values[-1] if values else self._labels[name]
            raise last.after().wrong(f"{takes}, not {len(values)}")
        return values

    def texts(self, name: str, count: int) -> tuple[str | None, ...] | None:
        """Return the texts of a line, None if there is no such line."""
        return tuple(map(text_of, self.exactly(name, count))) if name in self._labels else None

    def game(self) -> str | None:
        """Return the id of the game, if the header has one."""
        (game,) = self.texts("game", 1) or (None,)
        return game

    def fork(self, seats: int) -> ForkedFrom | None:
        """Return where the game was forked, if the header says so."""
        if "fork" not in self._labels:
            return None
        game, version, knowledge, seat, events = self.exactly("fork", 5)
        for number in (version, events):
            if not re.fullmatch("[0-9]{1,9}", number.text):
                raise number.wrong("this must be a number of events")
        known = next((each for each in get_args(Knowledge) if each == knowledge.text), None)
        if known is None:
            raise knowledge.wrong(f"this must be one of: {' '.join(get_args(Knowledge))}")
        if seat.text not in (_NONE, *map(str, range(seats))):
            raise seat.wrong(f"this must be a seat, or {_NONE}")
        by = None if seat.text == _NONE else int(seat.text)
        return ForkedFrom(text_of(game) or _NONE, int(version.text), by, known, int(events.text))

    def digest(self, name: str) -> str | None:
        """Return a 256-bit number, if the header has it."""
        if name not in self._labels:
            return None
        (word,) = self.exactly(name, 1)
        if not re.fullmatch("[0-9a-f]{64}", word.text):
            raise word.wrong(f"the {name} must be 64 hexadecimal digits, in lower case")
        return word.text

    def secret(self) -> str | None:
        """Return the secret, if the header has it; it must match the commitment, and needs the id of the game."""
        secret = self.digest("secret")
        if secret is None:
            return None
        (word,) = self.values["secret"]
        if self.game() is None:
            raise word.wrong("the draws follow from the secret and the game's id: the header lacks the line 'game:'")
        committed = self.digest("commitment")
        if committed is not None and commitment(bytes.fromhex(secret)) != committed:
            raise word.wrong("the secret does not fit the commitment: its SHA-256 is different")
        anchored, game = self.digest("anchor"), self.game()
        of_a_set = "set" in self._labels
        if (
            anchored is not None
            and game is not None
            and not of_a_set
            and of_deals(bytes.fromhex(secret), game).revealed(0) != anchored
        ):
            raise word.wrong("the secret does not fit the anchor: the chain of the deals' secrets ends elsewhere")
        return secret

    def deal_set(self) -> tuple[str, str | None] | None:
        """Return the deal set and the secret of its deal, if the header has them; it must match the anchor."""
        if "set" not in self._labels:
            return None
        set_id, word = self.exactly("set", 2)
        if word.text == _NONE:
            return set_id.text, None
        if not re.fullmatch("[0-9a-f]{64}", word.text) or of_set(word.text).revealed(0) != self.digest("anchor"):
            raise word.wrong("the secret of the deal must be 64 hexadecimal digits whose SHA-256 is the anchor")
        return set_id.text, word.text
