"""A policy that notes in a file which ruleset it was asked for, and then chooses as the usual bot does."""

import os
from pathlib import Path

from workers.bots.uniform import think

NOTES = "asked"
"""The name of the file, in the folder for temporary files."""


def notes(asked):
    """Note the ruleset, and choose."""
    thought = think(asked)
    with (Path(os.environ["TMPDIR"]) / NOTES).open("a") as noted:
        noted.write(f"{asked.view['game']['ruleset']} {thought.action['type']}\n")
    return thought
