"""Players are reminded once of a decision whose time runs out, and of nothing else."""

from itertools import count

import pytest

from domain.events import Clock
from domain.game.durations import DAY, HOUR, MINUTE
from service.games.commands import Act, Propose, PutBot, Vote
from service.games.repository import GameRepository
from service.inbox.notice_log import START, NoticeLog
from service.inbox.notices import Notice, Reminder, Reminders, remind_at
from service.store import keys
from tests.support.games import spec, wish
from tests.support.wiring import notifier_on
from tests.workers.places import Dying, Killed, three_players
from workers.reminding import Reminding


def clock(**given):
    return Clock(**({"per_move": None, "bank": None, "increment": None, "on_timeout": "bot", "bot": "random"} | given))


class Table:
    """A game of two, and a process that reminds its players."""

    def __init__(self, house, rule, mine=(True, False)):
        self.house, self.client = house, house.client
        self.players = three_players(house.client)[:2]
        self.log, self.notifier = NoticeLog(house.client), notifier_on(house.client)
        self.reminding = Reminding(Reminders(house.client, 16), house.store, house.heartbeat, house.now)
        more = {"clock": rule}
        self.id = house.games.create(self.players[0], spec(mine, sandbox=False, ruleset="plateau", more=more))[0]
        house.games.join(self.id, self.players[1], wish())
        self.pass_on()

    @property
    def game(self):
        return self.house.game(self.id)

    def pass_on(self):
        while self.notifier.pass_on(1):
            pass

    def after(self, ms):
        """Let time pass; return who is reminded, and of which decision."""
        self.house.ms += ms
        before = {each.player: self.log.latest(each.player) for each in self.players}
        self.reminding.remind()
        self.pass_on()
        found = [each for player, latest in before.items() for each in self.log.read(player, latest, 10)]
        assert {each.kind for each in found} <= {"deadline_near"}
        return [(each.player, each.data["decision_id"]) for each in found]

    def act(self):
        (seat,) = self.game.pending
        action = self.game.ruleset.legal_actions(self.game.state, seat)[0]
        self.house.games.do(self.id, Act(caller=self.players[seat], action=action))
        self.pass_on()

    def pending(self):
        (seat,) = self.game.pending
        return self.players[seat].player, self.game.decision_id(seat)

    def scheduled(self):
        return [
            at
            for shard in self.house.store.all_shards
            for _, at in self.client.zrange(shard.reminders, 0, -1, withscores=True)
        ]

    def agree(self, kind, **more):
        first, second = self.players
        self.house.games.do(self.id, Propose(caller=first, kind=kind, **more))
        proposal = self.game.proposals[-1].id
        self.house.games.do(self.id, Vote(caller=second, proposal=proposal, accept=True))
        self.pass_on()


@pytest.fixture
def table(house):
    return Table(house, clock(per_move="P3D"))


@pytest.mark.parametrize(
    ("time", "left"),
    [(HOUR - 1, None), (HOUR, 15 * MINUTE), (DAY, 6 * HOUR), (3 * DAY, 18 * HOUR), (4 * DAY, DAY), (90 * DAY, DAY)],
)
def test_a_reminder_comes_when_a_quarter_of_the_time_is_left_or_a_day(time, left):
    assert remind_at(1000, 1000 + time) == (None if left is None else 1000 + time - left)


def test_a_player_is_reminded_once_shortly_before_the_time_is_up(table):
    whose = table.pending()
    assert table.after(3 * DAY - 18 * HOUR - 1) == []
    assert table.after(1) == [whose]
    assert table.scheduled() == []
    assert table.after(HOUR) == []
    (notice,) = [each for each in table.log.read(whose[0], START, 10) if each.kind == "deadline_near"]
    (turn,) = [each for each in table.log.read(whose[0], START, 10) if each.kind == "your_turn"]
    assert (notice.version, notice.data) == (turn.version, turn.data)


def test_a_player_is_reminded_of_a_turn_that_their_own_request_brought_about(house):
    """They heard of no turn, because they were there when it began; but that can be days ago."""
    table = Table(house, clock(per_move="P3D"), mine=(False, True))
    whose = (table.players[1].player, table.game.decision_id(0))
    assert table.game.sitters[0].player == whose[0]
    assert "your_turn" not in [each.kind for each in table.log.read(whose[0], START, 10)]
    assert table.after(3 * DAY - 18 * HOUR) == [whose]


def test_nobody_is_reminded_of_a_decision_that_was_made(table):
    table.after(DAY)
    table.act()
    whose = table.pending()
    assert table.after(2 * DAY) == [], "the first decision's time would be nearly up"
    assert table.after(6 * HOUR) == [whose]


def test_each_decision_of_a_seat_takes_the_place_of_the_last_one(table):
    for _ in range(6):
        table.house.ms += HOUR
        table.act()
    assert len(table.scheduled()) == 2


@pytest.mark.parametrize("rule", [None, clock(per_move="PT59M")])
def test_without_a_clock_or_in_a_fast_game_there_is_no_reminder(house, rule):
    table = Table(house, rule)
    table.act()
    assert table.scheduled() == []


def test_a_bank_counts_as_time_for_the_decision(house):
    table = Table(house, clock(per_move="PT1H", bank="PT7H"))
    whose = table.pending()
    assert table.after(6 * HOUR - 1) == []
    assert table.after(1) == [whose]


def test_in_a_pause_nobody_is_reminded_and_afterwards_what_is_left_counts(table):
    table.house.ms += 2 * DAY
    table.agree("pause", duration="P30D")
    assert table.after(10 * DAY) == []
    table.agree("resume")
    whose = table.pending()
    assert table.after(18 * HOUR - 1) == [], "a day is left when the game continues"
    assert table.after(1) == [whose]


def test_when_time_is_credited_the_reminder_moves(table):
    whose = table.pending()
    table.house.ms += DAY
    since = table.house.ms
    table.house.ms += 12 * HOUR
    table.client.zadd(keys.DOWNTIMES, {f"{since}-{table.house.ms}": table.house.ms})
    table.house.games.do(table.id, Propose(caller=table.players[0], kind="pause"))
    table.pass_on()
    assert table.after(3 * DAY - 18 * HOUR - 36 * HOUR) == []
    assert table.after(12 * HOUR - 1) == []
    assert table.after(1) == [whose]


def test_a_reminder_that_comes_after_the_deadline_is_left_out(table):
    assert table.after(3 * DAY) == []
    assert table.scheduled() == []


def test_nobody_is_reminded_for_a_bot_that_took_the_seat_over(table):
    (seat,) = table.game.pending
    table.house.games.do(table.id, PutBot(now=table.house.ms, caller=table.players[seat], seat=seat, bot="random"))
    assert table.after(3 * DAY - HOUR) == []
    assert table.scheduled() == []


def test_while_no_web_process_serves_nobody_is_reminded(table):
    table.client.set(keys.HEARTBEAT, 1)
    assert table.after(3 * DAY - HOUR) == []
    assert len(table.scheduled()) == 1
    table.client.delete(keys.HEARTBEAT)
    assert len(table.after(1)) == 1


def test_a_reminder_of_a_game_that_is_gone_is_dropped(table):
    table.client.delete(table.house.store.keys_of(table.id).events)
    assert table.after(3 * DAY - HOUR) == []
    assert table.scheduled() == []


def test_a_game_that_cannot_be_read_holds_up_no_other_reminder(table, monkeypatch, caplog):
    Reminders(table.client, 16).schedule(
        [Notice("your_turn", "pl_x", "gm_odd", 7, table.game.at, table.log.read(table.pending()[0], START, 9)[-1].data)]
    )
    real = GameRepository.fresh

    def fresh(repository, game_id):
        return 1 / 0 if game_id == "gm_odd" else real(repository, game_id)

    monkeypatch.setattr(GameRepository, "fresh", fresh)
    whose = table.pending()
    assert table.after(3 * DAY - HOUR) == [whose]
    assert table.scheduled() == []
    assert "no player is reminded of gm_odd, which cannot be read" in caplog.text


def test_a_reminder_that_somebody_else_has_settled_stays_settled(table):
    reminders, at = Reminders(table.client, 16), table.scheduled()[0]
    (seat,) = table.game.pending
    known = Reminder(table.id, seat, int(at))
    assert reminders.settle(known, int(at) + 5)
    assert not reminders.settle(known, None)
    assert table.scheduled() == [at + 5]


def test_a_process_that_reminds_can_be_killed_at_any_step(house, monkeypatch):
    killed = 0
    for at in count():
        table = Table(house, clock(per_move="P3D"))
        whose = table.pending()
        house.ms += 3 * DAY - HOUR
        with monkeypatch.context() as dying:
            Dying(dying, at, house.client)
            try:
                table.reminding.remind()
                break
            except Killed:
                killed += 1
        assert set(table.after(1)) <= {whose}
        found = [each.data for each in table.log.read(whose[0], START, 100) if each.kind == "deadline_near"]
        assert [each["decision_id"] for each in found] == [whose[1]]
    assert killed >= 4
