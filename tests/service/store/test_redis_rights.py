"""Redis users with exactly the rights that the check at the start asks for can serve every request, and do no more."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from pathlib import Path
from typing import Any, ClassVar

import pytest
import redis
from click.testing import CliRunner

from domain.game.seeds import commitment_to
from service.cli.admin import admin
from service.cli.hosting import games_here
from service.cli.main import main
from service.config.settings import Settings
from service.runtime.store_check import check_stores
from service.store.redis import redis_needs
from tests.attacks.test_damaged_log import Client
from tests.domain.audit.signing import cosigned
from tests.servers import PATIENCE, PROGRAMS, Hand, RealServer, fetch, running_service, wait_until
from tests.service.notifications.push.browser import Browser
from tests.service.notifications.webhook.receiver import Receiver
from tests.service.store.redis_users import FILE, WEB_USER, WORKER_USER, rules, written

ME, OPEN, BOT = {"player": "me"}, {"open": True}, {"bot": "random"}
ASKED_WHERE_ALLOWED = {"client|setinfo", "info", "config|get"}
"""What the client library and the check try: a refusal does no harm."""


def restricted(server: RealServer, name: str, needs: Iterable[str]) -> str:
    """Return the address for a new user who can do what is needed and no more."""
    with redis.Redis.from_url(server.url) as client:
        client.execute_command("ACL", "SETUSER", name, "reset", "on", ">hush-hush", *rules(needs))
    return server.url.replace("redis://", f"redis://{name}:hush-hush@")


@contextmanager
def hands(folder: Path, env: dict[str, str]) -> Iterator[list[Hand]]:
    """Run all processes beside the web."""
    running = [Hand(command, folder, env).start() for command in ("dispatch", "courier", "worker")]
    try:
        yield running
    finally:
        for each in running:
            each.stop()


@contextmanager
def with_users(kind: str, folder: Path) -> Iterator[tuple[RealServer, Callable[[str], str]]]:
    """Start a server with the users of the file; give it, and the address for each user."""
    users = folder / "users.acl"
    users.parent.mkdir(parents=True, exist_ok=True)
    users.write_text(FILE.read_text() + f"user admin on >{ADMIN} ~* &* +@all\n")
    server = RealServer.start(kind, folder, tcp=True, extra=["--aclfile", str(users)], user=f"admin:{ADMIN}")
    place = server.url.rpartition("@")[2]
    yield server, lambda user: f"redis://{user}:{user}-password@{place}"
    server.stop()


def refused(server: RealServer) -> list[tuple[str, str]]:
    """What the server has refused so far: why, and what."""
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        entries = [(entry["reason"], entry["object"]) for entry in client.acl_log()]
    return [each for each in entries if each[1] not in ASKED_WHERE_ALLOWED]


class Caller(Client):
    """A player whose requests must succeed; they are noted."""

    asked: ClassVar[set[tuple[str, str]]] = set()

    def want(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the body of the answer."""
        status, answer = self.ask(method, path, body, **headers)
        assert status < 300, (method, path, status, answer)
        self.asked.add((method, path.partition("?")[0]))
        return answer

    def operations_not_asked(self) -> set[tuple[str, str]]:
        """Name the operations of the API for which no request was noted."""
        paths = self.want("GET", "/openapi.json")["paths"]
        wanted = {(method.upper(), path) for path, operations in paths.items() for method in operations}
        forms = {each: re.compile(re.sub("{.*?}", "[^/]+", each[1])) for each in wanted}
        return {
            each
            for each in wanted
            if not any(each[0] == how and forms[each].fullmatch(path) for how, path in self.asked)
        }


def use_the_account(ada: Caller) -> None:
    me = ada.want("GET", "/v1/me")["id"]
    ada.want("PATCH", "/v1/me", {"name": "Ada L."})
    ada.want("GET", f"/v1/players/{me}")
    made = ada.want("POST", "/v1/me/tokens", {"scopes": ["games:read"], "label": "phone"})
    assert len(ada.want("GET", "/v1/me/tokens")["items"]) == 2
    ada.want("DELETE", f"/v1/me/tokens/{made['id']}")
    ada.want("POST", "/v1/players", {"name": "Eve"})


def play(ada: Caller, bob: Caller) -> None:
    game = f"/v1/games/{ada.begin([ME, OPEN, OPEN])}"
    bob.want("POST", f"{game}/seats", {"seat": 1}, Idempotency_Key="sit")
    bob.want("DELETE", f"{game}/seats/1")
    bob.want("POST", f"{game}/seats", {"seat": 1})
    bob.want("POST", f"{game}/seats/1/tokens", {"label": "phone"})
    ada.want("PUT", f"{game}/seats/2", BOT)
    asked = ada.want("POST", f"{game}/proposals", {"kind": "stop_after_hand"})["events"][0]["data"]["proposal"]
    bob.want("POST", f"{game}/proposals/{asked}/votes", {"accept": True})
    for path in ("", "/view", "/legal-actions", "/events", "/board.svg", "/scene", "/audit", "/export?format=text"):
        ada.want("GET", f"{game}{path}")
    ada.want("POST", f"{game}/forks", {}, Idempotency_Key="fork")
    ada.want("POST", f"{game}/board-links")
    ada.want("POST", "/v1/me/stream-tickets")
    ada.want("GET", f"{game}/events?after={ada.want('GET', game)['version']}&wait=1")

    duel = ada.begin([ME, OPEN], ruleset="plateau")
    bob.want("POST", f"/v1/games/{duel}/seats", {"seat": 1})
    for headers in ({}, {"Idempotency_Key": "hello"}):
        bob.want("POST", f"/v1/games/{duel}/phrases", {"phrase": "hello"}, **headers)
    assert len(ada.want("GET", f"/v1/games/{duel}/phrases")["phrases"]) == 2
    ada.want("POST", f"/v1/games/{duel}/resign", {"confirm": True})
    ada.want("POST", f"/v1/games/{duel}/analysis")
    wait_until(lambda: ada.want("GET", f"/v1/games/{duel}/analysis")["all"] == 0, "the analysis")
    again = ada.want("POST", f"/v1/games/{duel}/rematch")["game"]
    assert bob.want("GET", "/v1/me/invitations")["items"][0]["game"]["id"] == again["id"]
    assert bob.want("POST", f"/v1/games/{duel}/rematch")["game"]["status"] == "active"
    wait_until(lambda: len(bob.want("GET", "/v1/me/events")["events"]) > 3, "notices")

    planned = ada.begin([ME, OPEN], ruleset="plateau")
    bob.want("POST", f"/v1/games/{planned}/seats", {"seat": 1})
    plan_and_see(ada, bob, f"/v1/games/{planned}")

    alone = ada.begin([ME] * 3, sandbox=True)
    legal = ada.want("GET", f"/v1/games/{alone}/legal-actions")["actions"]
    wait_until(lambda: ada.ask("POST", f"/v1/games/{alone}/hints", {})[0] == 200, "a hint")
    ada.want("POST", f"/v1/games/{alone}/hints")
    ada.want("POST", f"/v1/games/{alone}/actions", legal[0], Idempotency_Key="once")
    new = ada.want("POST", "/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN]}, Idempotency_Key="new")
    ada.want("DELETE", f"/v1/games/{new['id']}")


def plan_and_see(ada: Caller, bob: Caller, game: str) -> None:
    """Plan a step that is carried out and one that is dropped; then let the account go with a plan."""
    free = {"not": {"path": "/state/board/a1", "op": "exists"}}
    first = ada.want("GET", f"{game}/legal-actions?limit=1")["actions"][0] | {"square": "a1"}
    bob.want("PUT", f"{game}/plan", {"steps": [{"when": free, "action": first}, {"action": first | {"square": "d4"}}]})
    ada.want("POST", f"{game}/actions", first)
    wait_until(lambda: ada.want("GET", f"{game}/view")["to_act"] == [0], "the planned move")
    ada.want("PUT", f"{game}/plan", {"steps": [{"action": first}], "forced": True})
    wait_until(lambda: ada.want("GET", f"{game}/plan")["steps"] == [], "the plan to be dropped")
    ada.want("DELETE", f"{game}/plan")
    bob.want("PUT", f"{game}/plan", {"forced": True})


def open_seeds(ada: Caller, bob: Caller) -> None:
    """Ada opens hers; Bob does not, so a worker goes on without it."""
    opening = {"within": "PT5S"}
    game = ada.begin([OPEN, OPEN], ruleset="plateau", opening=opening)
    for player in (ada, bob):
        commitment = commitment_to("luck", game, player.want("GET", "/v1/me")["id"])
        head = player.want("GET", f"/v1/games/{game}")["head"]
        player.want("POST", f"/v1/games/{game}/seats", {"seed_commitment": commitment}, If_Match=f'"{head}"')
    ada.want("POST", f"/v1/games/{game}/seeds", {"seed": "luck"}, Idempotency_Key="seed")
    wait_until(lambda: ada.want("GET", f"/v1/games/{game}")["status"] == "active", "the end of the phase")


def invite(ada: Caller, bob: Caller) -> None:
    game = f"/v1/games/{ada.begin([ME, OPEN, OPEN], visibility='private')}"
    made = ada.want("POST", f"{game}/invitations", {"link": True})
    ada.want("GET", made["url"])
    ada.want("GET", f"{made['url']}/qr.svg")
    bob.want("POST", f"{made['url']}/seat")
    for _ in range(50):
        ended = ada.want("POST", f"{game}/invitations", {"link": True})
        ada.want("DELETE", f"{game}/invitations/{ended['id']}")
    assert len(ada.want("GET", f"{game}/invitations")["items"]) == 50
    cleo = Caller(ada.url)
    ada.want("POST", f"{game}/invitations", {"player": cleo.want("GET", "/v1/me")["id"]})
    assert len(cleo.want("GET", "/v1/me/invitations")["items"]) == 1
    cleo.want("POST", f"{game}/seats")
    assert cleo.want("GET", "/v1/me/invitations")["items"] == []


def get_mails(ada: Caller, folder: Path) -> None:
    ada.want("PUT", "/v1/me/mail", {"address": "ada@example.org"})
    ada.want("GET", "/v1/me/mail")
    wait_until(lambda: any(folder.glob("*.eml")), "the mail that asks for confirmation")
    confirm = re.search(r"/v1/mail/confirm/[\w-]+", next(folder.glob("*.eml")).read_text())
    assert confirm is not None
    for method in ("GET", "POST"):
        assert ada.ask(method, confirm[0])[0] == 200
        ada.asked |= {(method, confirm[0]), (method, "/v1/mail/unsubscribe/x")}
    assert ada.want("GET", "/v1/me/mail")["status"] == "confirmed"
    ada.want("DELETE", "/v1/me/mail")


def get_pushes(ada: Caller) -> None:
    ada.want("GET", "/v1/push-key")
    assert len(ada.want("GET", "/.well-known/plateau-keys.json")["keys"]) == 1
    forged = {"game": "gm_x", "version": 1, "hash": "0" * 64, "at": "", "key_id": "0" * 16, "signature": "0" * 128}
    assert not ada.want("POST", "/v1/verify-receipt", forged | {"at": "2026-01-01T00:00:00.000Z"})["signed"]
    made = ada.want("POST", "/v1/me/push-subscriptions", Browser().subscription("http://127.0.0.1:9/browser"))
    assert ada.want("GET", "/v1/me/push-subscriptions")["items"] == [made]
    ada.want("DELETE", f"/v1/me/push-subscriptions/{made['id']}")


def run_out_of_time(ada: Caller, bob: Caller) -> None:
    timed = ada.begin([ME] * 3, sandbox=True, clock={"per_move": "PT1S"})
    begun = ada.want("GET", f"/v1/games/{timed}")["version"]
    wait_until(lambda: ada.want("GET", f"/v1/games/{timed}")["version"] > begun, "a timeout")
    waiting = ada.begin([ME, OPEN], ruleset="plateau", clock={"per_move": "PT1S", "on_timeout": "wait"})
    bob.want("POST", f"/v1/games/{waiting}/seats", {"seat": 1})
    late = ada.want("GET", f"/v1/games/{waiting}/view")["to_act"][0]
    other, claim = (bob, ada)[late], f"/v1/games/{waiting}/claim"
    wait_until(lambda: other.ask("POST", claim)[0] == 201, "the time to be up")
    other.asked.add(("POST", claim))


def have_webhooks(ada: Caller) -> None:
    with Receiver() as receiver:
        hook = f"/v1/webhooks/{ada.want('POST', '/v1/webhooks', {'url': receiver.url})['id']}"
        ada.want("POST", f"{hook}/test")
        wait_until(lambda: ada.want("GET", f"{hook}/deliveries")["items"][0]["status"] == "delivered", "a delivery")
        receiver.status = 410
        ada.want("POST", f"{hook}/deliveries/1/redeliver")
        wait_until(lambda: not ada.want("GET", hook)["enabled"], "the webhook to be disabled")
    for path, body in ((hook, {"enabled": True}), (hook, {"enabled": False})):
        ada.want("PATCH", path, body)
    ada.want("POST", f"{hook}/secret")
    assert len(ada.want("GET", "/v1/webhooks")["items"]) == 1
    ada.want("DELETE", hook)


def operate(ada: Caller, store: str) -> None:
    """Have the host give a token of operators, and use it."""
    stuck, me = ada.begin([ME, OPEN]), ada.want("GET", "/v1/me")["id"]
    made = CliRunner().invoke(admin, ["token", me], env={"REDIS_URL": store})
    assert made.exit_code == 0
    operator = copy(ada)
    operator.token = made.output.strip()
    operator.want("POST", f"/v1/admin/games/{stuck}/acts", {"act": "abort", "reason": "stuck"}, Idempotency_Key="end")
    assert len(operator.want("GET", "/v1/admin/log")["items"]) == 2
    games_here.cache_clear()
    audited = CliRunner().invoke(main, ["verify", "--all"], env={"REDIS_URL": store})
    assert (audited.exit_code, "0 wrong" in audited.stdout) == (0, True), audited.output


def cosigns(ada: Caller) -> bool:
    """Co-sign the latest root; return whether it was still the latest."""
    one = cosigned("wanda", ada.want("GET", "/v1/heads"))
    path = f"/v1/heads/{one.pop('size')}/signatures"
    ada.asked.add(("POST", path))
    return ada.ask("POST", path, one)[0] == 201


def look_at_heads(ada: Caller) -> None:
    game = ada.begin([ME, OPEN], ruleset="plateau")
    inclusion = f"/v1/games/{game}/inclusion"
    wait_until(lambda: ada.ask("GET", inclusion)[0] == 200, "the head to be logged")
    for path in (inclusion, "/v1/heads", "/v1/heads/consistency", "/v1/heads/leaves"):
        ada.want("GET", path)
    wait_until(lambda: cosigns(ada), "a root that is still the latest when it is co-signed")
    assert ada.ask("GET", f"/v1/games/{game}/export?format=bundle")[0] == 200


def look_around(ada: Caller) -> None:
    for path in ("/v1/games?sort=oldest", "/v1/games?speed=slow", "/v1/me/games?status=open", "/v1/bots"):
        ada.want("GET", path)
    for path in ("/v1/games", "/v1/me/games", "/v1/me/games?to_act=true", "/v1/rulesets", "/v1/rulesets/le-plateau"):
        ada.want("GET", path)
    for path in (
        "/v1/rulesets/plute/tutorial",
        "/",
        "/healthz",
        "/readyz",
        "/metrics",
        "/docs",
        "/v1/problems/not-found",
    ):
        ada.want("GET", path)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind == "valkey" else pytest.mark.long) for kind in PROGRAMS]
)
@pytest.mark.long
def test_every_command_that_is_sent_is_among_those_checked(kind: str, tmp_path: Path) -> None:
    """The service sends the same commands to both engines, so one of them is enough for ``make test``."""
    games, queue = (RealServer.start(kind, tmp_path / name, tcp=True) for name in ("games", "queue"))
    web = restricted(games, "web", redis_needs.WEB)
    more = {
        "QUEUE_URL": restricted(queue, "ada", redis_needs.QUEUE),
        "PLATEAU_LEAST_MOVE_SECONDS": "1",
        "PLATEAU_HEADS_SECONDS": "1",
        "PLATEAU_ALLOW_UNSAFE_WEBHOOKS": "1",
        "PLATEAU_PUBLIC_URL": "http://127.0.0.1",
    }
    mails = {"PLATEAU_SMTP_URL": (tmp_path / "mails").as_uri()}
    others = {"REDIS_URL": restricted(games, "hands", redis_needs.GAMES)}
    with ExitStack() as running:
        service = running.enter_context(running_service(tmp_path, {"REDIS_URL": web} | more | mails))
        beside = running.enter_context(hands(tmp_path, others | more | mails))
        ada, bob = Caller(service.url), Caller(service.url)
        bots = ada.begin([BOT] * 3)
        use_the_account(ada)
        play(ada, bob)
        open_seeds(ada, bob)
        invite(ada, bob)
        run_out_of_time(ada, bob)
        have_webhooks(ada)
        look_around(ada)
        look_at_heads(ada)
        get_mails(ada, tmp_path / "mails")
        get_pushes(ada)
        wait_until(lambda: ada.want("GET", f"/v1/games/{bots}")["status"] == "finished", "the bots", 2 * PATIENCE)
        operate(ada, web)
        bob.want("GET", "/v1/me/export")
        bob.want("DELETE", f"/v1/me?confirm={bob.want('GET', '/v1/me')['id']}")
        ada.asked.add(("POST", "/v1/games"))
        assert ada.operations_not_asked() == set()
        assert all("NOPERM" not in each.errors for each in (service, *beside))
    for server in (games, queue):
        assert refused(server) == []
        server.stop()


# -- the users to copy ----------------------------------------------------------------------------------------------

ADMIN = "admin-password"
FORBIDDEN = (
    "FLUSHALL",
    "FLUSHDB",
    "CONFIG SET appendonly no",
    "CONFIG GET requirepass",
    "KEYS *",
    "SCAN 0",
    "RANDOMKEY",
    "SHUTDOWN NOSAVE",
    "ACL LIST",
    "ACL SETUSER eve on",
    "REPLICAOF NO ONE",
    "MODULE LIST",
    "FUNCTION FLUSH",
    "SCRIPT FLUSH",
    "SWAPDB 0 1",
    "MONITOR",
    "CLIENT KILL TYPE normal",
    "DEL {s00}x",
    "GET other",
    "SUBSCRIBE other",
    "XTRIM other MAXLEN 0",
)
FORBIDDEN_FOR_WEB = (
    "XTRIM {s00}:game:x:events MAXLEN 0",
    "XREADGROUP GROUP x x STREAMS {s00}:changes >",
    "XADD {heads}:roots * r x",
    "DEL {heads}:roots",
    "DEL {jobs}:line",
    "HGETALL rq:job:x",
    "CLIENT LIST",
)


def test_the_users_to_copy_have_the_rights_that_the_service_asks_for_and_no_others() -> None:
    assert FILE.read_text() == written(), "run: python -m tests.service.store.redis_users"


@pytest.mark.parametrize("kind", PROGRAMS)
def test_the_users_to_copy_can_do_what_is_needed_and_nothing_else(kind: str, tmp_path: Path) -> None:
    with with_users(kind, tmp_path) as (server, url):
        for user, needs in ((WEB_USER, redis_needs.WEB), (WORKER_USER, redis_needs.GAMES)):
            check_stores(Settings(), url(user), "here", with_queue=user == WORKER_USER, needs=needs)
            forbidden = FORBIDDEN + (FORBIDDEN_FOR_WEB if user == WEB_USER else ())
            with redis.Redis.from_url(url(user)) as client:
                for command in forbidden:
                    with pytest.raises(redis.exceptions.NoPermissionError):
                        client.execute_command(*command.split())
        with pytest.raises(redis.AuthenticationError), redis.Redis.from_url(url("default")) as anyone:
            anyone.ping()
        with redis.Redis.from_url(server.url) as client:
            assert client.get("plateau:shards") == b"16"


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", [kind if kind == "valkey" else pytest.param(kind, marks=pytest.mark.long) for kind in PROGRAMS]
)
def test_games_are_played_by_the_users_to_copy(kind: str, tmp_path: Path) -> None:
    with ExitStack() as running:
        server, url = running.enter_context(with_users(kind, tmp_path / "redis"))
        service = running.enter_context(running_service(tmp_path, {"REDIS_URL": url(WEB_USER)}))
        beside = running.enter_context(hands(tmp_path, {"REDIS_URL": url(WORKER_USER)}))
        ada = Caller(service.url)
        bots = ada.begin([BOT] * 3)
        wait_until(lambda: ada.want("GET", f"/v1/games/{bots}")["status"] == "finished", "the bots", 2 * PATIENCE)
        assert b"plateau_jobs_waiting" in fetch(f"{service.url}/metrics")[1]
        assert all("NOPERM" not in each.errors for each in (service, *beside))
        assert refused(server) == []
