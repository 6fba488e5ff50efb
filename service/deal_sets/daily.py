"""The daily sets for players: which are open, opening the next deal, and their results."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import orjson

from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.results import Results
from domain.deal_sets.schedule import Schedule, day_of
from domain.errors import wrong_moment
from domain.game.durations import instant
from domain.registry import RULESETS
from service.accounts.players import BOTS, Caller, Key, Players
from service.common.errors import WORDS, NotFound, refusal
from service.deal_sets.resources import DailyResource, MyDeals, SetEventPage
from service.deal_sets.results import results_of
from service.deal_sets.store import Opened, SetStore
from service.games.commands import Create
from service.games.commit import PLAYER, kept_under
from service.games.desk import Desk, GameExists, first_answer
from service.games.projections import representations
from service.games.repository import GameRepository
from service.store.codec import Answer
from service.store.event_store import EventStore

_RESULTS_KEPT = 16


def set_id_of(store: EventStore, ruleset_id: str, day: date) -> str:
    """Return the id of a ruleset's set of a day."""
    return store.derived_id("set_", f"daily {ruleset_id} {day.isoformat()}")


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player's part in a set: the deals that they have opened, and those of the bots' own table, by number."""

    own: Mapping[int, Opened]
    par: Mapping[int, Opened]


class Daily:
    """The daily sets of one store, by its schedule (None: there are none)."""

    def __init__(self, desk: Desk, repository: GameRepository, players: Players, schedule: Schedule | None) -> None:
        self._desk = desk
        self._repository = repository
        self._store = repository.store
        self._players = players
        self._schedule = schedule
        self._sets = SetStore(self._store)
        self._results = lru_cache(_RESULTS_KEPT)(self._compared)

    # -- finding sets ----------------------------------------------------------------------------------------------

    def open_now(self) -> Iterator[DealSet]:
        """Return the sets that are open, the latest first."""
        now = self._desk.now()
        for day in self._schedule.days(now) if self._schedule else ():
            for ruleset_id in RULESETS:
                found = self._sets.find(set_id_of(self._store, ruleset_id, day))
                if found is not None and found.is_open(now):
                    yield found

    def find(self, ruleset_id: str, day: str) -> DealSet:
        """Return the set of a ruleset and a day that has been sealed; reject any other."""
        when = day_of(day)
        found = self._sets.find(set_id_of(self._store, ruleset_id, when)) if when and ruleset_id in RULESETS else None
        if found is None or found.sealed is None:
            raise _no_such_set()
        return found

    def events(self, set_id: str, after: int, limit: int) -> SetEventPage:
        """Return a page of the log of a set, with its secret once it has closed."""
        found = self._sets.find(set_id) if set_id.startswith("set_") else None
        if found is None:
            raise _no_such_set()
        events, following = self._sets.events(found, after, limit, everything=found.closed is not None)
        return {"events": events, "next": following}

    # -- a player's part in a set ----------------------------------------------------------------------------------

    def resource(self, one: DealSet, player: str | None) -> DailyResource:
        """Show a set to a player, or to anyone."""
        created = one.created
        return {
            "id": one.id,
            "ruleset": created.ruleset,
            "seats": created.seats,
            "date": created.date,
            "deals": len(one.numbers),
            "bot": created.bot,
            "auction": created.auction,
            "options": dict(created.options),
            "opens": created.opens,
            "closes": created.closes,
            "mine": None if player is None else self.mine(one, player),
        }

    def mine(self, one: DealSet, player: str) -> MyDeals:
        """Show a player's part in a set, with the bots' scores only of deals that are over for the player."""
        sitting = self._sitting(one, player)
        opened = [each for number, each in sorted(sitting.own.items()) if number in one.numbers]
        over = {each.table.number for each in opened if each.is_over}
        par = {number: each.table.score for number, each in sitting.par.items() if number in over}
        return {
            "opened": len(opened),
            "finished": sum(each.table.score is not None for each in opened),
            "game": next((each.table.game for each in opened if not each.is_over), None),
            "scores": [each.table.score for each in opened],
            "par": [par.get(each.table.number) for each in opened],
        }

    def _sitting(self, one: DealSet, player: str) -> Sitting:
        numbers = range(1, one.created.deals + 1)
        own, par = (
            self._sets.opened(one.id, {number: self._game_id(one, number, each) for number in numbers}, each)
            for each in (player, one.id)
        )
        return Sitting(own, par)

    def _game_id(self, one: DealSet, number: int, player: str) -> str:
        return self._store.derived_id("gm_", f"deal {one.id} {number} {player}")

    # -- opening ---------------------------------------------------------------------------------------------------

    def open_deal(self, one: DealSet, caller: Caller, key: Key | None) -> tuple[str, Answer]:
        """Open the next deal for a player, or return the one that they have not finished; with the id of its game.

        A deal is opened once by a player: the id of its game follows from both. So of two requests at once, one creates
        the game, and the other gets it.
        """
        sitting = self._sitting(one, caller.player)
        kept = self._answered(sitting.own.values(), caller, key)
        if kept is not None:
            return kept
        if one.closed is not None or self._desk.now() >= one.closes:
            raise wrong_moment("set-closed", WORDS)
        if not one.is_open(self._desk.now()):
            raise wrong_moment("set-not-open", WORDS)
        current = next((each.table.game for each in sitting.own.values() if not each.is_over), None)
        if current is not None:
            return current, self._shown(current)
        number = next((number for number in one.numbers if number not in sitting.own), None)
        if number is None:
            raise wrong_moment("no-deals-left", WORDS)
        if number not in sitting.par:
            self._create(one, number, Caller(one.id, frozenset({"games:create"})), None)
        return self._create(one, number, caller, key)

    def _answered(self, opened: Iterable[Opened], caller: Caller, key: Key | None) -> tuple[str, Answer] | None:
        """Return the first answer to a request that is repeated."""
        for each in opened if key is not None else ():
            kept, _ = self._store.look_up(each.table.game, 0, kept_under(caller, key))
            if kept is not None:
                return each.table.game, first_answer(kept, key)
        return None

    def _create(self, one: DealSet, number: int, caller: Caller, key: Key | None) -> tuple[str, Answer]:
        created = one.created
        is_bots = caller.player == one.id
        seats = range(created.seats)
        wanted = Create(
            caller=caller,
            ruleset=RULESETS[created.ruleset],
            options=created.options,
            sitters=tuple(caller.player if seat == PLAYER and not is_bots else None for seat in seats),
            visibility="private",
            sandbox=False,
            bots=tuple((seat, created.bot) for seat in seats if seat != PLAYER or is_bots),
            key=key,
            deal=one.deal(number, ranked=not is_bots and self._is_ranked(one, caller.player)),
            id=self._game_id(one, number, caller.player),
        )
        try:
            return self._desk.create(wanted)
        except GameExists:
            game_id = wanted.id or ""
            return game_id, self._shown(game_id)

    def _is_ranked(self, one: DealSet, player_id: str) -> bool:
        """Return whether a player is ranked: not a program, nor with an account that is younger than the set."""
        player = self._players.find(player_id)
        is_person = player is not None and not player_id.startswith(BOTS)
        return is_person and player is not None and instant(player.created_at) < one.opens

    def _shown(self, game_id: str) -> Answer:
        game = self._repository.fresh(game_id)
        return Answer(200, orjson.dumps(representations.game_at_version(game, self._desk.patience)))

    # -- results ---------------------------------------------------------------------------------------------------

    def results(self, one: DealSet) -> Results:
        """Return the results of a set; reject one that has not closed."""
        if one.closed is None:
            raise NotFound("not-closed", refusal("not-closed"))
        return self._results(one.id)

    def _compared(self, set_id: str) -> Results:
        one = self._sets.find(set_id)
        if one is None:
            raise _no_such_set()
        return results_of(one, self._sets.tables(set_id))


def _no_such_set() -> NotFound:
    return NotFound("no-such-set", refusal("no-such-set"))
