"""The processes of the service, started one by one, so that each can fail alone."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench.chaos.clock import HostClock
from bench.chaos.proxy import Proxy
from bench.chaos.settings import Setting
from bench.servers import unlimited
from tests.support.processes import free_port
from tests.support.server import Hand, fetch, wait_until


class Web(Hand):
    """A web process; several share one port."""

    module = "service.runtime.web_process"


class Service:
    """Web processes, as many workers, and a dispatcher with its sweeper; clients connect through ``line``."""

    def __init__(self, folder: Path, setting: Setting, of_each: int, env: Mapping[str, str] | None = None) -> None:
        port = free_port()
        self.clock = HostClock(folder)
        env = (
            unlimited()
            | self.clock.env
            | {
                "REDIS_URL": setting.url,
                "QUEUE_URL": setting.queue_url,
                "PLATEAU_REPLICAS": str(setting.replicas),
                "PLATEAU_PORT": str(port),
                "PLATEAU_WEB_THREADS": "6",
                "PLATEAU_BOT_SECONDS": "1",
                "PLATEAU_BOT_PACE_MS": "100",
                "PLATEAU_LEAST_MOVE_SECONDS": "1",
                "PLATEAU_LOG_LEVEL": "error",
            }
            | dict(env or {})
        )
        self._address = f"http://127.0.0.1:{port}"
        self.web: list[Hand] = [Web("service.runtime.wsgi:app", folder, env).start() for _ in range(of_each)]
        self.workers = [Hand("worker", folder, env).start() for _ in range(of_each)]
        self.dispatchers = [Hand("dispatch", folder, env).start()]
        self.line = Proxy(self._address)
        self.came_back = 0
        wait_until(lambda: fetch(f"{self._address}/readyz")[0] == 200, "the service")

    @property
    def hands(self) -> Sequence[Hand]:
        """All processes."""
        return [*self.web, *self.workers, *self.dispatchers]

    def wait(self, done: Callable[[], bool], patience: float) -> bool:
        """Wait until something is done; restart processes that have ended, as ``plateau serve`` does."""
        deadline = time.monotonic() + patience
        while not done():
            if time.monotonic() > deadline:
                return False
            self.keep_alive()
            time.sleep(0.05)
        return True

    def keep_alive(self) -> None:
        """Restart the processes that have ended by themselves."""
        for hand in self.hands:
            if hand.has_ended():
                self.came_back += 1
                hand.kill()
                hand.start()

    def stop(self) -> None:
        """Stop all processes."""
        for hand in self.hands:
            hand.kill()
        self.line.close()
