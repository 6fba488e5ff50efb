"""Measure the web client in a real Chromium: how much it loads, how soon it can be played, how fast it follows.

    python -m bench.web_client [taps] [--quick]

Somebody with a mouse taps at random in a game of every ruleset, bots in all other seats, in a window of 1280 × 800.
Times of moves are from the click, or from the request of another player, to the frame that shows the new version; moves
of bots are shown as they come, so they keep nobody waiting. Bytes are those of bodies as they travel.
A slow phone is 1.6 Mbit/s, 150 ms and a processor of a quarter of the speed.
Lighthouse judges the first page and a public game as it does by default, on a simulated phone; npm fetches it into
``bench/lighthouse`` when the benchmark first runs.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from bench.servers import ask, running, unlimited
from bench.sizes import is_quick, size
from tests.support.processes import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, StorageState

GAMES = {"le-plateau": 4, "plateau": 2, "french-tarot": 4, "plute": 6}
"""The rulesets that are played, with the number of seats."""
TAPS = size(0, 60, 12)
_LOADS, _OTHERS = (1, 3) if is_quick() else (5, 30)
_SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
_LIGHTHOUSE = Path(__file__).parent / "lighthouse"
_NOTES = (Path(__file__).parent / "web_client.js").read_text()


@dataclass
class Traffic:
    """What a page has loaded, in bytes on the wire: the client by kind, and the interface."""

    files: dict[str, int] = field(default_factory=dict)
    interface: int = 0
    _of: dict[str, tuple[str, str]] = field(default_factory=dict)
    _open: dict[str, int] = field(default_factory=dict)

    def listen(self, session: "CDPSession") -> None:
        """Count what the page of a session loads from now on."""
        session.on("Network.responseReceived", self._began)
        session.on("Network.dataReceived", self._grew)
        session.on("Network.loadingFinished", self._ended)
        session.send("Network.enable")

    def _began(self, event: dict[str, Any]) -> None:
        self._of[event["requestId"]] = (event["type"], event["response"]["url"])

    def _grew(self, event: dict[str, Any]) -> None:
        self._open[event["requestId"]] = self._open.get(event["requestId"], 0) + event["encodedDataLength"]

    def _ended(self, event: dict[str, Any]) -> None:
        kind, url = self._of.get(event["requestId"], ("Other", ""))
        size = self._open.pop(event["requestId"], 0)
        if "/v1/" in url:
            self.interface += size
        else:
            self.files[kind] = self.files.get(kind, 0) + size

    @property
    def of_interface(self) -> int:
        """All bytes of the interface, including those of streams that are still open."""
        return self.interface + sum(self._open.values())


class Visitor:
    """A player with a browser of their own."""

    def __init__(self, browser: "Browser", port: int, player: dict[str, str]) -> None:
        self.player = player
        session = {key: player[key] for key in ("token", "id", "name")}
        remembered = {"session": session, "settings": {"pace": 0}}  # moves of others are shown as they come
        kept = [{"name": f"plateau.{name}", "value": json.dumps(value)} for name, value in remembered.items()]
        origin = f"http://127.0.0.1:{port}"
        self.context: BrowserContext = browser.new_context(
            base_url=origin,
            viewport={"width": 1280, "height": 800},
            storage_state=cast("StorageState", {"cookies": [], "origins": [{"origin": origin, "localStorage": kept}]}),
        )
        self.context.add_init_script(_NOTES)
        self.page: Page = self.context.new_page()
        self.traffic = Traffic()
        self.devtools = self.context.new_cdp_session(self.page)
        self.traffic.listen(self.devtools)

    def slow_down(self) -> None:
        """Give the browser the connection and the processor of a slow phone."""
        self.devtools.send("Network.emulateNetworkConditions", _SLOW)
        self.devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})

    def open(self, game: str) -> float:
        """Open a game; return the ms until it could be played."""
        self.page.goto(f"/#/game/{game}")
        return float(self.page.evaluate("noted.playable()"))

    def notes(self) -> dict[str, Any]:
        """Return the notes of the page."""
        found: dict[str, Any] = self.page.evaluate("noted.all()")
        return found


@contextmanager
def service() -> Iterator[int]:
    """Run the whole service with its embedded engine; yield its port."""
    port = free_port()
    with TemporaryDirectory() as data:
        settings = {**unlimited(), "PLATEAU_WORKERS": "1", "PLATEAU_PORT": str(port), "PLATEAU_DATA": data}
        with running([[str(Path(sys.executable).with_name("plateau")), "serve"]], settings, port):
            yield port


def player(port: int, name: str) -> dict[str, str]:
    """Create a player; the result has their token."""
    made: dict[str, str] = ask(port, "/v1/players", {"name": name})
    return made


def game(port: int, owner: dict[str, str], ruleset: str, others: Sequence[dict[str, Any]]) -> str:
    """Create a public game; return its id."""
    new = {"ruleset": ruleset, "visibility": "public", "bot_pace": "PT0S", "seats": [{"player": "me"}, *others]}
    made: str = ask(port, "/v1/games", new, owner["token"])["id"]
    return made


def first_loads(browser: "Browser", port: int) -> None:
    """Print what a page of each game loads, and the time until it can be played."""
    for ruleset, seats in GAMES.items():
        times: dict[bool, list[float]] = {False: [], True: []}
        for slow in [False, True] * _LOADS:
            visitor = Visitor(browser, port, player(port, "Ada"))
            made = game(port, visitor.player, ruleset, [{"bot": "random"}] * (seats - 1))
            if slow:
                visitor.slow_down()
            times[slow].append(visitor.open(made))
            files = dict(visitor.traffic.files)
            visitor.context.close()
        print(
            f"{ruleset:13} first load {sum(files.values()) / 1024:.1f} KB, scripts {files['Script'] / 1024:.1f} KB"
            f"  playable {statistics.median(times[False]) / 1000:.2f} s"
            f"  on a slow phone {statistics.median(times[True]) / 1000:.2f} s",
            flush=True,
        )


def play(browser: "Browser", port: int) -> None:
    """Print the figures of a game of each ruleset: own moves, interactions, shifts, bytes and taps."""
    for ruleset, seats in GAMES.items():
        for slow in (False, True):
            visitor = Visitor(browser, port, player(port, "Ada"))
            visitor.open(game(port, visitor.player, ruleset, [{"bot": "random"}] * (seats - 1)))
            if slow:
                visitor.devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
            before = visitor.traffic.of_interface
            draw = random.Random(ruleset)
            for _ in range(TAPS):
                place = visitor.page.evaluate("chance => noted.offer(chance)", draw.random())
                if place is None:
                    break
                visitor.page.mouse.click(place["x"], place["y"])
            notes = visitor.notes()
            moves = max(1, notes["versions"])
            taps = notes["taps"] or [0]
            print(
                f"{ruleset:13} {'processor ÷ 4' if slow else 'as it is     '}"
                f"  own move p50 {_part(notes['own'], 50):.0f} ms p95 {_part(notes['own'], 95):.0f} ms"
                f"  interactions p98 {_part(notes['interactions'], 98):.0f} ms  shifts {notes['shifts']:.3f}"
                f"  longest task {max(notes['tasks'], default=0):.0f} ms"
                f"  a move {(visitor.traffic.of_interface - before) / moves / 1024:.1f} KB"
                f"  taps an action: median {statistics.median(taps):.0f}, most {max(taps)}",
                flush=True,
            )
            visitor.context.close()


def follow(browser: "Browser", port: int) -> None:
    """Print the time until the page shows the move of another player."""
    watcher = Visitor(browser, port, player(port, "Ada"))
    other = player(port, "Ben")
    made = game(port, watcher.player, "plateau", [{"open": True}])
    ask(port, f"/v1/games/{made}/seats", {"seat": 1}, other["token"])
    watcher.page.goto(f"/#/game/{made}")
    watcher.page.locator(".game").wait_for()
    late = []
    for _ in range(_OTHERS):
        for who in (watcher.player, other):
            legal = ask(port, f"/v1/games/{made}/legal-actions", None, who["token"])["actions"]
            if not legal:
                continue
            began = time.time() * 1000
            version = ask(port, f"/v1/games/{made}/actions", random.Random(0).choice(legal), who["token"])["version"]
            late.append(watcher.page.evaluate("version => noted.shown(version)", version) - began)
    print(f"another's move on screen  p50 {_part(late, 50):.0f} ms  p95 {_part(late, 95):.0f} ms", flush=True)
    watcher.context.close()


def judge(port: int, chromium: str) -> None:
    """Print the results of Lighthouse."""
    owner = player(port, "Ada")
    made = game(port, owner, "le-plateau", [{"bot": "random"}] * 3)
    if not (_LIGHTHOUSE / "node_modules").exists():
        if shutil.which("npm") is None:
            print("npm is not installed: Lighthouse is left out")
            return
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(["npm", "install", "--prefix", str(_LIGHTHOUSE), *quiet], check=True)
    for name, fragment in (("first page", ""), ("a game", f"#/game/{made}")):
        command = [
            *(str(_LIGHTHOUSE / "node_modules/.bin/lighthouse"), f"http://127.0.0.1:{port}/{fragment}"),
            *("--quiet", "--output=json", "--only-categories=performance,accessibility,best-practices"),
            "--chrome-flags=--headless=new --no-sandbox",
        ]
        ran = subprocess.run(
            command, env={**os.environ, "CHROME_PATH": chromium}, capture_output=True, text=True, check=True
        )
        scores = {key: found["score"] for key, found in json.loads(ran.stdout)["categories"].items()}
        said = ", ".join(f"{key} {100 * score:.0f}" for key, score in scores.items())
        print(f"Lighthouse, {name}: {said}", flush=True)


def _part(values: Sequence[float], percent: int) -> float:
    """Return a percentile, 0 without values."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)] if values else 0


def main() -> None:
    """Print all figures."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - a library for developers only
    except ImportError:
        sys.exit("this benchmark needs the libraries for developers: make develop")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("Chromium is not installed: the web client is left out")
        return
    with service() as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        first_loads(browser, port)
        play(browser, port)
        follow(browser, port)
        browser.close()
        if not is_quick():
            judge(port, chromium)


if __name__ == "__main__":
    main()
