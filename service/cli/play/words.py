"""The words of the terminal client itself; whatever belongs to a game is said by the service."""

import locale
import os

from domain.sentences.catalogue import DECIMAL_MARKS, ORIGINAL, catalogue, languages


class Words:
    def __init__(self, language: str) -> None:
        self.language = language if language in languages() else ORIGINAL
        self._catalogue = catalogue(__package__, self.language)

    def __call__(self, message: str, **parameters: str | int) -> str:
        return self._catalogue.say(message, **parameters)

    def number(self, number: float, *, sign: bool = False) -> str:
        """Write a number, with its sign or with that of negative ones alone."""
        text = f"{number:{'+' if sign else ''}}".replace("-", "\N{MINUS SIGN}")
        return text.replace(".", DECIMAL_MARKS.get(self.language, "."))


def own_language() -> str:
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return locale.normalize(named).partition("_")[0].lower()
