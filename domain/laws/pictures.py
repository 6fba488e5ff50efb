"""Scenes, pictures and texts depend on the view alone, and are safe to show."""

import copy
import json
import random
import re
from collections.abc import Iterable, Iterator
from typing import get_args
from xml.etree import ElementTree

from domain.field_types import PickKind
from domain.game.aggregate import Game
from domain.laws.law import of_games
from domain.laws.moments import of_every_kind
from domain.laws.play import Table, played
from domain.pictures.picks import picks_in, picks_of
from domain.pictures.scene import Scene
from domain.pictures.shown import Shown
from domain.pictures.wording import PRINTED, wording
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import languages
from domain.sequences import spanning
from domain.serialization import Plain, from_plain, to_plain
from domain.table import EVERYTHING, Viewer

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "title", "desc", "style", "defs", "g", "path", "rect", "circle", "use", "text"}


def _views(table: Table, seed: int) -> Iterator[tuple[AnyRuleset, object]]:
    """Return views of all viewers, at moments of every kind in a random game and at its end."""
    rng = random.Random(f"pictures {table.ruleset.id} {table.seats} {table.variant} {seed}")
    steps = played(table, seed)
    for game in [*(steps[place].game for place in of_every_kind(rng, steps)), steps[-1].game]:
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
        assert ruleset.presentation.scene(view, Shown()) == ruleset.presentation.scene(same, Shown())
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
def a_scene_has_words_in_every_language(table: Table, seed: int) -> None:
    """Nothing but words: no sign of a pattern or of an id is left in them."""
    for number, (ruleset, view) in enumerate(_views(table, seed)):
        language = languages()[number % len(languages())]
        scene = ruleset.presentation.scene(view, Shown(language=language))
        assert all(_needed(scene))
        assert not [said for said in (*_needed(scene), *_said(scene)) if {*"{}_"} & {*said}]


@of_games(2)
def what_a_scene_draws_can_stand_within_a_page(table: Table, seed: int) -> None:
    """It scales, and has no style, no id and no reference that another drawing on the page could meet."""
    for ruleset, view in _views(table, seed):
        for root in _drawings(ruleset.presentation.scene(view, Shown())):
            assert root.tag == f"{SVG}svg"
            assert re.fullmatch(r"0 0 \d+(\.\d+)? \d+(\.\d+)?", root.attrib["viewBox"])
            for each in root.iter():
                assert each.tag.removeprefix(SVG) in DRAWN - {"style", "defs", "use", "desc"}
                assert not {"id", "style", "href"} & each.attrib.keys()
                assert not any(name.startswith("on") or "NaN" in value for name, value in each.attrib.items())


@of_games(2)
def a_pick_names_one_value_and_stands_for_it_wherever_it_is_drawn(table: Table, seed: int) -> None:
    """Its kind is declared, and the same pick in two rows is the same thing. Rows are told apart by their ids."""
    for ruleset, view in _views(table, seed):
        scene = ruleset.presentation.scene(view, Shown())
        assert len({row.id for row in scene.rows}) == len(scene.rows)
        things = [thing for row in scene.rows for thing in row.things if thing.pick]
        assert len({(thing.pick, thing.face, thing.name) for thing in things}) == len({thing.pick for thing in things})
        stage = [
            each.attrib["data-pick"] for root in _drawings(scene) for each in root.iter() if "data-pick" in each.attrib
        ]
        assert len({*stage}) == len(stage)
        picks = [*(thing.pick for thing in things), *(row.pick for row in scene.rows if row.pick), *stage]
        assert all(_PICK.fullmatch(pick or "") for pick in picks)


@of_games(2)
def a_seat_has_as_many_cards_in_every_scene_as_it_sees_in_its_own(table: Table, seed: int) -> None:
    """Its line states how many lie in its hand, and a row has all of its things or, where it is hidden, none."""
    rng, steps = random.Random(f"counts {table} {seed}"), played(table, seed)
    for game in [*(steps[place].game for place in of_every_kind(rng, steps)), steps[-1].game]:
        scenes = {viewer: _seen(game, viewer) for viewer in (*range(table.seats), None, EVERYTHING)}
        for seat in range(table.seats):
            hand = [row for row in scenes[seat].rows if row.id == f"hand:{seat}"]
            stated = {line.cards for scene in scenes.values() for line in scene.seats if line.seat == seat}
            assert len(stated) <= 1, f"the numbers of cards of seat {seat} differ: {stated}"
            lying = {len(row.things) for row in hand}
            assert not hand or stated <= lying | {None}, f"seat {seat} has {stated} cards and sees {lying}"
        sizes: dict[str, set[int]] = {}
        for row in (row for scene in scenes.values() for row in scene.rows if row.things):
            sizes.setdefault(row.id, set()).add(len(row.things))
        assert not {row: found for row, found in sizes.items() if len(found) > 1}, f"rows of several lengths: {sizes}"


def _seen(game: Game, viewer: Viewer) -> Scene:
    eyes = viewer if isinstance(viewer, int) else None
    return game.ruleset.presentation.scene(game.ruleset.project(game.state, viewer), Shown(viewer=eyes))


@of_games(2)
def what_can_be_chosen_is_drawn(table: Table, seed: int) -> None:
    """All but a few cards that a seat names without having them, for which there can be buttons."""
    rng = random.Random(f"picks {table.ruleset.id} {table.seats} {table.variant} {seed}")
    steps = played(table, seed)
    for game in [steps[place].game for place in of_every_kind(rng, steps)]:
        for seat in game.pending:
            legal = spanning(game.ruleset.legal_actions(game.state, seat))
            scene = game.ruleset.presentation.scene(game.ruleset.project(game.state, seat), Shown(viewer=seat))
            drawn = [each.get("data-pick", "") for root in _drawings(scene) for each in root.iter()]
            missing = {pick for action in legal for pick in picks_of(action)} - picks_in(scene, drawn)
            assert len(missing) <= MOST_BUTTONS
            assert all(pick.startswith("card:") for pick in missing)


MOST_BUTTONS = 16
_PICK = re.compile(rf"(?:{'|'.join(get_args(PickKind))}):[A-Za-z0-9#]+")


@of_games(2)
def a_text_is_lines_for_any_terminal(table: Table, seed: int) -> None:
    """ASCII, at most 120 characters wide, without spaces at the end of a line; a board is at most 80 wide."""
    for ruleset, view in _views(table, seed):
        stage = ruleset.presentation.scene(view, Shown()).stage
        board = stage.text if stage else ()
        assert all(line.isascii() and line == line.rstrip() and len(line) <= 80 for line in board)
        text = ruleset.presentation.text(view)
        assert text.isascii()
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert not [line for line in text.split("\n") if line != line.rstrip() or len(line) > 120]


@of_games(2)
def no_card_is_named_that_the_view_does_not_name(table: Table, seed: int) -> None:
    """Neither in the text, nor in the scene, nor in the description of the picture, which puts cards into words."""
    in_words = wording(table.ruleset.package, PRINTED).card
    named, spoken = _any_of(table.facts.words), _any_of(map(in_words, table.facts.words))
    for ruleset, view in _views(table, seed):
        in_view = {*named.findall(json.dumps(to_plain(view)))}
        description = ElementTree.fromstring(ruleset.presentation.svg(view, Shown())).findtext(f"{SVG}desc") or ""
        assert {*named.findall(ruleset.presentation.text(view))} <= in_view
        assert {*spoken.findall(description)} <= {*map(in_words, in_view)}
        shown = "\n".join(_texts(ruleset.presentation.scene(view, Shown())))
        assert {*named.findall(shown)} <= in_view
        assert {*spoken.findall(shown)} <= {*map(in_words, in_view)}


def _needed(scene: Scene) -> Iterator[str]:
    """List the words of a scene that are always there."""
    yield from (scene.title, *scene.lines, *(scene.stage.says if scene.stage else ()))
    for row in scene.rows:
        yield from (row.name, *(thing.name for thing in row.things))
    for hand in scene.sheet:
        yield from (hand.name, *hand.steps)


def _said(scene: Scene) -> Iterator[str]:
    """List the words of a scene that can be empty."""
    yield from (line.note for line in scene.seats)
    yield from (text for row in scene.rows for thing in row.things for text in (thing.note, thing.refused))
    yield from (*(cell for hand in scene.sheet for cell in hand.cells), *scene.totals)


def _texts(scene: Scene) -> Iterator[str]:
    """List every text of a scene, with its picks."""
    yield from (*_needed(scene), *_said(scene), *(line.name for line in scene.seats))
    for row in scene.rows:
        yield from (row.id, row.pick or "", *(text or "" for thing in row.things for text in (thing.face, thing.pick)))
    yield from scene.stage.text if scene.stage else ()
    for drawn in _drawings(scene):
        for each in drawn.iter():
            yield from (each.text or "", each.get("data-pick", ""))


def _drawings(scene: Scene) -> Iterator[ElementTree.Element]:
    """List what a scene has drawn: its stage, and the things that are no cards."""
    art = [thing.art for row in scene.rows for thing in row.things if thing.art]
    yield from map(ElementTree.fromstring, [*([scene.stage.svg] if scene.stage else ()), *art])


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of any of some words."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words)) or 'no words'})\b")
