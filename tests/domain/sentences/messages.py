"""The messages of every package, by language."""

import json
from importlib.resources import files

from domain.registry import BUILT_IN

PACKAGES = ("domain.sentences", "service", "service.cli.play", "service.notifications.content", *(ruleset.package for ruleset in BUILT_IN))


def texts(package, language):
    return json.loads((files(package) / f"sentences.{language}.json").read_text("utf-8"))


def entries(language):
    return [(message_id, text) for package in PACKAGES for message_id, text in texts(package, language).items()]
