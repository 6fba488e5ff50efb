"""Removing a sandbox for good, with all that is kept of it, once nothing has happened in it for its time."""

from domain.game.aggregate import Game
from domain.game.timeouts import Patience
from service.games.indexing import index_of
from service.games.repository import GameRepository
from service.store.game_index import writes_of
from service.store.removal import Result


def remove(repository: GameRepository, game: Game, patience: Patience) -> Result:
    """Remove a game that is over from the store and from the lists that it is in, unless forks share its log."""
    store, index = repository.store, index_of(game, patience)
    writes = writes_of(store.shard(game.id), game.id, index.listing, index.turns)
    lists = [(key, str(member)) for key, command, _, member in writes if command == "ZADD"]
    result = store.removal.remove(game.id, game.version, lists)
    if result == "removed":
        repository.forget(game.id)
    return result
