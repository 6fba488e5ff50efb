"""What a touch shows on a board, against the rules of the game.

The style sheet of the web client colours everything that the boards of the games are made of.
The picker of the web client reaches every legal action by what it offers, and nothing else.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from domain.le_plateau.board import NEIGHBOURS, places
from domain.le_plateau.play import legal_cards
from domain.le_plateau.state import State
from domain.pictures.shown import Shown
from domain.registry import BUILT_IN, RULESETS
from domain.serialization import to_plain
from service.web.site import STATIC
from tests.support import node
from tests.support.random_games import playing
from tests.support.server import ROOT
from tests.web.picker_states import LAWS, all_of, keeps_the_laws

RULESET = RULESETS["le-plateau"]


def test_a_card_shows_what_its_trick_would_claim_and_all_that_this_would_join(tmp_path: Path) -> None:
    node.needed()
    touches = [touch for step in playing("le-plateau", 4, 0) for touch in touched(step.game)]
    (tmp_path / "touches").write_text("\n".join(json.dumps(asked) for asked, _ in touches))
    previews = ROOT / "tests/web/previews.mjs"
    shown = json.loads(node.run("sh", "-c", f"node {previews} le-plateau < {tmp_path}/touches", cwd=ROOT))
    on_board = [{*map("space:{}".format, asked["table"]["view"]["state"]["board"]["tokens"])} for asked, _ in touches]
    assert [{*each} & spaces for each, spaces in zip(shown, on_board, strict=True)] == [wanted for _, wanted in touches]
    joined = [
        wanted for asked, wanted in touches if len(wanted) > len(asked["table"]["view"]["state"]["trick"]["cards"]) + 2
    ]
    assert len(joined) > 9


def touched(game: Any) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """List what a player can play into a trick: what is asked of the page, and the spaces that it must show."""
    state: State = game.state
    for seat in game.pending if game.status == "active" else ():
        view = RULESET.project(state, seat)
        if view.trick is None:
            continue
        scene = RULESET.presentation.scene(view, Shown(viewer=seat))
        sides = [{"viewer": line.is_viewer, "side": line.side} for line in scene.seats]
        table = {"view": {"state": to_plain(view)}, "scene": {"seats": sides}}
        (mine,) = [line.side for line in scene.seats if line.is_viewer]
        for card in legal_cards(state, seat):
            yield (
                {"picks": [f"card:{card}"], "table": table},
                spaces(view, "declarer" if mine == "first" else "opposing", card),
            )


def spaces(view: Any, side: str, card: str) -> set[str]:
    """Claim the trick with this card, and grow from what is claimed over all that the side has then."""
    tokens, owners = view.board.tokens, view.board.owners
    claims = {f"#{view.trick.number}", card, *(played["card"] for played in to_plain(view.trick)["cards"])}
    claimed = [place for token, place in places(tokens).items() if token in claims and token not in owners]
    has = {place for token, place in places(tokens).items() if owners.get(token) == side} | {*claimed}
    reached = [*claimed]
    for place in reached:
        reached += NEIGHBOURS[place] & has - {*reached}
    return {f"space:{tokens[place]}" for place in reached}


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


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_every_legal_action_is_reached_by_what_is_offered_and_nothing_else_is(ruleset_id: str, tmp_path: Path) -> None:
    node.needed()
    states = all_of(ruleset_id)
    (tmp_path / "states").write_text("\n".join(map(json.dumps, states)))
    keeps_the_laws(json.loads(node.run("sh", "-c", f"node {LAWS} < {tmp_path}/states", cwd=ROOT)), states[1:])
