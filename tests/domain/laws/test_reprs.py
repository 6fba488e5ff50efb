"""What is hidden stands in no repr, so that it cannot get into a log line or an error by accident."""

import re

import pytest

from domain.log.record import visible
from tests.domain.play import VARIANTS, played


@pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
def test_no_repr_of_a_game_a_state_or_a_record_shows_what_is_hidden(ruleset_id, seats, variant):
    for step in played(ruleset_id, seats, 3, variant):
        if step.game.status != "active":
            continue
        told = [visible(record, step.game.secret, None, everything=False)["data"] for record in step.records]
        public = repr(step.game.ruleset.project(step.game.state, None)) + repr(told)
        shown = repr(step.game) + repr(step.game.state) + repr(step.records)
        assert step.game.secret.hex() not in shown
        assert repr(step.game.secret) not in shown
        for seat in range(seats):
            view = step.game.ruleset.project(step.game.state, seat)
            for word in set(re.findall(r"'\w+'", repr(view))) - set(re.findall(r"'\w+'", public)):
                assert word not in shown
