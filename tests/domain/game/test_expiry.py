"""Open games end by themselves: when nobody takes their seats, and sooner when all players have left."""

import pytest

from domain.events import BotSeated, GameAborted
from domain.game import seating, timeouts
from domain.game.durations import DAY, HOUR, MINUTE, SECOND
from domain.game.timeouts import ENDLESS, Patience
from tests.domain.game.timed_games import START, Played, refusal

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


def test_a_game_that_nobody_joins_ends_two_weeks_after_its_creation():
    for sitters in (("pl_a", None, None), (None, None, None)):
        assert Opened(*sitters).ends() == 14 * DAY


def test_each_change_of_a_seat_moves_the_end_on():
    game = Opened("pl_a", None, None)
    game.joins(DAY)
    assert game.ends() == 15 * DAY
    game.leaves(2 * DAY, "pl_b", 1)
    assert game.ends() == 16 * DAY
    game.then(3 * DAY, seating.put_bot(game.game, "pl_a", 2, "random"))
    assert game.ends() == 17 * DAY


def test_a_game_that_all_players_have_left_ends_a_day_later_unless_somebody_comes():
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


def test_a_time_that_is_not_set_is_no_time():
    game = Opened("pl_a", None, None)
    game.leaves(MINUTE, "pl_a", 0)
    assert game.ends(ENDLESS) is None
    assert game.ends(Patience(open_game=DAY)) == MINUTE + DAY
    assert game.ends(Patience(empty_game=HOUR)) == MINUTE + HOUR
    assert Opened("pl_a", None, None).ends(Patience(empty_game=HOUR)) is None


def test_the_earlier_of_two_ends_counts():
    game = Opened("pl_a", None, None)
    game.leaves(MINUTE, "pl_a", 0)
    patience = Patience(open_game=HOUR, empty_game=DAY)
    assert game.ends(patience) == MINUTE + HOUR
    assert timeouts.expire(game.game, START + DAY, patience)[0] == [GameAborted("expired", "00" * 32)]


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


def test_a_game_that_has_started_does_not_expire():
    game = Opened("pl_a", "pl_b", "pl_c")
    assert game.ends() is None
    assert timeouts.due(game.game, Patience(5 * SECOND, 1, 1)) is None
    assert refusal(timeouts.expire, game.game, START + 365 * DAY, PATIENCE) == "not-over"
