"""The keeper creates, seals and closes the daily sets, each once, by the clock, in steps that can be repeated.

A set is created so long before it opens that a root of the log of heads is signed in between. This root covers the set,
and seals it. Only the process whose append succeeds has made a step; if one is killed before, nothing has changed.
"""

import logging
import secrets
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from domain.chance import commitment
from domain.deal_sets import deal_set
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.events import SetCreated
from domain.deal_sets.schedule import Schedule
from domain.game.durations import SECOND, instant, moment
from domain.registry import RULESETS
from domain.serialization import to_plain
from service.bots import BOTS
from service.deal_sets.daily import set_id_of
from service.deal_sets.results import results_of, written
from service.deal_sets.store import SetStore
from service.store.event_store import EventStore
from service.transparency.transparency_log import TransparencyLog

_log = logging.getLogger("plateau.worker")

_LAST_MOVES = 5 * SECOND
"""A set closes so many ms late, so that every move that was made in time is in its log."""
_LOOKED_BACK = 31
"""Sets of so many past days are closed if they are still open, such as after a long downtime."""


class Keeper:
    """Keeps the daily sets of one store; ``heads_seconds`` is the time between two roots of the log of heads."""

    def __init__(
        self, store: EventStore, log: TransparencyLog, now: Callable[[], str], schedule: Schedule, heads_seconds: int
    ) -> None:
        self._store = store
        self._sets = SetStore(store)
        self._log = log
        self._now = now
        self._schedule = schedule
        self._ahead = 2 * heads_seconds * SECOND
        self._done = set[tuple[str, date]]()

    def keep(self) -> None:
        """Make every step that is due."""
        now = instant(self._now())
        for ruleset_id, day in self._due(now):
            found = self._sets.find(set_id_of(self._store, ruleset_id, day))
            if found is None:
                self._create(ruleset_id, day, now)
            elif found.sealed is None:
                seal(self._sets, self._log, found, self._now())
            elif found.closed is None and now >= found.closes + _LAST_MOVES:
                self._close(found, now)
            elif found.closed is not None:
                self._done.add((ruleset_id, day))

    def _due(self, now: int) -> Iterator[tuple[str, date]]:
        """Return the sets that must exist by now, and earlier ones that may not be closed."""
        latest = self._schedule.latest(now + self._ahead)
        for back in range(_LOOKED_BACK):
            for ruleset_id in RULESETS:
                place = (ruleset_id, latest - timedelta(days=back))
                if place not in self._done:
                    yield place

    def _create(self, ruleset_id: str, day: date, now: int) -> None:
        plan = self._schedule
        seats = plan.seats(ruleset_id, day)
        ruleset, secret = RULESETS[ruleset_id], secrets.token_bytes(32)
        if seats is None or ruleset.one_deal is None or plan.closes(day) <= now:
            self._done.add((ruleset_id, day))
            return
        created = SetCreated(
            ruleset=ruleset_id,
            rules_version=ruleset.version,
            options=to_plain(ruleset.options.complete(ruleset.one_deal, seats)),
            seats=seats,
            deals=plan.deals,
            date=day.isoformat(),
            bot=plan.bot,
            bot_version=BOTS[plan.bot].version,
            auction=plan.auction if ruleset.is_auction else None,
            opens=moment(plan.opens(day)),
            closes=moment(plan.closes(day)),
            commitment=commitment(secret),
            secret=secret.hex(),
        )
        set_id = set_id_of(self._store, ruleset_id, day)
        if self._sets.write(None, deal_set.create(set_id, created), self._now()):
            _log.info("the set %s of %s for %s was created", set_id, ruleset_id, day)

    def _close(self, one: DealSet, now: int) -> None:
        results = written(one, results_of(one, self._sets.tables(one.id)))
        self._sets.write(one, deal_set.close(one, results, now), self._now())


def seal(sets: SetStore, log: TransparencyLog, one: DealSet, at: str) -> None:
    """Seal a set by the first root that is over it, if there is one."""
    logged = log.logged(one.id, 1)
    root = None if logged is None else log.first_with(logged[1])
    if root is not None:
        sets.write(one, deal_set.seal(one, root.size, root.root), at)
