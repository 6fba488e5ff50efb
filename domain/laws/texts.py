"""Games as text: written from logs and from events, cut into words, and changed in one place."""

import random
from collections.abc import Sequence
from functools import lru_cache

from domain.game import history
from domain.laws.play import Step, log_of
from domain.log.record import visible
from domain.log.redaction import merged, seen_by, split
from domain.notation.lexer import Lexer, NotationError, Word
from domain.ruleset import AnyRuleset
from domain.serialization import Plain, to_plain
from domain.texts import document
from domain.texts.document import Reading


def seen(steps: Sequence[Step], viewer: int | None = None, *, everything: bool = True) -> list[dict[str, Plain]]:
    """Return the log of some steps as a viewer can see it, or with all its secrets."""
    secrets = steps[-1].game.secrets
    return [visible(record, secrets, viewer, everything=everything) for record in log_of(steps)]


def shown(ruleset: AnyRuleset, event: object) -> dict[str, object]:
    """Show an event in full, as the interface does."""
    ((name, _),) = history.named(ruleset, [event])
    data, hidden = split(event)
    whole = merged(data, seen_by(hidden, None, everything=True))
    return {"type": name, "seat": getattr(event, "seat", None), "data": whole}


def written_again(reading: Reading) -> str:
    """Write a game that was read."""
    header = reading.header
    created = {
        "ruleset": header.ruleset.id,
        "rules_version": header.rules_version,
        "seats": header.seats,
        "options": to_plain(header.options),
        "commitment": header.commitment,
        "deal_anchor": header.anchor,
    }
    first = {"type": "game_created", "game_id": header.game, "seat": None, "data": created}
    return document.write([first, *(shown(header.ruleset, event) for event in reading.events)])


def without_secret(text: str) -> str:
    """Leave out the secret, so that any possible deal is accepted."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("secret:"))


def body(text: str) -> int:
    """Return the offset at which the header ends."""
    return text.index("\n\n") + 2


@lru_cache(maxsize=2)
def entries(text: str) -> tuple[tuple[int, str], ...]:
    """List the words of a text with their offsets; a label is one entry with its word."""
    starts = [0, *(i + 1 for i, sign in enumerate(text) if sign == "\n")]
    lexer, found = Lexer(text.replace("?", "_")), []
    label: Word | None = None
    while lexer.next.text:
        word = lexer.take()
        first = label or word
        start = starts[first.line - 1] + first.column - 1
        end = starts[word.line - 1] + word.column - 1 + len(word.text)
        label = word if word.is_label and text[end : end + 1].strip() else None
        if label is None:
            found.append((start, text[start:end]))
    return tuple(found)


def offset(text: str, line: int, column: int) -> int:
    """Return the offset of a line and column."""
    lines = text.split("\n")
    assert 1 <= column <= len(lines[line - 1]) + 1
    return sum(len(before) + 1 for before in lines[: line - 1]) + column - 1


def fault_of(text: str) -> NotationError | None:
    """Return the fault of a text, None if it has none."""
    try:
        document.read(text)
    except NotationError as error:
        return error
    return None


def changed(text: str, rng: random.Random, pool: Sequence[str]) -> tuple[int, str]:
    """Replace, drop, or double an entry, or swap it with the next; return its place and the new text."""
    found = entries(text)
    index = rng.randrange(len(found) - 1)
    (start, entry), (after, following) = found[index], found[index + 1]
    end = start + len(entry)
    match rng.choice(["replace", "replace", "drop", "double", "swap"]):
        case "replace":
            return start, text[:start] + rng.choice(pool) + text[end:]
        case "drop":
            return start, text[:start] + text[end:]
        case "double":
            return start, text[:end] + " " + text[start:]
        case _:
            return start, text[:start] + following + text[end:after] + entry + text[after + len(following) :]
