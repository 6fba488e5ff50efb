"""A policy that notes in a file which ruleset it was asked for, and then chooses as the usual bot does."""

import os
from pathlib import Path

from workers.bots.uniform import choose

NOTES = "asked"
"""The name of the file, in the folder for temporary files."""


def notes(view, rng):
    """Note the ruleset, and choose."""
    action = choose(view, rng)
    with (Path(os.environ["TMPDIR"]) / NOTES).open("a") as asked:
        asked.write(f"{view['game']['ruleset']} {action['type']}\n")
    return action
