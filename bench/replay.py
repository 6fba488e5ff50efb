"""How long it takes to read a long game back, and to show every version of it to every viewer, in one process.

    python -m bench.replay [events] [ruleset] [seats] [--quick]

The log is read as a process that does not know the game reads it: entries parsed, verified against chain and seals, and
folded. Beside it stands parsing the same entries as plain JSON. All versions for all viewers are shown in two ways:
from one pass over the log, and with a fold from the first event for each, as a request for a past version does.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from zlib import crc32

import orjson

from bench.sizes import size
from domain.game import aggregate, history, seating
from domain.game.aggregate import Game
from domain.game.seating import NewGame
from domain.log import chain
from domain.log.record import Record, verify
from domain.log.secrets import Secrets, of_deals
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import changed
from service.games.projections import representations
from service.store.codec import canonical, entry_of, record_of

AT = "2026-01-01T00:00:00.000Z"
SECRET = bytes(range(32))
LONG_GAMES = {"le-plateau": {"hands": 12}, "french-tarot": {"deals": 20}}
"""Options with which a random game has enough events."""


def played(ruleset: AnyRuleset, seats: int, least: int, rng: random.Random) -> list[Record]:
    """Play random games until one has at least so many events; return its log up to there."""
    while True:
        options = ruleset.options.complete(LONG_GAMES.get(ruleset.id, {}), seats)
        new = NewGame("gm_bench", ruleset, options, "public", True, "pl_bench", ("pl_bench",) * seats)  # noqa: FBT003
        log, game = history.record(None, seating.create(new, SECRET), AT, "r0")
        while not game.is_over and game.version < least:
            seat = rng.choice(sorted(game.pending))
            action = rng.choice(ruleset.legal_actions(game.state, seat))
            records, game = history.record(game, aggregate.act(game, seat, action), AT, f"r{game.version}")
            log += records
        if game.version >= least:
            return log


def read(entries: Sequence[bytes]) -> list[Record]:
    """Read a log from its entries, and verify it."""
    log = [record_of("gm_bench", b"%d-0" % version, {b"e": entry}) for version, entry in enumerate(entries, 1)]
    verify(log, chain.GENESIS, Secrets("gm_bench", SECRET, of_deals(SECRET, "gm_bench")), canonical)
    return log


def in_one_pass(log: Sequence[Record]) -> Iterator[Game]:
    """Fold a log request by request, and return the game at every version."""
    before = None
    for _, of_request in groupby(log, key=attrgetter("request")):
        records = list(of_request)
        for count in range(1, len(records)):
            yield changed(history.fold(records[:count], before), pending={}, waiting_for=())
        before = history.fold(records, before)
        yield before


def from_the_start(log: Sequence[Record]) -> Iterator[Game]:
    """Fold a log from its first event on for every version."""
    for version in range(1, len(log) + 1):
        yield history.fold_to(log, version)


def show(games: Iterator[Game]) -> int:
    """Show every version to every viewer; return a checksum of all the views."""
    checksum = 0
    for game in games:
        for viewer in (*range(len(game.sitters)), None):
            checksum = crc32(orjson.dumps(representations.view(game, viewer)), checksum)
    return checksum


def timed(run: Callable[[], object], times: int) -> float:
    """Return how many ms the fastest of some runs took."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        took.append(1000 * (time.perf_counter() - began))
    return min(took)


def main() -> None:
    """Measure, and print the figures."""
    least, name, seats = size(0, 500, 30), size(1, "le-plateau", "le-plateau"), size(2, 4, 4)
    times = size(3, 5, 1)
    log = played(RULESETS[name], seats, least, random.Random(1))
    entries, as_json = [entry_of(record) for record in log], [orjson.dumps(record) for record in log]
    print(f"{RULESETS[name].name}, {seats} seats, {len(log)} events, {sum(map(len, entries))} bytes")
    plain = timed(lambda: [orjson.loads(entry) for entry in as_json], times)
    cold, folded = timed(lambda: history.fold(read(entries)), times), timed(lambda: history.fold(log), times)
    print(f"cold replay {cold:6.1f} ms, folding {folded:6.1f} ms  plain JSON {plain:5.2f} ms  ratio {cold / plain:.1f}")
    if show(in_one_pass(log)) != show(from_the_start(log)):
        raise SystemExit("the two ways show different views")
    once, naive = timed(lambda: show(in_one_pass(log)), times), timed(lambda: show(from_the_start(log)), 1)
    views = len(log) * (seats + 1)
    print(f"all {views} views  one pass {once:6.0f} ms  a fold each {naive:6.0f} ms  ratio {naive / once:.1f}")


if __name__ == "__main__":
    main()
