"""A service in which a test directs a tournament, and makes its days pass."""

from typing import Any

import redis

from domain.game.durations import HOUR, moment
from service.accounts.players import GUEST_SCOPES
from service.games.desk import Desk
from service.games.repository import GameRepository
from service.store.event_store import EventStore
from service.tournaments.keeping import TournamentKeeper
from service.tournaments.store import TournamentStore
from service.transparency.transparency_log import TransparencyLog
from tests.service.deal_sets.days import Days
from tests.support.people import Person

CARDS = {
    "name": "Club evening",
    "ruleset": "plute",
    "seats": 6,
    "deals": 2,
    "rounds": 2,
    "bot": "random",
    "clock": {"per_move": "P1D"},
    "round_time": "P2D",
}
DUELS = {
    "name": "Club championship",
    "ruleset": "plateau",
    "seats": 2,
    "rounds": 3,
    "pairing": "swiss",
    "clock": {"per_move": "P1D"},
    "round_time": "P2D",
}


class Hall(Days):
    """The service, its clock, and its director."""

    def __init__(self, client: redis.Redis) -> None:
        super().__init__(client)
        self.director = self.server.known(self.server.newcomer("Dora").id, (*GUEST_SCOPES, "tournaments"))

    def keeper(self) -> TournamentKeeper:  # type: ignore[override]
        """What leads the tournaments, as a process that has just started has it."""
        store = EventStore(self.server.redis)
        repository = GameRepository(store)
        return TournamentKeeper(
            Desk(repository, self.now), repository, self.server.players, TransparencyLog(self.server.redis)
        )

    def create(self, wish: Any, **more: Any) -> str:
        """Have the director create a tournament that starts in four hours; return its path."""
        made = self.director.post("/v1/tournaments", {**wish, "starts": moment(self.at + 4 * HOUR), **more})
        assert made.status_code == 201, made.json
        return f"/v1/tournaments/{made.json['id']}"

    def people(self, count: int, path: str) -> list[Person]:
        """Newcomers who enter a tournament."""
        people = [self.server.newcomer(f"P{number}") for number in range(count)]
        for person in people:
            assert person.put(f"{path}/entry", {}).status_code == 200
        return people

    def start(self) -> None:
        """Go to the start, and draw the first round."""
        self.at += 3 * HOUR
        self.keep()
        self.at += HOUR
        self.keep()

    def play_tables(self, path: str, *, but: int | None = None) -> None:
        """Play all games of the round that is played, except those of one table."""
        self.keep()
        number = self.get(path)["round"]
        one, tables = self.log_of(path), TournamentStore(EventStore(self.server.redis))
        for table in range(len(one.paired[-1].tables)):
            for game_id in tables.game_ids(one, one.paired[-1], table) if table != but else ():
                self.play(game_id, seed=table)
                if self.get(path)["round"] == number:
                    self.keeper().keep()
        self.at += HOUR
        self.keep()

    def log_of(self, path: str) -> Any:
        """The tournament as its log has it."""
        return TournamentStore(EventStore(self.server.redis)).find(path.rpartition("/")[2])

    def get(self, path: str, who: Person | None = None) -> Any:
        """The tournament as somebody sees it."""
        found = (who or self.server.stranger()).get(path)
        assert found.status_code == 200, found.json
        return found.json

    def events(self, path: str) -> list[Any]:
        """All events of a tournament."""
        events: list[Any] = self.server.stranger().get(f"{path}/events").json["events"]
        return events
