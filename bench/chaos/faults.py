"""The failures: one function each, which causes it, waits a moment, and repairs what does not recover by itself."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bench.chaos.proxy import Line, Proxy
from bench.chaos.service import Service
from bench.chaos.settings import Clustered, Server, Setting, Single
from tests.support.server import Hand
from tests.support.small_disk import can_mount

_SHORT = 0.5
"""In seconds; too short for Sentinels or a cluster to replace a server."""
_STROKES, _STILL, _MOVING = 12, 0.15, 0.02
_TOO_LITTLE_MEMORY = "1mb"


@dataclass
class Scene:
    """The components that can fail, and the game that the failure is aimed at."""

    setting: Setting
    service: Service
    game_id: str
    rng: random.Random

    @property
    def primary(self) -> Server:
        """The server that has the game."""
        return self.setting.primary_of(self.game_id)

    def moment(self) -> float:
        """Choose how long a failure lasts, in seconds: half of the time too short for a server to be replaced."""
        return self.rng.choice([self.rng.uniform(_SHORT / 2, 3 * _SHORT), self.setting.replaced_after])


def _kill(scene: Scene, hands: Sequence[Hand]) -> None:
    hand = scene.rng.choice(hands)
    hand.kill()
    time.sleep(scene.rng.uniform(0, _SHORT))
    hand.start()


def kill_web(scene: Scene) -> None:
    """Kill -9 one of the web processes."""
    _kill(scene, scene.service.web)


def kill_worker(scene: Scene) -> None:
    """Kill -9 one of the workers."""
    _kill(scene, scene.service.workers)


def kill_dispatcher(scene: Scene) -> None:
    """Kill -9 the dispatcher with its sweeper."""
    _kill(scene, scene.service.dispatchers)


def kill_redis(scene: Scene) -> None:
    """Kill -9 the server that has the game; it comes back later, when another may have taken its place."""
    primary = scene.primary
    primary.kill()
    time.sleep(scene.moment())
    primary.restart()


def kill_replica(scene: Scene) -> None:
    """Kill -9 the replica of that server."""
    replica = scene.setting.replica_of(scene.primary)
    replica.kill()
    time.sleep(scene.moment())
    replica.restart()


def stale_takes_over(scene: Scene) -> None:
    """Kill -9 the replica, then the server, and bring the replica back first: it lacks the latest writes."""
    primary = scene.primary
    replica = scene.setting.replica_of(primary)
    replica.kill()
    time.sleep(_SHORT)
    primary.kill()
    replica.restart()
    time.sleep(2 * scene.setting.replaced_after)
    primary.restart()


def _pause(scene: Scene, victim: Hand | Server) -> None:
    victim.pause()
    time.sleep(scene.moment())
    victim.resume()


def pause_web(scene: Scene) -> None:
    """SIGSTOP a web process for a moment."""
    _pause(scene, scene.rng.choice(scene.service.web))


def pause_worker(scene: Scene) -> None:
    """SIGSTOP a worker."""
    _pause(scene, scene.rng.choice(scene.service.workers))


def pause_dispatcher(scene: Scene) -> None:
    """SIGSTOP the dispatcher."""
    _pause(scene, scene.service.dispatchers[0])


def pause_redis(scene: Scene) -> None:
    """SIGSTOP the server that has the game; it can resume as a primary that has been replaced."""
    _pause(scene, scene.primary)


@contextmanager
def _failing(line: Proxy, how: Line) -> Iterator[None]:
    line.become(how)
    try:
        yield
    finally:
        line.become(Line.WHOLE)


def _partition(scene: Scene, line: Proxy, how: Line) -> None:
    with _failing(line, how):
        time.sleep(scene.moment())


def redis_refuses(scene: Scene) -> None:
    """Cut the server off from all others, which notice at once."""
    _partition(scene, scene.primary.line, Line.REFUSING)


def redis_hangs(scene: Scene) -> None:
    """Cut the server off from all others without closing connections; what was sent arrives later."""
    _partition(scene, scene.primary.line, Line.HANGING)


def redis_cut_mid_reply(scene: Scene) -> None:
    """End connections to the server in the middle of a reply."""
    _partition(scene, scene.primary.line, Line.CUTTING)


def clients_refused(scene: Scene) -> None:
    """Cut all clients off, which notice at once."""
    _partition(scene, scene.service.line, Line.REFUSING)


def clients_hang(scene: Scene) -> None:
    """Cut all clients off without closing connections."""
    _partition(scene, scene.service.line, Line.HANGING)


def clients_cut_mid_reply(scene: Scene) -> None:
    """End connections of clients in the middle of a response."""
    _partition(scene, scene.service.line, Line.CUTTING)


def slow_disk(scene: Scene) -> None:
    """Let the server stand still most of the time, as if it waited for its disk at each write.

    It is stopped and continued by signals: slowing the disk itself would need rights on the machine.
    """
    primary = scene.primary
    for _ in range(_STROKES):
        primary.pause()
        time.sleep(_STILL)
        primary.resume()
        time.sleep(_MOVING)


def full_disk(scene: Scene) -> None:
    """Leave no room on the server's disk, then make room.

    A server that ends because of it is started again; one that continues has to rewrite its append-only file.
    """
    primary = scene.primary
    assert primary.disk is not None
    primary.disk.fill()
    try:
        time.sleep(scene.moment())
    finally:
        primary.disk.empty()
    if primary.is_running():
        primary.rewrite_log()
    else:
        primary.restart()


def full_memory(scene: Scene) -> None:
    """Give the server less memory than it needs, then enough."""
    primary = scene.primary
    primary.configure("maxmemory", _TOO_LITTLE_MEMORY)
    time.sleep(scene.moment())
    primary.configure("maxmemory", "0")


def clock_jump(scene: Scene) -> None:
    """Let the clock of the service's host jump by up to ten minutes, ahead or back, and back again.

    The clock of Redis, which all hosts use, does not jump.
    """
    scene.service.clock.jump(scene.rng.choice([-600, -5, 5, 600]))
    time.sleep(scene.moment() + 2)
    scene.service.clock.jump(0)


def fail_over(scene: Scene) -> None:
    """Request another primary while this one runs."""
    scene.setting.fail_over(scene.primary)


def reshard(scene: Scene) -> None:
    """Move the slot of the game back and forth."""
    assert isinstance(scene.setting, Clustered)
    for _ in range(3):
        scene.setting.move(scene.game_id)


Fault = Callable[[Scene], None]

_ANYWHERE: tuple[Fault, ...] = (
    kill_web, kill_worker, kill_dispatcher, kill_redis,
    pause_web, pause_worker, pause_dispatcher, pause_redis,
    redis_refuses, redis_hangs, redis_cut_mid_reply,
    clients_refused, clients_hang, clients_cut_mid_reply,
    slow_disk, full_disk, full_memory, clock_jump,
)  # fmt: skip


def faults_of(setting: object) -> list[Fault]:
    """List the failures that are possible in a setting on this machine."""
    found = [*_ANYWHERE]
    if not can_mount():
        found.remove(full_disk)
    if setting is not Single:
        found += [kill_replica, stale_takes_over, fail_over]
    if setting is Clustered:
        found.append(reshard)
    return found
