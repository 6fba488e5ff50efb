"""What things cost in stores of 1,000, 10,000 and 100,000 games that go on, side by side.

    python -m bench.growth [games …] [--quick]

Each store has a server of its own, with appendonly yes; all are measured in turn, several times. The cost of a request
is processor time, of this process and of the server, since other programs on the machine hardly change it. The medians
are printed with their ratios to the smallest store. Recovery is what a server takes to load its data when it starts.
"""

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice

from bench.filling import PATIENCE, SHARDS, Store, fill
from bench.servers import server
from bench.sizes import given, is_quick
from domain.registry import RULESETS
from service.accounts.players import GUEST_SCOPES, Caller
from service.doctor.examination import Patient, examine
from service.games.commands import Act
from service.games.projections import representations
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.store.deadlines import Deadlines
from service.store.event_store import EventStore
from service.store.game_lists import GameLists, Part
from service.store.heartbeat import Heartbeat
from service.transparency.unlogged import Unlogged
from workers.dispatcher import Sweeper
from workers.in_process import LocalQueue

SIZES = (1_000, 10_000, 100_000)
_ROUNDS = 5
_AT_ONCE = 40
"""How many requests of a kind a round has."""


def main() -> None:
    """Fill the stores, measure them in turn, restart them, and print the table."""
    sizes = [int(text) for text in given()] or ([20, 60] if is_quick() else [*SIZES])
    rounds = 1 if is_quick() else _ROUNDS
    with ExitStack() as running:
        stores = [Store(size, running.enter_context(server())) for size in sizes]
        for store in stores:
            began = time.perf_counter()
            fill(store)
            print(f"filled a store with {store.size:,} games in {time.perf_counter() - began:.0f} s", flush=True)
        found: defaultdict[str, list[list[float]]] = defaultdict(list)
        for _ in range(rounds):
            results = [dict(costs(store)) for store in stores]
            for name in results[0]:
                found[name].append([result[name] for result in results])
        show_header(sizes)
        for name, rows in found.items():
            show(name, [statistics.median(column) for column in zip(*rows, strict=True)])
        show("memory, kB a game", [used(store) / 1000 / store.size for store in stores])
        for name, rewritten in (("recovery from the log of commands", False), ("recovery after a rewrite", True)):
            took = [recovered(store, rewritten=rewritten) for store in stores]
            show(f"{name}, processor s", took)
            each = [seconds * 1000 / store.size for seconds, store in zip(took, stores, strict=True)]
            show("  of it, ms a game", each)


def show_header(sizes: Sequence[int]) -> None:
    """Print the first line: the sizes, and for the ratios those of all but the smallest."""
    print(f"{'':42}" + "".join(f"{size:>12,}" for size in sizes) + "   ratios")


def show(name: str, values: Sequence[float]) -> None:
    """Print a line: what was measured in each store, and its ratios to the smallest."""
    ratios = "".join(f"{value / values[0]:7.2f}" for value in values[1:])
    print(f"  {name:40}" + "".join(f"{value:12.3f}" for value in values) + "  " + ratios, flush=True)


# -- measuring -----------------------------------------------------------------------------------------------------


def costs(store: Store) -> Iterator[tuple[str, float]]:
    """Measure each kind of request once: ms of processor time for one."""
    chosen = store.rng.sample(store.games, min(_AT_ONCE, len(store.games)))
    _, reader = store.fresh()
    player = Caller(reader.current(chosen[0]).creator, frozenset(GUEST_SCOPES))
    lists = GameLists(store.store)
    yield "an action, ms", acting(store, chosen)
    yield "a view, cold", each(store, chosen, lambda game: viewed(reader, game))
    yield "a view, warm", each(store, chosen, lambda game: viewed(reader, game))
    yield "the lobby", each(store, chosen, lambda _: lists.public(["open"], ["plute"], Part(limit=20)))
    yield (
        "all open games of all rulesets",
        each(store, chosen, lambda _: lists.public(["open", "active"], [*RULESETS], Part(limit=20))),
    )
    yield "my games", each(store, chosen, lambda _: lists.of_player(player.player, Part(limit=20)))
    yield "my turn", each(store, chosen, lambda _: lists.turns_of(player.player, Part(limit=20)))
    sweeper = Sweeper(Deadlines(store.client, SHARDS, 12_000), LocalQueue(store.client), Heartbeat(store.client))
    yield "a sweep, nothing due", each(store, chosen, lambda _: sweeper.sweep())
    yield "a sweep with ten due", each(store, chosen[:10], lambda _: sweep_due(store, sweeper))
    yield "a thousand heads to log", each(store, chosen[:2], lambda _: heads_read(store))
    yield "a start: checks, first view", each(store, chosen[:10], lambda game: started(store, game))
    patient = Patient(store.client, store.client, SHARDS, PATIENCE)
    yield "plateau doctor --quick", each(store, chosen[:3], lambda _: [*examine_quickly(patient)])


def each(store: Store, games: Sequence[str], request: Callable[[str], object]) -> float:
    """Return the processor time of one of these requests, in ms."""
    began = store.processor_ms()
    for game in games:
        request(game)
    return (store.processor_ms() - began) / len(games)


def viewed(reader: Reader, game: str) -> object:
    """Build the view of a spectator."""
    return representations.view(*reader.look(game, None, None, None))


def acting(store: Store, games: Sequence[str]) -> float:
    """Play one move in each of these games, by a process that knows them."""
    desk, reader = store.fresh()
    moves = []
    for name in games:
        game = reader.current(name)
        seat = store.rng.choice(sorted(game.pending))
        sitter = game.sitters[seat]
        assert sitter is not None
        assert sitter.player is not None
        action = store.rng.choice(game.ruleset.legal_actions(game.state, seat))
        caller = Caller(sitter.player, frozenset(GUEST_SCOPES))
        moves.append((game, Act(caller=caller, seat=seat, action=action)))
    began = store.processor_ms()
    for game, act in moves:
        desk.do(game, act)
    return (store.processor_ms() - began) / len(moves)


def sweep_due(store: Store, sweeper: Sweeper) -> None:
    """Make ten games due, and sweep them up."""
    for name in store.rng.sample(store.games, min(10, len(store.games))):
        store.client.zadd(store.store.shard(name).deadlines, {name: 1})
    while sweeper.sweep():
        pass


def heads_read(store: Store) -> None:
    """Read the heads of the first thousand games that have gone on."""
    unlogged = Unlogged(store.client, SHARDS)
    unlogged.heads([*islice(unlogged.games(), 1000)])


def started(store: Store, game: str) -> None:
    """Do what a process does before its first response."""
    fresh = EventStore(store.client, SHARDS)
    fresh.check(allow_unsafe=True)
    fresh.load_script()
    viewed(Reader(GameRepository(fresh)), game)


def examine_quickly(patient: Patient) -> Iterator[object]:
    """Look for what is wrong, games left out."""
    return iter(examine(patient, games=False, mends=False, told=lambda _: None))


def used(store: Store) -> float:
    """Return the memory of the server's data, in bytes."""
    return float(store.client.info("memory")["used_memory_dataset"])


def recovered(store: Store, *, rewritten: bool) -> float:
    """Restart the server; return the processor time until it answers with all games, in seconds."""
    if rewritten:
        store.client.bgrewriteaof()
        while store.client.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(0.1)
    store.client.connection_pool.disconnect()
    store.server.restart(patience=600)
    assert store.store.count_games() == store.size
    return store.server_seconds()


if __name__ == "__main__":
    main()
