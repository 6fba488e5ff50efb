"""A service whose days a test makes pass, and whose players and bots play what chance chooses."""

import random
from dataclasses import replace
from datetime import date

import redis

from domain.deal_sets.schedule import Schedule
from domain.game.durations import DAY, HOUR, SECOND, instant, moment
from service.deal_sets.keeping import Keeper
from service.games.commands import Act, bot_caller
from service.games.repository import GameRepository
from service.store.event_store import EventStore
from service.transparency.transparency_log import TransparencyLog
from tests.support.people import Person, Server
from tests.support.transparency import log_heads

DAY_ONE = "2026-11-28"
SCHEDULE = Schedule(deals=2, hour=4, hours=24, bot="random", games=(("plute", (6,)),))


class Days:
    """The service and its clock; ``at`` is the time in ms since 1970."""

    def __init__(self, client: redis.Redis, schedule: Schedule = SCHEDULE) -> None:
        self.at = schedule.opens(date.fromisoformat(DAY_ONE)) - HOUR
        self.schedule = schedule
        self.server = Server(client, now=self.now)
        self.server._settings = replace(self.server._settings, daily=schedule)
        self.server.forget_games()

    def now(self) -> str:
        """The time, as the log writes it."""
        return moment(self.at)

    def keeper(self) -> Keeper:
        """What makes the sets, as a process that has just started has it."""
        return Keeper(EventStore(self.server.redis), TransparencyLog(self.server.redis), self.now, self.schedule, 3600)

    def keep(self) -> None:
        """Make every step that is due: a set is created, its head is logged, it is sealed."""
        for _ in range(3):
            self.keeper().keep()
            log_heads(self.server, self.now())
            self.at += SECOND

    def open(self) -> None:
        """Go to the first day, and open its sets."""
        self.keep()
        self.at = self.schedule.opens(date.fromisoformat(DAY_ONE))
        self.at += HOUR
        self.keep()

    def close(self) -> None:
        """Go to where the sets of the first day are closed."""
        self.at = max(self.at, instant(f"{DAY_ONE}T00:00:00.000Z") + 2 * DAY)
        self.keep()

    def games(self) -> GameRepository:
        """The games, as another process has them."""
        return GameRepository(EventStore(self.server.redis))

    def play(self, game_id: str, seed: int = 0) -> None:
        """Play a game to its end."""
        desk, rng, games = self.server.services.desk, random.Random(seed), self.games()
        game = games.fresh(game_id)
        while not game.is_over:
            seat = min(game.pending)
            actions = game.ruleset.legal_actions(game.state, seat)
            desk.do(game, Act(caller=bot_caller(seat), action=actions[rng.randrange(len(actions))]))
            game = games.fresh(game_id)

    def play_bots(self) -> None:
        """Let the bots play their own tables."""
        for game_id in list(EventStore(self.server.redis).game_ids()):
            game = self.games().fresh(game_id)
            if game.deal is not None and not game.had_players:
                self.play(game_id)


def opened(person: Person, path: str = f"/v1/daily/plute/{DAY_ONE}", **headers: str) -> str:
    """Open the next deal; return the id of its game."""
    answer = person.post(f"{path}/deals", {}, **headers)
    assert answer.status_code in (200, 201), answer.json
    game_id: str = answer.json["id"]
    return game_id
