"""The games last used in a process; frozen, so they are shared without copies."""

import threading
from collections import OrderedDict

from domain.game.aggregate import Game

_MOST_EVENTS = 250_000
"""Events of all cached games together: a game's memory grows with its log, by some 250 to 400 bytes an event."""


class GameCache:
    """The least recently used games go first."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._events = 0
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
                self._events += game.version - (known.version if known else 0)
            while self._events > _MOST_EVENTS and len(self._games) > 1:
                _, oldest = self._games.popitem(last=False)
                self._events -= oldest.version

    def drop(self, game_id: str) -> None:
        """Forget a game."""
        with self._lock:
            dropped = self._games.pop(game_id, None)
            self._events -= dropped.version if dropped else 0
