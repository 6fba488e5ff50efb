"""The laws of pictures: for every ruleset and viewer, they are drawn from the view alone, and safe to show."""

import copy
import json
import random
import re
from xml.etree import ElementTree

import pytest

from domain.serialization import from_plain, to_plain
from tests.domain.mutations import CODES
from tests.domain.play import played, seeded

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "title", "desc", "style", "defs", "g", "path", "rect", "circle", "use", "text"}
CARD = re.compile(rf"\b(?:{'|'.join(CODES)})\b")

every_game = pytest.mark.parametrize(("ruleset_id", "seats", "variant", "seed"), seeded(2))


def views(ruleset_id, seats, variant, seed, moments=8):
    """Take views of all viewers, at some moments of a random game and at its end."""
    rng = random.Random(f"pictures {ruleset_id} {seats} {variant} {seed}")
    games = [step.game for step in played(ruleset_id, seats, seed, variant) if step.game.state is not None]
    for game in [*rng.sample(games, min(moments, len(games))), games[-1]]:
        for viewer in (*range(seats), None):
            yield game.ruleset, game.ruleset.project(game.state, viewer)


def turned_round(plain):
    """Give equal plain data whose keys come in another order."""
    if isinstance(plain, dict):
        return {key: turned_round(plain[key]) for key in reversed(plain)}
    return [turned_round(item) for item in plain] if isinstance(plain, list) else plain


@every_game
def test_equal_views_are_drawn_alike_and_left_as_they_were(ruleset_id, seats, variant, seed):
    for ruleset, view in views(ruleset_id, seats, variant, seed):
        before = copy.deepcopy(view)
        same = from_plain(ruleset.view, turned_round(to_plain(view)))
        for draw in (ruleset.presentation.svg, ruleset.presentation.text):
            assert draw(view) == draw(same)
        assert view == before


@every_game
def test_a_picture_is_well_formed_and_holds_nothing_that_acts_or_fetches(ruleset_id, seats, variant, seed):
    for ruleset, view in views(ruleset_id, seats, variant, seed):
        root = ElementTree.fromstring(ruleset.presentation.svg(view))
        assert root.tag == f"{SVG}svg"
        assert re.fullmatch(r"0 0 \d+(\.\d+)? \d+(\.\d+)?", root.attrib["viewBox"])
        assert root.find(f"{SVG}title").text
        assert root.find(f"{SVG}desc").text
        assert not re.search(r"@import|url\(|https?:", root.find(f"{SVG}style").text)
        known = {f"#{each.attrib['id']}" for each in root.iter() if "id" in each.attrib}
        for each in root.iter():
            assert each.tag.removeprefix(SVG) in DRAWN
            for name, value in each.attrib.items():
                assert name != "style"
                assert not name.startswith("on")
                assert "NaN" not in value
                assert not name.endswith("href") or value in known


@every_game
def test_a_text_is_lines_for_any_terminal(ruleset_id, seats, variant, seed):
    for ruleset, view in views(ruleset_id, seats, variant, seed):
        text = ruleset.presentation.text(view)
        assert text.isascii()
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert all(line == line.rstrip() and len(line) <= 100 for line in text.split("\n"))


@every_game
def test_no_card_is_named_that_the_view_does_not_name(ruleset_id, seats, variant, seed):
    for ruleset, view in views(ruleset_id, seats, variant, seed):
        told = {*CARD.findall(json.dumps(to_plain(view)))}
        description = ElementTree.fromstring(ruleset.presentation.svg(view)).find(f"{SVG}desc").text
        assert {*CARD.findall(ruleset.presentation.text(view))} <= told
        assert {*CARD.findall(description)} <= told
