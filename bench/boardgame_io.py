"""Live play: moves a second with every seat told of every move, beside boardgame.io, which keeps its matches in memory.

    python -m bench.boardgame_io [matches] [moves of each] [--quick]

Both sides play the same matches of Liar's Dice with four players (``live``), in turn. This service keeps every
event in Redis with an append-only file, checks tokens, and seals what is hidden; boardgame.io keeps the state in the
memory of one process. npm fetches it into ``bench/boardgame_io_server`` when the benchmark first runs.
"""

import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.live import DICE, SEATS, BoardgameSeat, Load, Match, PlateauSeat
from bench.processor import seconds_of_children
from bench.servers import ask, engine, running, unlimited, web
from bench.sizes import is_quick, size
from tests.support.processes import free_port

_THEIRS = Path(__file__).parent / "boardgame_io_server"
_EXAMPLE = Path(__file__).parent.parent / "examples/liars-dice"
_WARM_UP = 40
_PAIRS = 5


@contextmanager
def plateau(matches: int) -> Iterator[Load]:
    """Run this service, durably, with matches of players who follow them by streams."""
    with engine() as url, _installed_example() as folder:
        environ = {"REDIS_URL": url, "PLATEAU_LOG_LEVEL": "warning", "PYTHONPATH": folder, **unlimited()}
        with web("service.runtime.wsgi:app", environ) as port:
            yield Load([Match(_seated(port)) for _ in range(matches)])


@contextmanager
def _installed_example() -> Iterator[str]:
    """Install the ruleset into a folder of its own."""
    with TemporaryDirectory() as folder:
        source = shutil.copytree(_EXAMPLE, Path(folder) / "source")
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install")
        offline = ("--no-index", "--no-deps", "--no-build-isolation", "--target", f"{folder}/installed")
        subprocess.run([*pip, *offline, source], check=True)
        yield f"{folder}/installed"


def _seated(port: int) -> list[PlateauSeat]:
    tokens = [ask(port, "/v1/players", {"name": f"Player {seat}"})["token"] for seat in range(SEATS)]
    wish = {"ruleset": "liars-dice", "options": {"dice": DICE}, "seats": [{"open": True}] * SEATS, "clock": None}
    game_id = ask(port, "/v1/games", wish, tokens[0])["id"]
    for seat, token in enumerate(tokens):
        ask(port, f"/v1/games/{game_id}/seats", {"seat": seat}, token)
    return [PlateauSeat(port, game_id, token) for token in tokens]


@contextmanager
def boardgame_io(matches: int) -> Iterator[Load]:
    """Run boardgame.io with its storage in memory, and matches of players who follow them by WebSockets."""
    port = free_port()
    command = ["node", str(_THEIRS / "server.js"), str(port)]
    with running([command], {"NODE_ENV": "production"}, port):
        yield Load([Match(_joined(port)) for _ in range(matches)])


def _joined(port: int) -> list[BoardgameSeat]:
    match_id = ask(port, "/games/liars-dice/create", {"numPlayers": SEATS})["matchID"]
    seats = []
    for seat in range(SEATS):
        wish = {"playerID": str(seat), "playerName": f"Player {seat}"}
        credentials = ask(port, f"/games/liars-dice/{match_id}/join", wish)["playerCredentials"]
        seats.append(BoardgameSeat(port, match_id, seat, credentials))
    return seats


def is_installed() -> bool:
    """Return whether boardgame.io is installed; npm fetches it if it is missing, if there is npm."""
    if (_THEIRS / "node_modules/boardgame.io").is_dir():
        return True
    if shutil.which("npm") is None:
        return False
    quiet = ("--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    subprocess.run(["npm", "install", "--prefix", str(_THEIRS), *quiet], check=True)
    return True


class Figures(NamedTuple):
    """Moves a second, and the processor time of the servers for one, in µs."""

    rate: float
    cost: float


SIDES = {"plateau": plateau, "boardgame.io": boardgame_io}


def measure(name: str, matches: int, moves: int) -> Figures:
    """Play on one side, after a warm-up; print and return the figures."""
    with SIDES[name](matches) as load:
        load.play(_WARM_UP)
        before = seconds_of_children() or nan
        rate, delays = load.play(moves)
        cost = 1e6 * ((seconds_of_children() or nan) - before) / (matches * moves)
        load.close()
    p50, p99 = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    figures = f"{rate:7,.0f} moves/s  p50 {p50:6.2f} ms  p99 {p99:6.2f} ms  processor {cost:5,.0f} µs a move"
    print(f"{matches} matches  {name:12} {figures}", flush=True)
    return Figures(rate, cost)


def main() -> None:
    """Measure both in turn, and print the ratios."""
    matches, moves = size(0, 32, 2), size(1, 500, 20)
    if not is_installed():
        print("npm is not installed: boardgame.io is left out")
        measure("plateau", matches, moves)
        return
    pairs = [[measure(name, matches, moves) for name in SIDES] for _ in range(1 if is_quick() else _PAIRS)]
    for what, ratios in (
        ("rate", [ours.rate / theirs.rate for ours, theirs in pairs]),
        ("processor time", [ours.cost / theirs.cost for ours, theirs in pairs]),
    ):
        each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"{matches} matches  {what} relative to boardgame.io: median {statistics.median(ratios):.2f} of {each}")


if __name__ == "__main__":
    main()
