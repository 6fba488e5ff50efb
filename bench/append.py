"""One append through the store, compared with a bare XADD of the same bytes, over one connection.

python -m bench.append [times] [--quick]
"""

import random
import time
from collections.abc import Callable

from bench.servers import engine
from bench.sizes import size
from domain.game import aggregate, history, seating
from domain.game.aggregate import Game
from domain.game.seating import NewGame
from domain.log.record import Record
from domain.registry import RULESETS
from service.store.codec import entry_of
from service.store.event_store import Append, Appended, EventStore
from service.store.redis.connections import connect


def batches(times: int) -> tuple[list[Record], list[list[Record]]]:
    """Return the records that create a long game, and those of its next actions, each of one event."""
    ruleset, rng = RULESETS["le-plateau"], random.Random(1)
    options = ruleset.options.complete({"hands": 120}, 4)
    new = NewGame("gm_bench", ruleset, options, "unlisted", sandbox=True, creator="pl_b", sitters=("pl_b",) * 4)
    records, game = history.record(None, seating.create(new, bytes(32)), "2026-01-01T00:00:00.000Z", "0" * 16)
    first, following = records, list[list[Record]]()
    while len(following) < times:
        records, game = _next(game, rng)
        following.append(records)
    return first, following


def _next(game: Game, rng: random.Random) -> tuple[list[Record], Game]:
    (seat,) = game.pending
    action = rng.choice(game.ruleset.legal_actions(game.state, seat))
    return history.record(game, aggregate.act(game, seat, action), game.at, "0" * 16)


def timed(run: Callable[[], object]) -> float:
    """Return how many seconds a call takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def main() -> None:
    """Measure actions of one event each, alternating, and print the medians."""
    times = size(0, 3000, 20)
    first, following = batches(times)
    with engine() as url:
        client = connect(url)
        store = EventStore(client)
        store.append(Append("gm_bench", 0, first, head=""))
        version, head, appends, adds = len(first), first[-1].hash, [], []
        for records in following:
            append = Append("gm_bench", version, records, head)
            took = timed(lambda append=append: _accepted(store, append))  # type: ignore[misc]
            version, head = version + len(records), records[-1].hash
            if len(records) == 1:
                entry = entry_of(records[0])
                appends.append(took)
                adds.append(timed(lambda entry=entry: client.xadd("bench", {"e": entry})))  # type: ignore[misc]
    append_us, add_us = (sorted(took)[len(took) // 2] * 1e6 for took in (appends, adds))
    print(f"append {append_us:6.0f} µs   bare XADD {add_us:6.0f} µs   ratio {append_us / add_us:.2f}   (medians)")


def _accepted(store: EventStore, append: Append) -> None:
    if not isinstance(store.append(append), Appended):
        raise SystemExit("refused")


if __name__ == "__main__":
    main()
