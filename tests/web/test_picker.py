"""The picker of the web client reaches every legal action by what it offers, and nothing else."""

import json
from pathlib import Path

import pytest

from domain.registry import BUILT_IN
from tests.support import node
from tests.support.server import ROOT
from tests.web.picker_states import LAWS, all_of, keeps_the_laws


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_every_legal_action_is_reached_by_what_is_offered_and_nothing_else_is(ruleset_id: str, tmp_path: Path) -> None:
    node.needed()
    states = all_of(ruleset_id)
    (tmp_path / "states").write_text("\n".join(map(json.dumps, states)))
    keeps_the_laws(json.loads(node.run("sh", "-c", f"node {LAWS} < {tmp_path}/states", cwd=ROOT)), states[1:])
