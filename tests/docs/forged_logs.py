"""The logs beside docs/verification.md: an honest game, and forgeries of it.

``python -m tests.docs.forged_logs`` writes them.
"""

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from domain.audit.bundle import read
from tests.domain.audit.attacks import OPERATORS, OUTSIDERS
from tests.golden.logs import golden_log
from tests.support.bundles import copy_of, forged, text_of, written
from tests.support.server import ROOT

FOLDER = ROOT / "docs/verification"
GAME = "plute/hand-claimed-set"
FORGERIES = (
    "a draw left out",
    "a flipped digit of a seal",
    "an event left out",
    "operator/a deal with the number 765",
    "operator/a dealer of choice",
    "operator/a time that goes back",
    "operator/an event after the end",
    "operator/another secret with its commitment",
    "operator/another seed",
    "operator/hidden parts that are not sealed",
    "operator/two cards swapped",
    "rules/an action twice",
    "rules/other scores",
)
"""The attacks, each in the folder in which its log is published."""


@cache
def logs() -> Mapping[Path, bytes]:
    """Return the contents of all files, by their paths in the folder."""
    game, records = golden_log(GAME)
    honest = written(game, records)
    found = {Path("honest.jsonl"): honest}
    for name in FORGERIES:
        path = Path(f"{name.replace(' ', '-')}.jsonl")
        attack = path.stem.replace("-", " ")
        bundle = copy_of(read(honest))
        (OUTSIDERS | OPERATORS)[attack](bundle, random.Random(attack))
        found[path] = text_of(forged(bundle, game) if attack in OPERATORS else bundle)
    return found


if __name__ == "__main__":
    for path, content in logs().items():
        (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / path).write_bytes(content)
