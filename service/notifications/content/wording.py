"""The words of mails and messages: patterns by message id in a catalogue for each language, with parameters.

A catalogue is a file ``messages.<language>.json``. English has every message; another language falls back on it.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import cast

import orjson

ORIGINAL = "en"
_PREFIX, _SUFFIX = "messages.", ".json"


class Wording:
    """The words of one language."""

    def __init__(self, language: str, patterns: Mapping[str, str]) -> None:
        self.language = language
        self._patterns = patterns

    def say(self, message: str, **parameters: str | int) -> str:
        """Put a message into words. With a ``count``, the message has a form for one and a form for other numbers."""
        form = "" if "count" not in parameters else ".one" if parameters["count"] == 1 else ".other"
        return self._patterns[message + form].format_map(parameters)


def wording(language: str | None) -> Wording:
    """Return the words of a language, or of the first part of its tag, or else of the original."""
    catalogues = _catalogues()
    tags = (language or "", (language or "").partition("-")[0])
    found = next((tag for tag in tags if tag in catalogues), ORIGINAL)
    return Wording(found, catalogues[found])


@cache
def _catalogues() -> Mapping[str, Mapping[str, str]]:
    """Load the catalogues, keyed by language."""
    found = {
        file.name.removeprefix(_PREFIX).removesuffix(_SUFFIX): cast(
            "Mapping[str, str]", orjson.loads(file.read_bytes())
        )
        for file in files("service.notifications.content").iterdir()
        if file.name.startswith(_PREFIX) and file.name.endswith(_SUFFIX)
    }
    return {language: {**found[ORIGINAL], **patterns} for language, patterns in found.items()}
