"""Verify all games in the store of the service on this host, in several processes."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from service.cli.hosting import games_here
from service.cli.many import each, with_bar
from service.cli.verdicts import INCOMPLETE, UNREADABLE, VERIFIED, WRONG, Verdict, verdict_of
from service.cli.workers import fail
from service.games.store_audit import StoreAudit
from service.store.event_store import StoreUnavailable


def audited() -> Iterator[Verdict]:
    """Verify all games, and return what is to be said: nothing of those that verify, but in the end how many did."""
    store = games_here(UNREADABLE)
    games, events = Counter[int](), 0
    try:
        count = store.count_games()
        for verdict in with_bar(each(_judged, store.game_ids(), count, _forget), count, "Verifying"):
            games[verdict.code] += 1
            events += verdict.events
            yield replace(verdict, lines=()) if verdict.code == VERIFIED else verdict
    except StoreUnavailable as error:
        fail(UNREADABLE, f"the store of the service cannot be reached: {error}")
    said = f"{games[VERIFIED]} games verified, {games[INCOMPLETE]} as far as they go, {games[WRONG]} wrong"
    yield Verdict(VERIFIED, (f"{said}; {events} events",))


def _judged(game_id: str) -> Verdict:
    try:
        return verdict_of(game_id, _audit().check(game_id))
    except StoreUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - rulesets from outside can raise anything, and other games go on
        return Verdict(WRONG, (f"{game_id}: WRONG: the rules cannot read it: {type(error).__name__}: {error}",))


@cache
def _audit() -> StoreAudit:
    return StoreAudit(games_here(UNREADABLE))


def _forget() -> None:
    """Let a process that was forked connect on its own."""
    games_here.cache_clear()
    _audit.cache_clear()
