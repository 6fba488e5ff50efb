"""Open games end by themselves: when nobody takes their seats, and sooner when all players have left.

A game in play ends only if nothing is ever due in it and nobody does anything for a long time.
"""

import pytest

from domain.events import BotSeated, GameAborted
from domain.game import proposals, seating, timeouts
from domain.game.durations import DAY, HOUR, MINUTE, SECOND
from domain.game.timeouts import ENDLESS, Patience
from tests.support.timed_games import START, Played, clock, refusal

PATIENCE = Patience(open_game=14 * DAY, empty_game=DAY)


class Opened(Played):
    """A game that is open at first: a seat is a player's, or open (None)."""

    def __init__(self, *sitters, **more):
        super().__init__(None, *sitters, **more)

    def ends(self, patience=PATIENCE):
        """Return when it ends, in ms after its creation, as the service and its clients see it."""
        at = timeouts.expires(self.game, patience)
        assert self.game.status != "open" or at == timeouts.due(self.game, patience)
        return None if at is None else at - START

    def joins(self, after, player="pl_b", seat=None):
        """Seat a player."""
        return self.then(after, seating.join(self.game, player, seat, None))

    def leaves(self, after, player, seat):
        """Have a player leave."""
        return self.then(after, seating.leave(self.game, player, seat))


def test_each_change_of_a_seat_moves_the_end_on():
    game = Opened("pl_a", None, None)
    game.joins(DAY)
    assert game.ends() == 15 * DAY
    game.leaves(2 * DAY, "pl_b", 1)
    assert game.ends() == 16 * DAY
    game.then(3 * DAY, seating.put_bot(game.game, "pl_a", 2, "random"))
    assert game.ends() == 17 * DAY


def test_a_game_that_all_have_left_ends_a_day_later_unless_one_comes():
    game = Opened("pl_a", None, None)
    game.joins(HOUR)
    game.leaves(2 * HOUR, "pl_a", 0)
    assert game.ends() == 2 * HOUR + 14 * DAY
    game.leaves(3 * HOUR, "pl_b", 1)
    assert game.ends() == 3 * HOUR + DAY
    game.joins(4 * HOUR, "pl_c")
    assert game.ends() == 4 * HOUR + 14 * DAY


def test_a_bot_is_nobody_who_could_have_left_or_could_stay():
    for_bots = Opened(None, None, None, bots=((0, "random"),))
    assert for_bots.ends() == 14 * DAY
    handed_over = Opened("pl_a", None, None)
    (event,) = handed_over.then(HOUR, seating.put_bot(handed_over.game, "pl_a", 0, "random"))
    assert event == BotSeated(0, "random")
    assert handed_over.ends() == HOUR + DAY


@pytest.mark.parametrize(("left", "reason", "wait"), [(False, "expired", 14 * DAY), (True, "abandoned", DAY)])
def test_a_game_ends_with_its_reason_and_not_before_its_time(left, reason, wait):
    game = Opened("pl_a", None, None)
    if left:
        game.leaves(0, "pl_a", 0)
    assert refusal(timeouts.expire, game.game, START + wait - 1, PATIENCE) == "not-over"
    assert refusal(timeouts.expire, game.game, START + wait, ENDLESS) == "not-over"
    assert game.then(wait, timeouts.expire(game.game, START + wait, PATIENCE)) == [GameAborted(reason, "00" * 32)]
    assert (game.game.status, game.game.aborted_because, game.ends()) == ("aborted", reason, None)
    assert timeouts.due(game.game, PATIENCE) is None


def test_a_game_that_has_started_does_not_expire_unless_idle_games_do():
    game = Opened("pl_a", "pl_b", "pl_c")
    assert game.ends() is None
    assert timeouts.due(game.game, Patience(5 * SECOND, 1, 1)) is None
    assert refusal(timeouts.expire, game.game, START + 3650 * DAY, PATIENCE) == "not-over"


IDLE = Patience(open_game=14 * DAY, empty_game=DAY, idle_game=365 * DAY)


def test_a_game_in_play_ends_when_idle_for_its_time_and_not_before():
    game = Opened("pl_a", "pl_b", "pl_c")
    game.passes(DAY)
    assert game.ends(IDLE) == 366 * DAY
    game.then(2 * DAY, proposals.propose(game.game, 0, "pause"))
    assert (game.ends(IDLE), timeouts.due(game.game, IDLE)) == (367 * DAY, START + 367 * DAY)
    assert refusal(timeouts.expire, game.game, START + 367 * DAY - 1, IDLE) == "not-over"
    (event,) = game.then(367 * DAY, timeouts.expire(game.game, START + 367 * DAY, IDLE))
    assert event == GameAborted("idle", game.game.secret.hex())
    assert (game.game.status, game.game.aborted_because, game.game.pending) == ("aborted", "idle", {})
    assert timeouts.due(game.game, IDLE) is None
    assert refusal(timeouts.abandon, game.game) == "not-over"


def test_a_game_whose_clock_waits_for_a_claim_is_idle_until_somebody_claims():
    game = Played(clock(per_move="PT1M", on_timeout="wait"))
    assert timeouts.due(game.game, IDLE) == START + 365 * DAY
    claimer = next(seat for seat in range(3) if seat not in game.game.pending)
    game.then(2 * MINUTE, timeouts.claim(game.game, claimer, START + 2 * MINUTE))
    assert timeouts.due(game.game, IDLE) == START + 2 * MINUTE
    assert refusal(timeouts.abandon, game.game) == "not-over"


@pytest.mark.parametrize(
    "more", [{"sandbox": True, "rule": None}, {"bots": ((0, "random"),), "rule": None}, {"rule": clock(per_move="P1D")}]
)
def test_a_sandbox_and_a_game_in_which_something_is_due_are_never_idle(more):
    """The seat to act is the first one, which is also the bot's."""
    sitters = (None, "pl_b", "pl_c") if "bots" in more else ("pl_a", "pl_b", "pl_c")
    game = Played(more.pop("rule"), *sitters, **more)
    assert [*game.game.pending] == [0]
    assert timeouts.expires(game.game, IDLE) is None
    assert refusal(timeouts.expire, game.game, START + 3650 * DAY, IDLE) == "not-over"


def test_a_pause_ends_and_only_then_is_its_game_idle():
    game = Opened("pl_a", "pl_b", "pl_c")
    game.then(0, proposals.propose(game.game, 0, "pause", "P1D"))
    for seat in (1, 2):
        game.then(0, proposals.vote(game.game, seat, game.game.proposals[0].id, accept=True))
    assert (timeouts.expires(game.game, IDLE), timeouts.due(game.game, IDLE)) == (None, START + DAY)
    game.then(DAY, timeouts.resume(game.game, START + DAY))
    assert game.ends(IDLE) == 366 * DAY
