"""A log written by the first version, before there were options to choose, is read as it was meant then."""

from domain.events import EVENTS
from domain.game import history
from domain.log import chain
from domain.log.record import visible
from domain.log.redaction import split
from domain.serialization import from_plain
from domain.table import Outcome
from tests.golden.stored_logs import FIRST, log_of

LOG = log_of(FIRST)


def test_an_old_log_folds_to_the_game_that_was_played():
    game = history.fold(LOG)
    assert (game.status, game.version) == ("finished", 164)
    assert game.outcome == Outcome("hands_played", (0,), (24, 6, 6, -36))
    assert game.state.scores == (24, 6, 6, -36)
    assert game.head == LOG[-1].hash


def test_an_old_log_can_be_looked_at_at_every_version_by_everyone():
    for version in range(1, len(LOG) + 1):
        game = history.fold_to(LOG, version)
        for viewer in (0, 1, 2, 3, None):
            assert game.state is None or game.ruleset.project(game.state, viewer)


def test_an_old_log_verifies():
    game = history.fold(LOG)
    for viewer in (1, None):
        seen = [visible(record, game.secrets, viewer, everything=False) for record in LOG]
        assert chain.verify(seen) == game.head


def test_every_old_event_has_the_same_form_today_but_for_new_fields():
    events = EVENTS | dict(history.fold(LOG[:1]).ruleset.events)
    for record in LOG:
        data, hidden = split(from_plain(events[record.type], record.whole_data()))
        event = f"{record.version} {record.type}"
        assert {name: value for name, value in data.items() if name in record.data} == record.data, event
        assert {data[name] for name in data.keys() - record.data.keys()} <= {None}, event
        assert hidden == record.hidden, event
