"""Fairness: how soon a bot answers an honest player while another player has two thousand games running.

    python -m bench.fairness [games] [answers]

Dispatcher, two workers, Redis and the bench share the machine. One player creates each flood at once, on a separate
store: sandboxes without moves in which every turn times out after a second; such tables with bots; games of bots alone.
"""

import time
from collections.abc import Mapping, Sequence

from bench.answers import answers
from bench.processes import begin, desk_and_reader, dispatcher_and_workers
from bench.servers import engine
from bench.sizes import size
from domain.events import Clock
from service.accounts.players import GUEST_SCOPES, Caller
from service.store.counters import Counters
from service.store.redis.connections import connect

RULESET = "le-plateau"
FLOODER = Caller("pl_flood", frozenset(GUEST_SCOPES))
A_SECOND = Clock("PT1S", None, None, "bot", "random")

FLOODS: Mapping[str, tuple[Sequence[bool], Clock | None]] = {
    "sandboxes": ([False] * 3, A_SECOND),
    "tables with bots": ([False, True, True], A_SECOND),
    "games of bots": ([True] * 3, None),
}


def main() -> None:
    """Measure the answers without a flood and during each."""
    games, moves = size(0, 2000, 20), size(1, 300, 3)
    alone = 0.0
    for name in ("none", *FLOODS):
        with engine() as url, dispatcher_and_workers(url):
            time.sleep(2)
            answers(url, 5, ruleset=RULESET)
            if name != "none":
                _flood(url, games, *FLOODS[name])
            began, done = time.monotonic(), _done(url)
            took = answers(url, moves, ruleset=RULESET)
            a_second = (_done(url) - done) / (time.monotonic() - began)
            p50, p99 = took[len(took) // 2], took[len(took) * 99 // 100]
            alone = alone or p50
            print(
                f"  {name:17} p50 {p50:6.1f} ms  p99 {p99:6.1f} ms  worst {took[-1]:6.1f} ms  "
                f"{p50 / alone:5.1f} times  ({len(took)} answers; in all {a_second:.0f} moves a second)",
                flush=True,
            )


def _done(url: str) -> int:
    """Count the moves and timeouts that workers have handled."""
    return sum(
        number for (name, _), number in Counters(connect(url)).read().items() if name in ("bot_moves", "timeouts")
    )


def _flood(url: str, number: int, bots: Sequence[bool], rule: Clock | None) -> None:
    """Create many games of one player, and wait for the first timeouts."""
    desk, _ = desk_and_reader(url)
    began = time.monotonic()
    for _ in range(number):
        begin(desk, bots, ruleset=RULESET, rule=rule, caller=FLOODER)
    print(f"  {number} {'games' if rule is None else 'clocks of a second'} in {time.monotonic() - began:.1f} s")
    time.sleep(1)


if __name__ == "__main__":
    main()
