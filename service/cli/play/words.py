"""The words of the terminal client itself; whatever belongs to a game is said by the service."""

import locale
import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import cast

import orjson

from domain.sentences.catalogue import DECIMAL_MARKS, ORIGINAL, PLURALS, languages


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in languages() else ORIGINAL
        self._patterns = _patterns(self.language)

    def __call__(self, message: str, **parameters: object) -> str:
        """Put a message into words. With a ``count``, it can have a form of its own for one."""
        count = parameters.get("count")
        form = f"{message}.{PLURALS[self.language](count)}" if isinstance(count, int) else message
        return self._patterns.get(form, self._patterns[message]).format_map(parameters)

    def number(self, number: float, *, sign: bool = False) -> str:
        """Write a number, with its sign or with that of negative ones alone."""
        text = f"{number:{'+' if sign else ''}}".replace("-", "\N{MINUS SIGN}")
        return text.replace(".", DECIMAL_MARKS.get(self.language, "."))


@cache
def _patterns(language: str) -> Mapping[str, str]:
    file = files("service.cli.play").joinpath(f"words.{language}.json")
    return cast("Mapping[str, str]", orjson.loads(file.read_bytes()))


def own_language() -> str:
    """Return the language of the terminal, as its environment names it."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return locale.normalize(named).partition("_")[0].lower()
