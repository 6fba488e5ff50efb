"""The games last used in a process; frozen, so they are shared without copies."""

import threading
from collections import OrderedDict

from domain.game import Game

_MOST_GAMES = 2_000


class GameCache:
    """The least recently used games go first."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, game_id: str) -> Game | None:
        """Give a game as last known here."""
        with self._lock:
            if game_id in self._games:
                self._games.move_to_end(game_id)
            return self._games.get(game_id)

    def keep(self, game: Game) -> None:
        """Keep a game, unless a later version of it is known."""
        with self._lock:
            known = self._games.get(game.id)
            if known is None or known.version < game.version:
                self._games[game.id] = game
                self._games.move_to_end(game.id)
            while len(self._games) > _MOST_GAMES:
                self._games.popitem(last=False)

    def drop(self, game_id: str) -> None:
        """Forget a game."""
        with self._lock:
            self._games.pop(game_id, None)
