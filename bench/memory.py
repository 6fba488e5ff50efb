"""Redis memory for each event and each game: whole games of four seats, played at random through the desk.

python -m bench.memory [games] [--quick]
"""

import random

import redis

from bench.servers import engine
from bench.sizes import size
from domain.registry import RULESETS
from service.accounts.players import Players
from service.games.commands import Act, Create, Key
from service.games.desk import Desk
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.store.connections import connect
from service.store.event_store import EventStore
from service.wall_clock import now


def main() -> None:
    """Play games with and without idempotency keys, and print how much the memory of Redis grew."""
    games = size(0, 100, 1)
    for keyed in (False, True):
        with engine() as url:
            client = connect(url)
            _play(client, 3, keyed=keyed)
            before = _used(client)
            events = _play(client, games, keyed=keyed)
            grown = _used(client) - before
            name = "every action with an Idempotency-Key" if keyed else "without keys"
            print(f"  {name:38} {grown / events:6,.0f} bytes an event  {grown / games:9,.0f} bytes a game", end="")
            print(f"  ({events / games:.0f} events a game)")


def _play(client: redis.Redis, games: int, *, keyed: bool) -> int:
    repository, players = GameRepository(EventStore(client)), Players(client, now)
    desk, reader = Desk(repository, now), Reader(repository)
    _, token = players.create("Bench")
    caller = players.authenticate(token)
    assert caller is not None
    ruleset, rng, events = RULESETS["le-plateau"], random.Random(games), 0
    for _ in range(games):
        wanted = Create(caller=caller, ruleset=ruleset, options={}, mine=(True,) * 4, visibility="public", sandbox=True)
        game_id, _ = desk.create(wanted)
        while not (game := reader.show(game_id, caller)).is_over:
            (seat,) = game.pending
            action = rng.choice(ruleset.legal_actions(game.state, seat))
            key = Key(f"{rng.random()}", "f" * 64) if keyed else None
            desk.do(game, Act(caller=caller, seat=seat, action=action, key=key))
        events += game.version
    players.close()
    return events


def _used(client: redis.Redis) -> int:
    found = client.info("memory")
    assert isinstance(found, dict)
    return int(found["used_memory_dataset"])


if __name__ == "__main__":
    main()
