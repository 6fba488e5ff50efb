"""Redis users with exactly the rights that the check at the start asks for can serve every request, and do no more."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import redis

from service.config.settings import Settings
from service.runtime.store_check import check_stores
from service.store.redis import redis_rights
from service.store.redis.redis_server import StoreMisconfigured, check_server
from tests.service.store.redis_users import FILE, WEB_USER, WORKER_USER, refused, restricted, written
from tests.service.store.uses import (
    Caller,
    get_mails,
    get_pushes,
    have_webhooks,
    invite,
    look_around,
    look_at_heads,
    open_seeds,
    operate,
    play,
    run_out_of_time,
    use_the_account,
)
from tests.support.server import PATIENCE, PROGRAMS, Hand, RealServer, fetch, running_service, wait_until

BOT = {"bot": "random"}


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


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind == "valkey" else pytest.mark.long) for kind in PROGRAMS]
)
@pytest.mark.long
def test_every_command_that_is_sent_is_among_the_rights(kind: str, tmp_path: Path) -> None:
    """The service sends the same commands to both engines, so one of them is enough for ``make test``."""
    games, queue = (RealServer.start(kind, tmp_path / name, tcp=True) for name in ("games", "queue"))
    web = restricted(games, "web", redis_rights.WEB)
    more = {
        "QUEUE_URL": restricted(queue, "ada", redis_rights.QUEUE),
        "PLATEAU_LEAST_MOVE_SECONDS": "1",
        "PLATEAU_HEADS_SECONDS": "1",
        "PLATEAU_ALLOW_UNSAFE_WEBHOOKS": "1",
        "PLATEAU_PUBLIC_URL": "http://127.0.0.1",
    }
    mails = {"PLATEAU_SMTP_URL": (tmp_path / "mails").as_uri()}
    others = {"REDIS_URL": restricted(games, "hands", redis_rights.GAMES)}
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
def test_each_right_that_a_user_lacks_is_named_alone_and_nothing_is_written(kind: str, tmp_path: Path) -> None:
    server = RealServer.start(kind, tmp_path, tcp=True)
    covered = {"~{service}:*"}  # by ~{s*}:*
    needs = dict.fromkeys((*redis_rights.GAMES, *redis_rights.QUEUE, "%R~other:*")).keys()
    for right in needs - covered:
        with redis.Redis.from_url(restricted(server, "ada", needs - {right})) as client:
            with pytest.raises(StoreMisconfigured) as refusal:
                check_server(client, [*needs])
            assert str(refusal.value).endswith(f"add to the user's ACL: {right}")
    for of_role in (redis_rights.WEB, redis_rights.GAMES, redis_rights.BACKUP, redis_rights.DOCTOR, redis_rights.QUEUE):
        with redis.Redis.from_url(server.url) as client:
            client.acl_log_reset()
        with redis.Redis.from_url(restricted(server, "ada", of_role)) as client:
            check_server(client, of_role)
        assert refused(server) == []
    with redis.Redis.from_url(server.url) as client:
        assert client.dbsize() == 0
    server.stop()


@pytest.mark.parametrize("kind", PROGRAMS)
def test_the_users_to_copy_can_do_what_is_needed_and_nothing_else(kind: str, tmp_path: Path) -> None:
    with with_users(kind, tmp_path) as (server, url):
        for user, needs in ((WEB_USER, redis_rights.WEB), (WORKER_USER, redis_rights.GAMES)):
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
