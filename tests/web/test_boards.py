"""The style sheet of the web client colours everything that the boards of the games are made of."""

import re
from itertools import islice

import pytest

from domain.pictures.shown import Shown
from domain.registry import BUILT_IN, RULESETS
from service.web.site import STATIC
from tests.support.random_games import playing

SHEET = (STATIC / "game.css").read_text()
STYLED = set(re.findall(r"\.plateau \.([\w-]+)", SHEET))
PLAIN = {"plateau"}
"""The root of a drawing, which is no shape."""


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_every_class_of_a_drawing_has_a_rule(ruleset_id: str) -> None:
    ruleset = RULESETS[ruleset_id]
    used: set[str] = set()
    for step in islice(playing(ruleset_id, min(ruleset.seats), 1), 0, None, 7):
        if step.game.state is not None:
            scene = ruleset.presentation.scene(ruleset.project(step.game.state, None), Shown({}, None, ()))
            drawings = [
                scene.stage.svg if scene.stage else "",
                *(t.art or "" for row in scene.rows for t in row.things),
            ]
            used |= {
                name for svg in drawings for names in re.findall(r'class="([^"]+)"', svg) for name in names.split()
            }
    assert used - STYLED <= PLAIN
