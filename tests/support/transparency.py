"""The log of heads, receipts, and a monitor: what tests ask of them, and what an operator can do to forge a history."""

import json
import threading
from dataclasses import asdict
from itertools import count

from click.testing import CliRunner
from werkzeug.serving import make_server

from domain.game.durations import DAY, instant, moment
from service.cli.main import main
from service.common import wall_clock
from service.transparency.key_ring import KeyRing, receipt_in
from service.transparency.transparency_log import TransparencyLog, Unlogged
from tests.support.people import ME, OPEN, Server
from workers.log_worker import LogWorker

_days = count()


def log_heads(server: Server, at: str | None = None) -> KeyRing:
    """Log the heads of all games that have gone on, by default a day after the last time; return the keys that sign."""
    now = at or moment(instant(wall_clock.now()) + next(_days) * DAY)
    ring = KeyRing(server.redis, wall_clock.now)
    LogWorker(TransparencyLog(server.redis), Unlogged(server.redis, 16), ring.sign, lambda: now, 3600).keep()
    return ring


def begin(person, **more):
    """Create an open game; return its path."""
    made = person.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN], **more})
    return f"/v1/games/{made.json['id']}"


def rewrite(server, person, key):
    """Do what an operator can: give a game with a key another history, which verifies, under the same id."""
    wanted = {"ruleset": "plateau", "seats": [ME, OPEN]}
    game_id = person.post("/v1/games", wanted, Idempotency_Key=key).json["id"]
    for each in server.redis.scan_iter(f"{{s*}}:game:{game_id}:*"):
        server.redis.delete(each)
    assert person.post("/v1/games", wanted, Idempotency_Key=key).json["id"] == game_id


def receipt_of(answer):
    """The receipt that came with a response."""
    assert answer.status_code < 300, answer.json
    return receipt_in(answer.headers["Plateau-Receipt"])


def judged(person, receipt):
    """What the server says to a receipt."""
    answer = person.post("/v1/verify-receipt", asdict(receipt))
    assert answer.status_code == 200
    return answer.json["signed"], answer.json["log"]


BROKEN = "a connection that breaks within the answer"


class Monitor:
    """Looks at a service from a folder; the service can be told to answer otherwise at first, or to add fields."""

    def __init__(self, server, folder):
        self.state, self.first, self.keys = folder / "root.json", [], log_heads(server).public_keys()
        self.more, self.app = {}, server.app
        self.web = make_server("127.0.0.1", 0, self.answer, threaded=True)
        threading.Thread(target=self.web.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, environ, respond):
        if self.first:
            status = self.first.pop(0)
            if status is BROKEN:
                respond("200 OK", [("Content-Type", "application/json"), ("Content-Length", "1000")])
                return [b"{"]
            respond(status, [("Content-Type", "application/problem+json")])
            return [json.dumps({"detail": "Not now.", "code": "busy"}).encode()]
        body = b"".join(self.app(environ, lambda status, headers: respond(status, kept(headers))))
        return [json.dumps({**json.loads(body), **self.more}).encode()]

    def look(self, *more, url=None, key=None):
        (own,) = self.keys.values()
        options = ["--key", key or own, "--state", str(self.state), *(more or ["--once"])]
        shown = CliRunner().invoke(main, ["monitor", url or f"http://127.0.0.1:{self.web.port}", *options])
        return shown.exit_code, shown.output

    def proofs(self):
        return [json.loads(path.read_bytes()) for path in self.state.parent.glob("root.json.caught-*")]


def kept(headers):
    return [(name, value) for name, value in headers if name.lower() not in {"content-length", "content-encoding"}]
