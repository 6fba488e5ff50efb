"""No repr contains hidden values, so that they cannot get into a log line or an error by accident."""

import re

from domain.laws.law import of_every_variant
from domain.laws.play import Table, played
from domain.log.record import visible


@of_every_variant
def no_repr_of_a_game_a_state_or_a_record_shows_what_is_hidden(table: Table) -> None:
    """It has no word, at any step, that a seat can see and a spectator cannot."""
    for step in played(table, 3):
        if step.game.status != "active":
            continue
        public_data = [visible(record, step.game.secrets, None, everything=False)["data"] for record in step.records]
        public = repr(step.game.ruleset.project(step.game.state, None)) + repr(public_data)
        shown = repr(step.game) + repr(step.game.state) + repr(step.records)
        assert step.game.secret.hex() not in shown
        assert repr(step.game.secret) not in shown
        for seat in range(table.seats):
            view = step.game.ruleset.project(step.game.state, seat)
            for word in set(re.findall(r"'\w+'", repr(view))) - set(re.findall(r"'\w+'", public)):
                assert word not in shown
