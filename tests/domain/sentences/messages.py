"""The messages of every package, by language."""

import json
from importlib.resources import files

from domain.registry import BUILT_IN

TYPESET = ("domain.sentences", "service", "service.notifications.content", *(each.package for each in BUILT_IN))
PACKAGES = (*TYPESET, "service.cli.play")
"""The terminal shows commands and codes between its words, so they are not typeset."""


def texts(package, language):
    return json.loads((files(package) / f"sentences.{language}.json").read_text("utf-8"))


def entries(language, packages=PACKAGES):
    return [(message_id, text) for package in packages for message_id, text in texts(package, language).items()]
