"""The words of mails and messages: patterns by message id in a catalogue for each language, with parameters.

A catalogue is a file ``messages.<language>.json``. English has every message; another language falls back on it.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import orjson

ORIGINAL = "en"


class Wording:
    """The words of one language."""

    def __init__(self, language: str, patterns: Mapping[str, str]) -> None:
        self.language = language
        self._patterns = patterns

    def say(self, message: str, **parameters: str | int) -> str:
        """Put a message into words. With a ``count``, the message has a form for one and a form for other numbers."""
        form = "" if "count" not in parameters else ".one" if parameters["count"] == 1 else ".other"
        return self._patterns[message + form].format_map(parameters)


@cache
def wording(language: str | None) -> Wording:
    """Return the words of a language, or of the first part of its tag, or else of the original."""
    original = _patterns(ORIGINAL) or {}
    for tag in filter(None, (language, (language or "").partition("-")[0])):
        patterns = _patterns(tag)
        if patterns is not None:
            return Wording(tag, {**original, **patterns})
    return Wording(ORIGINAL, original)


def _patterns(language: str) -> Mapping[str, str] | None:
    file = files("service.messages").joinpath(f"messages.{language}.json")
    if not language.replace("-", "").isalnum() or not file.is_file():
        return None
    patterns: Mapping[str, str] = orjson.loads(file.read_bytes())
    return patterns
