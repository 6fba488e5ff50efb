"""Golden games in the store of a running service, up to any version."""

from collections.abc import Sequence
from pathlib import Path

import redis

from domain.game.aggregate import Game
from domain.game.timeouts import ENDLESS
from service.games.commit import Kept, append_for
from service.runtime.data_folder import socket_path
from service.store.event_store import Appended, EventStore
from tests.golden.recorded import recorded
from tests.support.server import RunningService


def stored(
    service: RunningService, path: Path, known_as: str = "", players: Sequence[str] = (), until: int | None = None
) -> Game:
    """Store a golden game, as far as ``until`` or a little further.

    Many golden games have the same id, so it is stored under another one; its log is no proof of its draws then.
    """
    with redis.Redis(unix_socket_path=str(socket_path(service.data))) as client:
        store = EventStore(client)
        for step in recorded(path, known_as or f"gm_{path.parent.name}_{path.stem}", players):
            appended = store.append(append_for(step.before, step.game, step.records, ENDLESS, Kept(), follow_up=True))
            assert isinstance(appended, Appended), "there is a game with this id already"
            if until is not None and step.game.version >= until:
                break
    return step.game
