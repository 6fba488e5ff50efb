"""A store in which players have used everything comes back as it was, and the doctor finds it well."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.config.settings import Settings
from service.doctor.games import GameChecks
from service.store import keys
from service.store.event_store import EventStore
from service.store.redis.connections import connect
from tests.service.store import uses
from tests.support.backups import SHARDS, back_up, lasting, restore
from tests.support.people import ME, OPEN
from tests.support.push import Browser
from tests.support.server import RealServer, running_service, wait_until
from tests.support.webhook_receiver import Receiver

PATIENCE = Settings().patience
PERSONAL = (b"Ada L.", b"ada@example.org", b"pocket watch", b"hello", b"127.0.0.1")
"""A name, an address, the label of a token, what was said, and where a browser is reached."""
SETTINGS = {
    "PLATEAU_WORKERS": "1",
    "PLATEAU_HEADS_SECONDS": "1",
    "PLATEAU_LEAST_MOVE_SECONDS": "1",
    "PLATEAU_ALLOW_UNSAFE_WEBHOOKS": "1",
}


def use_everything(url: str, mails: Path) -> None:
    """Leave something of every kind in the store: also what the uses themselves would remove again."""
    ada, bob, cleo = (uses.Caller(url) for _ in range(3))
    uses.use_the_account(ada)
    uses.play(ada, bob)
    uses.open_seeds(ada, bob)
    uses.invite(ada, bob)
    game = ada.begin([ME, OPEN], ruleset="plateau", clock={"per_move": "P3D"})
    ada.want("POST", f"/v1/games/{game}/invitations", {"player": cleo.want("GET", "/v1/me")["id"]})
    ada.want("POST", f"/v1/games/{game}/invitations", {"link": True})
    bob.want("POST", f"/v1/games/{game}/seats", {"seat": 1})
    for player in (ada, bob):
        player.want("POST", f"/v1/games/{game}/phrases", {"phrase": "hello"})
        player.want("PUT", f"/v1/games/{game}/plan", {"forced": True})
    ada.want("POST", "/v1/me/tokens", {"scopes": ["games:read"], "label": "pocket watch"})
    with Receiver() as receiver:
        hook = f"/v1/webhooks/{ada.want('POST', '/v1/webhooks', {'url': receiver.url})['id']}"
        ada.want("POST", f"{hook}/test")
        wait_until(lambda: ada.want("GET", f"{hook}/deliveries")["items"][0]["status"] == "delivered", "a delivery")
    ada.want("PUT", "/v1/me/mail", {"address": "ada@example.org"})
    wait_until(lambda: any(mails.glob("*.eml")), "the mail that asks for confirmation")
    ada.want("POST", "/v1/me/push-subscriptions", Browser().subscription("http://127.0.0.1:9/browser"))
    uses.look_at_heads(ada)
    bob.want("DELETE", f"/v1/me?confirm={bob.want('GET', '/v1/me')['id']}")


def without_times(client: redis.Redis) -> dict[bytes, object]:
    """Read what lasts, of deadlines only what has one, and destinations not: couriers look at all of them again."""
    due = (b":deadlines", b":second-looks")
    found = {key: value for key, value in lasting(client).items() if not key.startswith(b"{outbox}")}
    return {key: {member for member, _ in value} if key.endswith(due) else value for key, value in found.items()}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RealServer]:
    server = RealServer.start("valkey", tmp_path / "server")
    yield server
    server.stop()


@pytest.mark.long
def test_a_store_in_which_everything_was_used_comes_back_as_it_was(server: RealServer, tmp_path: Path) -> None:
    mails = tmp_path / "mails"
    with running_service(
        tmp_path, {**SETTINGS, "REDIS_URL": server.url, "PLATEAU_SMTP_URL": mails.as_uri()}
    ) as service:
        use_everything(service.url, mails)
    with connect(server.url) as client:
        client.delete(*client.scan_iter("rq:*"))  # the queue is empty by now
        before, destinations = without_times(client), {*client.zrange(keys.OUTBOX, 0, -1)}
        families = {key.split(b":")[-1] for key in before}
        assert any(b":answer:" in key for key in before)
        assert families >= {b"plans", b"phrases", b"invitations", b"outlets", b"push", b"mail", b"webhooks", b"roots"}
        assert families >= {b"deliveries", b"known", b"tokens", b"reminders", b"turns", b"push-key"}
        back_up(client, tmp_path / "backups")
        (people,) = (tmp_path / "backups").glob("*.people.*")
        assert [text for text in PERSONAL if text not in gzip.decompress(people.read_bytes())] == []
        for kind in ("logs", "versions", "heads", "answers"):
            (part,) = (tmp_path / "backups").glob(f"*.{kind}.*")
            assert not any(text in gzip.decompress(part.read_bytes()) for text in PERSONAL), kind
        client.flushall()
        restore(client, tmp_path / "backups", patience=PATIENCE)
        after = without_times(client)
        assert after.keys() == before.keys()
        assert {key: (before[key], after[key]) for key in before if before[key] != after[key]} == {}
        assert {*client.zrange(keys.OUTBOX, 0, -1)} >= destinations
        assert [*GameChecks(EventStore(client, SHARDS), PATIENCE).check()] == []
