"""What can be wrong with a Redis when a command starts: one line names it, with the remedy; an exit code."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
import redis

from service.config.setting_fields import InvalidSettings, place_of
from service.config.settings import Settings
from service.runtime.store_check import check_stores
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect
from service.store.redis.redis_server import StoreMisconfigured
from tests.support.processes import free_port
from tests.support.proxies import Proxy
from tests.support.server import PROGRAMS, Hand, RealServer, RunningService

NOT_REDIS_7 = ((b"server_name:valkey", b"server_nam_:valkey"), (b"redis_version:7", b"redis_version:6"))
"""Makes either server report that it is a Redis 6."""


@pytest.fixture(scope="module", params=PROGRAMS)
def lasting_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    server = RealServer.start(request.param, tmp_path_factory.mktemp("server") / "data", tcp=True)
    yield server
    server.kill()
    server.stop()


@pytest.fixture
def server(lasting_server: RealServer) -> RealServer:
    """A server that is empty, with room, and without users."""
    for command in ("CONFIG SET maxmemory 0", "FLUSHALL", "ACL DELUSER ada"):
        ask(lasting_server, *command.split())
    return lasting_server


def started(server: RealServer, *options: str) -> RealServer:
    """Another server of the same kind."""
    kind = next(kind for kind, path in PROGRAMS.items() if str(path) == server._command[0])
    return RealServer.start(kind, server.log.parent.parent / f"other{free_port()}", tcp=True, extra=options)


def ask(server: RealServer, *command: str) -> object:
    with redis.Redis.from_url(server.url) as client:
        return client.execute_command(*command)


def allow(server: RealServer, *rules: str) -> str:
    """Make a user with these rules, and give the address with it."""
    ask(server, "ACL", "SETUSER", "ada", "reset", "on", ">hush-hush", *rules)
    return server.url.replace("redis://", "redis://ada:hush-hush@")


def refusal(url: str, queue_url: str | None = None) -> str:
    """The line with which a command ends, exit code 3."""
    env = {"REDIS_URL": url} | ({"QUEUE_URL": queue_url} if queue_url else {})
    line = ""
    try:
        check_stores(Settings.from_environment(env), url, place_of(url), with_queue=True)
    except (StoreMisconfigured, StoreUnavailable) as error:  # kept no longer, so that its connections are closed now
        line = str(error)
    assert line
    assert "\n" not in line
    assert "hush-hush" not in line
    return line


def test_a_server_without_fault_is_named(server: RealServer) -> None:
    assert check_stores(Settings(), server.url, "here", with_queue=True).split()[0] in PROGRAMS


# -- what it is ---------------------------------------------------------------------------------------------------


def test_a_redis_before_7_is_refused(server: RealServer) -> None:
    """A Redis before 7 is simulated: a server of today answers, and a proxy rewrites the version in its INFO."""
    proxy = Proxy(server.url)
    proxy.rewrite(*NOT_REDIS_7)
    assert f"Redis at {proxy.url} cannot be used: it is redis 6." in (line := refusal(proxy.url))
    assert "needs Redis 7.0 or newer, or Valkey" in line
    assert ask(server, "DBSIZE") == 0
    assert "cannot be used: it is redis 6." in refusal(server.url, proxy.url)
    proxy.close()


def test_a_cluster_is_refused_for_games_and_for_the_queue(server: RealServer) -> None:
    cluster = started(server, "--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    assert "it is a node of a cluster: for the games, write redis+cluster://" in refusal(cluster.url)
    line = refusal(server.url, cluster.url)
    assert line.startswith(f"Redis of the queue at {cluster.url} cannot be used: it is a node of a cluster")
    by_hello = refusal(allow(cluster, "+@all", "-info", "~*", "&*"))
    assert "it is a node of a cluster" in by_hello
    cluster.stop()


def test_a_sentinel_is_refused(server: RealServer, tmp_path: Path) -> None:
    config = tmp_path / "sentinel.conf"
    config.write_text("")
    port = free_port()
    sentinel = RealServer(
        [str(server._command[0]), str(config), "--sentinel", "--port", str(port), "--bind", "127.0.0.1"],
        f"redis://127.0.0.1:{port}/0",
        tmp_path,
        None,
    )
    sentinel.restart()
    assert "it is a Sentinel, which cannot keep games" in refusal(sentinel.url)
    nobody = refusal(f"redis+sentinel://127.0.0.1:{port}/nobody/0")
    assert f"Redis at redis+sentinel://127.0.0.1:{port}/nobody/0 does not answer as it should" in nobody
    assert "knows a primary of that name" in nobody
    sentinel.stop()


def test_a_replica_is_refused_for_games_and_for_the_queue(server: RealServer) -> None:
    replica = started(server, "--replicaof", "127.0.0.1", str(free_port()))
    assert "it is a replica, which accepts no writes" in refusal(replica.url)
    assert "it is a replica" in refusal(server.url, replica.url)
    replica.kill()
    replica.stop()


def test_a_full_memory_is_refused(server: RealServer) -> None:
    ask(server, "CONFIG", "SET", "maxmemory", "100000")
    assert "its memory is full" in refusal(server.url)


def test_every_promise_that_a_silent_server_leaves_unchecked_is_named(server: RealServer) -> None:
    url = allow(server, "+@all", "-info", "-config", "~*", "&*")
    assert check_stores(Settings(), url, "here", with_queue=False).split()[0] in PROGRAMS
    with connect(url) as client:
        said = " ".join(EventStore(client).check())
    for promise in ("appendonly (yes; or else events", "maxmemory-policy (noeviction", "aof-load-truncated (no"):
        assert promise in said
    assert "appendfsync (everysec; or else a power cut" in said


# -- what it permits ----------------------------------------------------------------------------------------------


def test_what_a_user_lacks_is_said_in_the_words_of_an_acl_and_suffices(server: RealServer) -> None:
    rules = ["+@all", "-xadd", "-script|load", "~plateau:*", "~rq:*"]
    line = refusal(allow(server, *rules))
    assert "add to the user's ACL: " in line
    lacking = line.rpartition("ACL: ")[2].split()
    assert {"+xadd", "+script|load", "~{s*}:*", "~{pl_*}:*", "~{service}:*", "&plateau:tokens-changed"} <= {*lacking}
    while lacking:
        rules += lacking
        url = allow(server, *rules)
        with suppress(AssertionError, pytest.fail.Exception):
            lacking = refusal(url).rpartition("ACL: ")[2].split()
            continue
        break
    assert check_stores(Settings(), url, "here", with_queue=True)


def test_what_the_queue_needs_is_asked_for_too(server: RealServer) -> None:
    url = allow(server, "+@all", "-blpop", "~*", "&*")
    assert "Redis of the queue" in (line := refusal(server.url, url))
    assert line.endswith("add to the user's ACL: +blpop")


def test_a_command_that_the_server_does_not_know_is_named(server: RealServer) -> None:
    other = started(server, "--rename-command", "XADD", "")
    assert "it does not know the command XADD" in refusal(other.url)
    other.stop()


def test_where_multi_is_refused_no_trial_is_carried_out(server: RealServer) -> None:
    for denied in (("-multi", "-exec"), ("-multi",), ("-exec",)):
        lacking = " ".join(denied).replace("-", "+")
        assert refusal(allow(server, "+@all", *denied, "~*", "&*")).endswith(f"add to the user's ACL: {lacking}")
    assert ask(server, "DBSIZE") == 0


# -- how it is reached --------------------------------------------------------------------------------------------


def mute(answer: bytes | None) -> socket.socket:
    """A server that is not Redis: it replies with these bytes, or closes the connection."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                with client:
                    client.recv(1000)
                    client.sendall(answer or b"")

    threading.Thread(target=serve, daemon=True).start()
    return listening


UNREACHABLE: dict[str, tuple[Callable[[RealServer], str], str]] = {
    "nobody listens": (lambda _: f"redis://127.0.0.1:{free_port()}/0", "Connection refused"),
    "no such host": (lambda _: "redis://no-such-host.invalid/0", "no-such-host.invalid"),
    "no host name": (lambda _: "redis://a..b/0", "label empty or too long"),
    "no such socket": (lambda _: "unix:///no/such/socket", "/no/such/socket. No such file"),
    "a wrong password": (lambda it: allow(it, "+@all").replace("hush-", "hush"), "or the password is wrong"),
    "no such database": (lambda it: it.url.removesuffix("/0") + "/99", "no database with that number"),
    "no such certificate": (lambda it: it.url.replace("redis", "rediss") + "?ssl_ca_certs=/none", "No such file"),
}


@pytest.mark.parametrize(("address", "words"), UNREACHABLE.values(), ids=UNREACHABLE)
def test_a_server_that_cannot_be_reached_is_named_with_the_reason(
    server: RealServer, address: Callable[[RealServer], str], words: str
) -> None:
    url = address(server)
    line = refusal(url)
    assert line.startswith(f"Redis at {place_of(url)} does not answer as it should: ")
    assert words in line


def test_a_missing_password_is_asked_for(server: RealServer) -> None:
    with redis.Redis.from_url(server.url) as client:
        client.config_set("requirepass", "hush-hush")
        assert "it requires a password" in refusal(server.url)
        client.config_set("requirepass", "")


def test_tls_where_there_is_none_is_said() -> None:
    with mute(b"-ERR unknown\r\n") as listening:
        line = refusal(f"rediss://127.0.0.1:{listening.getsockname()[1]}/0?socket_connect_timeout=1")
        assert "if it does not use TLS, write redis:// instead of rediss://" in line


@pytest.mark.parametrize(("answer", "words"), [(b"HTTP/1.1 400 \r\n\r\n", "is not Redis"), (None, "write rediss://")])
def test_what_is_no_redis_is_said(answer: bytes | None, words: str) -> None:
    with mute(answer) as listening:
        assert words in refusal(f"redis://127.0.0.1:{listening.getsockname()[1]}/0")


def test_a_queue_out_of_reach_is_waited_for_unless_the_password_is_wrong(
    server: RealServer, caplog: pytest.LogCaptureFixture
) -> None:
    nobody = f"redis://127.0.0.1:{free_port()}/0"
    check_stores(Settings(redis_url=server.url, queue_url=nobody), server.url, "here", with_queue=True)
    assert f"Redis of the queue at {nobody} does not answer as it should" in caplog.text
    assert "the password is wrong" in refusal(server.url, allow(server, "+@all").replace("hush-", "hush"))


# -- addresses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variable", ["REDIS_URL", "QUEUE_URL"])
@pytest.mark.parametrize(
    "address",
    [
        "redis://h:1/0?bogus=1",
        "redis://h:1/0?decode_responses=1",
        "redis://h:1/0?max_connections=1",
        "redis://h:1/0?socket_timeout=soon",
        "redis://h:1/0?db=first",
        "redis://h:1/0?password=",
        "redis://h:1/0?ssl_cert_reqs=none",
        "rediss://h:1/0?ssl_cert_reqs=perhaps",
        "redis://h:1/games",
        "redis://h:1/0/1",
    ],
)
def test_an_address_that_would_not_be_understood_is_refused(address: str, variable: str) -> None:
    with pytest.raises(InvalidSettings, match=rf"^{variable} is .*; allowed: .* Here, .*\.$"):
        Settings.from_environment({variable: address.replace("//h", "//ada:hush-hush@h")})


@pytest.mark.parametrize(
    "address",
    [
        "redis://h",
        "redis://h/",
        "redis://h:1/3?socket_timeout=2.5&health_check_interval=30",
        "redis://ada:p%2Fw@[::1]:1/0",
        "rediss://h:1/0?ssl_ca_certs=/etc/ca.pem&ssl_cert_reqs=none&ssl_check_hostname=false",
        "unix:///run/redis.sock?db=2&password=x&username=y",
    ],
)
def test_an_address_with_what_is_allowed_is_taken(address: str) -> None:
    assert Settings.from_environment({"REDIS_URL": address}).redis_url == address


# -- the commands -------------------------------------------------------------------------------------------------


COMMANDS, FAULTS = ["serve", "worker", "dispatch", "courier"], {"parameter": 2, "acl": 3, "cluster": 3, "replica": 3}
USUAL = [("serve", "cluster"), ("courier", "parameter")]
"""A fault of each exit code; ``make long`` has every command with every fault."""


@pytest.mark.parametrize(
    ("command", "fault"),
    [pytest.param(*each, marks=[] if each in USUAL else pytest.mark.long) for each in product(COMMANDS, FAULTS)],
)
def test_every_command_ends_with_one_line_and_its_code(command: str, fault: str, tmp_path: Path) -> None:
    options = {
        "cluster": ("--cluster-enabled", "yes", "--cluster-port", str(free_port())),
        "replica": ("--replicaof", "127.0.0.1", str(free_port())),
    }.get(fault, ())
    server = RealServer.start("valkey", tmp_path / "redis", tcp=True, extra=options)
    url = {"parameter": f"{server.url}?bogus=1", "acl": allow(server, "-@all", "+hello")}.get(fault, server.url)
    process = RunningService(tmp_path, {"REDIS_URL": url}) if command == "serve" else None
    hand = process or Hand(command, tmp_path, {"REDIS_URL": url})
    if process:
        process.start(wait=False)
    else:
        hand.start()
    assert hand.wait() == FAULTS[fault]
    assert hand.errors.startswith("plateau: ")
    assert hand.errors.count("\n") == 1
    assert "hush-hush" not in hand.errors
    server.kill()
    server.stop()


WRONG_INSTALLATIONS: dict[str, tuple[dict[str, str], int, str]] = {
    "a port that another program has": ({"PLATEAU_PORT": "{taken}"}, 2, "Port {taken} on 127.0.0.1 is in use"),
    "an address of another machine": ({"PLATEAU_HOST": "192.0.2.1"}, 2, "Cannot listen on 192.0.2.1 port"),
    "a host that does not exist": ({"PLATEAU_HOST": "no.such.host.invalid"}, 2, "which is not an address here"),
    "a data folder that is a file": (
        {"PLATEAU_DATA": "{folder}/file"},
        3,
        "The data folder {folder}/file cannot be used",
    ),
    "an archive on a disk that is not mounted": (
        {"PLATEAU_ARCHIVE": "file://{folder}/disk"},
        3,
        "the archive file://{folder}/disk cannot be used: there is no such folder",
    ),
    "a misspelt setting": ({"PLATEAU_PROT": "8000"}, 2, "PLATEAU_PROT is no setting; set PLATEAU_PORT"),
    "a number in words": ({"PLATEAU_WORKERS": "two"}, 2, "PLATEAU_WORKERS is 'two'; allowed: a whole number"),
    "no Redis": ({"REDIS_URL": "redis://127.0.0.1:1/0"}, 3, "Redis at redis://127.0.0.1:1/0 does not answer"),
    "a cluster without a queue": ({"REDIS_URL": "redis+cluster://127.0.0.1:1"}, 2, "QUEUE_URL must be set too"),
    "no file of keys": ({"PLATEAU_SIGNING_KEYS": "{folder}/keys"}, 2, "the file cannot be read: No such file"),
    "a mail server without a sender": (
        {"PLATEAU_SMTP_URL": "smtp://127.0.0.1"},
        2,
        "PLATEAU_MAIL_FROM must be set too",
    ),
    "two places for the games": (
        {"PLATEAU_MEMORY": "1", "REDIS_URL": "redis://127.0.0.1:1/0"},
        2,
        "exclude each other",
    ),
}
"""What is wrong, the exit code, and words of the line. Other tests have an old Redis, a full disk and a wrong clock."""


@pytest.mark.long
@pytest.mark.parametrize("wrong", WRONG_INSTALLATIONS)
def test_a_wrong_installation_ends_with_one_line_that_names_it(wrong: str, tmp_path: Path) -> None:
    settings, code, words = WRONG_INSTALLATIONS[wrong]
    (tmp_path / "file").touch()
    with socket.create_server(("127.0.0.1", 0)) as other:
        places = {"folder": str(tmp_path), "taken": str(other.getsockname()[1])}
        env = {name: text.format_map(places) for name, text in settings.items()}
        service = RunningService(tmp_path, env)
        service.start(wait=False)
        assert service.wait() == code, service.errors
    assert service.errors.startswith("plateau: ")
    assert words.format_map(places) in service.errors
    assert service.errors.count("\n") == 1
