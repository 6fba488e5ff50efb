"""What is wrong with a field, in the words of every language.

Forms and parameters report errors in English, as marshmallow's own fields do. To translate such a text, find the
catalogue entry ``form.…`` that it was made from, and take its parameters from the text.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from domain.errors import Reason
from domain.sentences.catalogue import catalogue
from domain.sentences.message import Message, Text, message
from domain.sentences.pattern import Pattern, Slot
from service.common.errors import WORDS

_LONGEST = 300
"""In letters; what is longer than this is cut, and stays in English."""


def field_fault(name: str, text: str) -> Reason:
    """Return what is wrong with a field."""
    whole = f"{name}: {text}"
    if len(whole) > _LONGEST:
        return whole[:_LONGEST]
    return message("fault.at", at=Text(name), fault=message_of(text) or Text(text))


def message_of(text: str) -> Message | None:
    """Return the message that a text in English was made of, None if no entry has it."""
    found = ((message_id, known.fullmatch(text)) for message_id, known in _known())
    return next((Message(each, _filled(match.groupdict())) for each, match in found if match), None)


def _filled(gaps: Mapping[str, str]) -> Mapping[str, Text]:
    return {name: Text(value) for name, value in gaps.items()}


@cache
def _known() -> Sequence[tuple[str, "re.Pattern[str]"]]:
    """List the texts of fields as they can be recognized, those with the most letters of their own first."""
    entries = [(each, pattern) for each, pattern in catalogue(WORDS).patterns.items() if each.startswith("form.")]
    entries.sort(key=lambda entry: -sum(len(part) for part in entry[1] if isinstance(part, str)))
    return [(each, re.compile("".join(map(_recognized, pattern)), re.DOTALL)) for each, pattern in entries]


def _recognized(part: "Pattern | object") -> str:
    return f"(?P<{part.name}>.+?)" if isinstance(part, Slot) else re.escape(str(part))
