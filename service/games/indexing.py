"""What is derived from a log and stored beside it: lists, deadlines, turns. It can be rebuilt from the log alone."""

from dataclasses import replace

from domain.game.aggregate import Game
from domain.game.timeouts import Patience
from service.games.commit import Kept, append_for
from service.games.repository import GameRepository
from service.store.event_store import Append, Appended, StoreUnavailable
from service.store.game_index import writes_of
from service.store.removal import Result


def index_of(game: Game, patience: Patience) -> Append:
    """Return an append without events: it only rebuilds what is derived from the log, and notifies no player."""
    append = append_for(None, game, (), patience, Kept(), follow_up=False)
    quiet = replace(append, notices=b"", notices_if_planned=b"", unplanned=(), silenced=())
    return replace(quiet, expected=game.version, head=game.head)


def reindex(repository: GameRepository, game: Game, patience: Patience) -> None:
    """Rebuild what is derived from the log of a game, by the script that appends.

    Raise ``StoreUnavailable`` if the game has new events; their append has written the same.
    """
    done = repository.store.append(index_of(game, patience))
    if not isinstance(done, Appended):
        raise StoreUnavailable(f"{game.id} changed while its lists were written")


def postpone(repository: GameRepository, game: Game, patience: Patience) -> None:
    """Set the next deadline of a game by the current settings, unless the game has changed since it was read."""
    repository.store.append(append_for(game, game, [], patience, Kept(), follow_up=True))


def remove(repository: GameRepository, game: Game, patience: Patience) -> Result:
    """Remove a game that is over from the store and from the lists that it is in, unless forks share its log."""
    store, index = repository.store, index_of(game, patience)
    writes = writes_of(store.shard(game.id), game.id, index.listing, index.turns)
    lists = [(key, str(member)) for key, command, _, member in writes if command == "ZADD"]
    result = store.removal.remove(game.id, game.version, lists)
    if result == "removed":
        repository.forget(game.id)
    return result
