"""Who waits for what the service has to do: players who are there, at a table with others or with bots."""

import pytest

from domain.game import aggregate as games
from domain.game import proposals, timeouts
from domain.game.durations import HOUR, SECOND
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau.actions import Pass
from domain.registry import RULESETS
from tests.support import tender_ruleset
from tests.support.timed_games import Played, clock

RULE = clock(per_move="PT1M")


def times_out(played, after):
    """Have a bot pass for the seat to act."""
    (seat,) = played.game.pending
    played.then(after, timeouts.act_late(played.game, seat, "random", Pass()))


def test_all_but_the_one_to_act_wait_for_a_timeout():
    played = Played(RULE)
    assert timeouts.waiting(played.game) == ["pl_b", "pl_c"]
    played.passes(SECOND)
    assert timeouts.waiting(played.game) == ["pl_a", "pl_c"]


def test_who_let_their_turn_time_out_is_away_until_they_act():
    played = Played(RULE)
    times_out(played, HOUR)
    assert timeouts.waiting(played.game) == ["pl_c"]
    times_out(played, 2 * HOUR)
    times_out(played, 3 * HOUR)
    assert timeouts.waiting(played.game) == []
    played.passes(3 * HOUR + SECOND)
    assert timeouts.waiting(played.game) == ["pl_b"], "the next hand is begun by the seat after the dealer"


def test_who_proposes_something_is_back():
    played = Played(RULE)
    times_out(played, HOUR)
    assert played.game.times.absent == {0}
    played.then(HOUR + SECOND, proposals.propose(played.game, 0, "stop_after_hand"))
    assert timeouts.waiting(played.game) == ["pl_a", "pl_c"]


def test_players_wait_for_bots_and_only_while_they_are_there():
    played = Played(RULE, "pl_a", None, "pl_c", bots=((1, "random"),))
    times_out(played, HOUR)
    assert timeouts.bots_to_act(played.game) == [1]
    assert timeouts.waiting(played.game) == ["pl_c"]
    played.passes(HOUR + SECOND)
    times_out(played, 2 * HOUR)
    assert timeouts.bots_to_act(played.game) == [1]
    assert timeouts.waiting(played.game) == []


def test_nobody_waits_for_the_timeout_of_one_who_plays_with_bots_alone():
    played = Played(RULE, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    assert timeouts.waiting(played.game) == []


def test_who_is_asked_at_once_with_others_waits_for_them(monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    played = Played(RULE, ruleset=tender_ruleset.RULESET, rounds=2)
    assert timeouts.waiting(played.game) == ["pl_a", "pl_b", "pl_c"]
    played.then(SECOND, games.act(played.game, 1, tender_ruleset.Tender(2)))
    played.then(2 * SECOND, games.act(played.game, 0, tender_ruleset.Tender(2)))
    assert timeouts.waiting(played.game) == ["pl_a", "pl_b"]


@pytest.mark.parametrize("rule", [None, RULE])
def test_all_wait_for_a_pause_to_end(rule):
    played = Played(rule, ruleset=le_plateau)
    played.then(SECOND, proposals.propose(played.game, 0, "pause", "PT1H"))
    for seat in (1, 2):
        (made,) = played.game.proposals
        played.then((seat + 1) * SECOND, proposals.vote(played.game, seat, made.id, accept=True))
    assert played.game.status == "paused"
    assert timeouts.waiting(played.game) == ["pl_a", "pl_b", "pl_c"]
