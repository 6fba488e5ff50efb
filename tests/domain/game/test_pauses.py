"""Pauses that the players agree on, and time given back for which the service was down."""

import pytest

from domain.errors import InvalidOptions
from domain.events import GamePaused, GameResumed, TimeCredited
from domain.game import aggregate as games
from domain.game import proposals, timeouts
from domain.game.durations import DAY, HOUR, MINUTE, moment
from domain.game.time_control import PLAY_BY_POST
from domain.le_plateau.actions import Pass
from tests.support.timed_games import START, Played, clock, refusal

# -- pauses -------------------------------------------------------------------------------------------------------


def agree(played, after, kind, length=None):
    """Have all three seats agree on something."""
    played.then(after, proposals.propose(played.game, 0, kind, length))
    made = played.game.proposals[-1].id
    played.then(after, proposals.vote(played.game, 1, made, accept=True))
    return played.then(after, proposals.vote(played.game, 2, made, accept=True))


def test_a_pause_stops_the_clocks_and_all_play_until_it_is_over():
    played = Played(clock(per_move="PT1H", bank="PT1H"))
    assert GamePaused("P7D") in agree(played, 10 * MINUTE, "pause", "P7D")
    assert (played.game.status, dict(played.game.pending), played.left(0)) == ("paused", {}, {})
    assert refusal(games.act, played.game, 0, Pass()) == "game-not-active"
    assert played.due() == 7 * DAY + 10 * MINUTE
    assert refusal(timeouts.resume, played.game, START + 7 * DAY) == "not-over"
    events = played.then(8 * DAY, timeouts.resume(played.game, START + 8 * DAY))
    assert events == [GameResumed("over")]
    assert played.left(8 * DAY) == {0: 110 * MINUTE}
    played.passes(8 * DAY + HOUR)
    assert played.game.times.banks == (50 * MINUTE, HOUR, HOUR)


def test_a_pause_ends_when_all_agree_and_nothing_else_is_agreed():
    played = Played(PLAY_BY_POST)
    agree(played, HOUR, "pause")
    assert played.due() == 14 * DAY + HOUR
    for kind in ("pause", "stop_after_hand"):
        assert refusal(proposals.propose, played.game, 0, kind) == "game-not-active"
    assert GameResumed("agreed") in agree(played, DAY, "resume")
    assert played.left(DAY) == {0: 3 * DAY - HOUR}
    assert refusal(proposals.propose, played.game, 0, "resume") == "nothing-to-propose"


def test_a_proposal_to_continue_lapses_with_the_pause():
    played = Played(PLAY_BY_POST)
    agree(played, 0, "pause", "PT1H")
    played.then(MINUTE, proposals.propose(played.game, 1, "resume"))
    events = played.then(HOUR, timeouts.resume(played.game, START + HOUR))
    assert [type(event).__name__ for event in events] == ["ProposalClosed", "GameResumed"]
    assert played.game.proposals == ()


@pytest.mark.parametrize(("kind", "length"), [("pause", "PT59S"), ("pause", "P91D"), ("pause", "x"), ("resume", "P1D")])
def test_a_duration_that_does_not_fit_is_refused(kind, length):
    played = Played(PLAY_BY_POST)
    if kind == "resume":
        agree(played, 0, "pause")
    with pytest.raises(InvalidOptions, match="duration"):
        proposals.propose(played.game, 0, kind, length)


# -- downtime -----------------------------------------------------------------------------------------------------


def test_time_that_the_service_was_down_is_given_back_once_and_visibly():
    played = Played(clock(per_move="PT1H", bank="PT10M"))
    down = (START + 50 * MINUTE, START + 80 * MINUTE)
    assert timeouts.owed(played.game, [down]) == [down]
    events = played.then(80 * MINUTE, timeouts.credit(played.game, [down]))
    assert events == [TimeCredited(moment(down[0]), moment(down[1]))]
    assert played.left(80 * MINUTE) == {0: 20 * MINUTE}
    assert timeouts.owed(played.game, [down]) == []
    played.passes(90 * MINUTE + 5 * MINUTE)
    assert played.game.times.banks[0] == 5 * MINUTE


def test_only_what_a_clock_ran_through_is_given_back():
    played = Played(PLAY_BY_POST)
    played.passes(HOUR)
    before, across = (START, START + HOUR), (START + HOUR // 2, START + 2 * HOUR)
    assert timeouts.owed(played.game, [before]) == []
    played.then(2 * HOUR, timeouts.credit(played.game, [before, across]))
    assert played.left(2 * HOUR) == {1: 3 * DAY}


def test_a_downtime_within_a_pause_gives_nothing_back():
    played = Played(clock(per_move="PT1H"))
    agree(played, 50 * MINUTE, "pause", "P7D")
    end = 7 * DAY + 50 * MINUTE
    within, after = (end - 40 * MINUTE, end - 5 * MINUTE), (end + 2 * MINUTE, end + 5 * MINUTE)
    played.then(end, timeouts.resume(played.game, START + end))
    assert timeouts.owed(played.game, [(START + within[0], START + within[1])]) == []
    downs = [(START + began, START + ended) for began, ended in (within, after)]
    assert timeouts.owed(played.game, downs) == downs[1:]
    played.then(after[1], timeouts.credit(played.game, downs))
    assert played.left(end) == {0: 13 * MINUTE}


def test_of_a_downtime_only_what_follows_the_pause_is_given_back():
    played = Played(clock(per_move="PT1H"))
    agree(played, 50 * MINUTE, "pause", "P7D")
    end = START + 7 * DAY + 50 * MINUTE
    played.then(end - START, timeouts.resume(played.game, end))
    played.then(end - START + MINUTE, timeouts.credit(played.game, [(end - HOUR, end + MINUTE)]))
    assert played.left(end - START) == {0: 11 * MINUTE}
