"""Kept logs with take-backs fold as they did when they were written: to the same views at every version.

A log written by the first version, before there were options to choose, is read as it was meant then.
"""

from functools import cache
from hashlib import sha256
from itertools import groupby, pairwise
from operator import attrgetter

import pytest

from domain.events import EVENTS
from domain.game import aggregate, history
from domain.log import chain
from domain.log.record import visible
from domain.log.redaction import split
from domain.notation.lexer import NotationError
from domain.registry import RULESETS
from domain.serialization import from_plain, to_plain
from domain.table import Outcome
from domain.texts import document
from tests.golden.stored_logs import FIRST, FOLDER, log_of

every_log = pytest.mark.parametrize("name", ["take_backs_plateau", "take_backs_plute"])


@cache
def view_lines(name):
    """Return a line for each version: the seats to act, and the hash of the views that all viewers have."""
    return tuple(_view_lines(log_of(name)))


def _view_lines(log):
    before = None
    for _, of_request in groupby(log, key=attrgetter("request")):
        batch = list(of_request)
        for count, record in enumerate(batch, start=1):
            game = history.fold(batch[:count], before)
            viewers = (None, *range(len(game.sitters)))
            views = [to_plain(game.state and game.ruleset.project(game.state, viewer)) for viewer in viewers]
            to_act = sorted(game.pending) if count == len(batch) else []
            yield f"{record.version} {to_act} {sha256(chain.canonical(views)).hexdigest()[:8]}"
        before = game


@every_log
def test_every_version_shows_what_it_showed(name):
    assert [*view_lines(name)] == (FOLDER / f"{name}.hashes").read_text().splitlines()


@every_log
def test_each_take_back_shows_what_the_version_that_it_names_shows(name):
    log, shown = log_of(name), [line.split(" ", 1)[1] for line in view_lines(name)]
    backs = [record for record in log if record.type == "taken_back"]
    assert len(backs) >= 5
    for record in backs:
        assert shown[record.version - 1] == shown[record.data["to_version"] - 1]


@every_log
def test_the_chain_holds_and_the_text_reads_back(name):
    log = log_of(name)
    game = history.fold(log)
    shown = [visible(record, game.secrets, None, everything=True) for record in log]
    assert chain.verify(shown) == game.head == log[-1].hash
    assert all(after.version == before.version + 1 for before, after in pairwise(log))
    text = document.write(shown)
    if log[0].data["rules_version"] == game.ruleset.version:
        assert document.read(text).outcome == game.outcome
    else:
        with pytest.raises(NotationError, match="the only known version of the rules of Plateau is 2"):
            document.read(text)


OPEN = {
    "le-plateau": "phase_began bid_made passed contract_won cards_discarded objective_raised objective_kept "
    "declarer_abdicated",
    "plateau": "unit_moved prisoners_tendered prisoners_exchanged tender_refused turn_began turn_resumed",
    "french-tarot": "phase_began bid_made passed contract_won slam_announced petit_chelem_announced slam_declined "
    "poignee_declined",
    "plute": "phase_began bid_made passed contract_won",
}
"""The open events on which stored games can rely: kinds can be added, but never removed."""


@pytest.mark.parametrize("ruleset_id", OPEN)
def test_what_could_be_taken_back_once_can_always_be_found_again(ruleset_id):
    ruleset = RULESETS[ruleset_id]
    assert ruleset.open_events >= {ruleset.events[name] for name in OPEN[ruleset_id].split()}
    assert aggregate.MOST_POSITIONS >= 32


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
