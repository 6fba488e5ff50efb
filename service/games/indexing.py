"""What is kept beside a log and follows from it: lists, deadlines, turns; written again from the log alone."""

from dataclasses import replace

from domain.game.aggregate import Game
from domain.game.timeouts import Patience
from service.games.commit import Kept, append_for
from service.games.repository import GameRepository
from service.store.event_store import Append, Appended, StoreUnavailable


def index_of(game: Game, patience: Patience) -> Append:
    """Return an append without events: it only rebuilds what is derived from the log, and notifies no player."""
    append = append_for(None, game, (), patience, Kept(), follow_up=False)
    quiet = replace(append, notices=b"", notices_if_planned=b"", unplanned=(), silenced=())
    return replace(quiet, expected=game.version, head=game.head)


def reindex(repository: GameRepository, game: Game, patience: Patience) -> None:
    """Write what follows from the log of a game, in the step that every append takes.

    Raise ``StoreUnavailable`` if the game has new events, whose append has written the same.
    """
    done = repository.store.append(index_of(game, patience))
    if not isinstance(done, Appended):
        raise StoreUnavailable(f"{game.id} went on while its lists were written")
