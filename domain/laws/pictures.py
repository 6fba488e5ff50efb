"""Pictures and texts depend on the view alone, and are safe to show."""

import copy
import json
import random
import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from domain.laws.law import of_games
from domain.laws.play import Table, played
from domain.pictures.shown import Shown
from domain.pictures.wording import in_words
from domain.ruleset import AnyRuleset
from domain.serialization import Plain, from_plain, to_plain
from domain.table import EVERYTHING

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "title", "desc", "style", "defs", "g", "path", "rect", "circle", "use", "text"}
MOMENTS = 8


def _views(table: Table, seed: int) -> Iterator[tuple[AnyRuleset, object]]:
    """Return views of all viewers, at some moments of a random game and at its end."""
    rng = random.Random(f"pictures {table.ruleset.id} {table.seats} {table.variant} {seed}")
    games = [step.game for step in played(table, seed) if step.game.state is not None]
    for game in [*rng.sample(games, min(MOMENTS, len(games))), games[-1]]:
        for viewer in (*range(table.seats), None, EVERYTHING):
            yield game.ruleset, game.ruleset.project(game.state, viewer)


def _turned_round(plain: Plain) -> Plain:
    """Return equal plain data with its keys in reverse order."""
    if isinstance(plain, dict):
        return {key: _turned_round(plain[key]) for key in reversed(plain)}
    return [_turned_round(item) for item in plain] if isinstance(plain, list) else plain


@of_games(2)
def equal_views_are_drawn_alike_and_left_as_they_were(table: Table, seed: int) -> None:
    """So is a view that was written and read back, as by a client."""
    for ruleset, view in _views(table, seed):
        before = copy.deepcopy(view)
        same = from_plain(ruleset.view, _turned_round(json.loads(json.dumps(to_plain(view)))))
        assert ruleset.presentation.svg(view, Shown()) == ruleset.presentation.svg(same, Shown())
        assert ruleset.presentation.text(view) == ruleset.presentation.text(same)
        assert view == before


@of_games(2)
def a_picture_is_well_formed_and_holds_nothing_that_acts_or_fetches(table: Table, seed: int) -> None:
    """It has a title and a description, and scales without loss."""
    for ruleset, view in _views(table, seed):
        root = ElementTree.fromstring(ruleset.presentation.svg(view, Shown()))
        assert root.tag == f"{SVG}svg"
        assert re.fullmatch(r"0 0 \d+(\.\d+)? \d+(\.\d+)?", root.attrib["viewBox"])
        assert root.findtext(f"{SVG}title")
        assert root.findtext(f"{SVG}desc")
        assert not re.search(r"@import|url\(|https?:", root.findtext(f"{SVG}style") or "")
        known = {f"#{each.attrib['id']}" for each in root.iter() if "id" in each.attrib}
        for each in root.iter():
            assert each.tag.removeprefix(SVG) in DRAWN
            for name, value in each.attrib.items():
                assert name != "style"
                assert not name.startswith("on")
                assert "NaN" not in value
                assert not name.endswith("href") or value in known


@of_games(2)
def a_text_is_lines_for_any_terminal(table: Table, seed: int) -> None:
    """ASCII, at most 100 characters wide, without spaces at the end of a line."""
    for ruleset, view in _views(table, seed):
        text = ruleset.presentation.text(view)
        assert text.isascii()
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert all(line == line.rstrip() and len(line) <= 100 for line in text.split("\n"))


@of_games(2)
def no_card_is_named_that_the_view_does_not_name(table: Table, seed: int) -> None:
    """Neither in the text nor in the description of the picture, in which cards are put into words."""
    named, spoken = _any_of(table.facts.words), _any_of(map(in_words, table.facts.words))
    for ruleset, view in _views(table, seed):
        in_view = {*named.findall(json.dumps(to_plain(view)))}
        description = ElementTree.fromstring(ruleset.presentation.svg(view, Shown())).findtext(f"{SVG}desc") or ""
        assert {*named.findall(ruleset.presentation.text(view))} <= in_view
        assert {*spoken.findall(description)} <= {*map(in_words, in_view)}


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of any of some words."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words)) or 'no words'})\b")
