"""What the pages for operators print works as pasted, with real servers, on other ports."""

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis
import trustme

from service.common import wall_clock
from service.store.event_store import EventStore
from service.store.redis.connections import connect
from service.transparency.key_ring import KeyRing
from tests.support.clusters import ask
from tests.support.documents import examples
from tests.support.games import ADA, spec
from tests.support.processes import free_port
from tests.support.server import PATIENCE, PROGRAMS, ROOT, RunningService, is_up, running_service, wait_until
from tests.support.wiring import Games


class Shell:
    """A folder into which somebody pastes what a page prints."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ports: dict[int, int] = {}

    def paste(self, page: str, *names: str, but: str = "", then: str = "") -> str:
        """Run examples of a page, with a free port for each that they name, and return what they print.

        ``but`` comes before them, to put functions in the place of programs.
        """
        printed = "\n".join(examples(f"docs/operations/{page}.md", name) for name in names)
        words = ["bash", "-euo", "pipefail", "-c", self.here("\n".join([but, printed, then]))]
        out = self.folder / "printed"
        with out.open("w") as file:  # a server that continues would keep a pipe open
            done = subprocess.run(
                words, cwd=self.folder, stdout=file, stderr=file, timeout=60, check=False, env=self._environment()
            )
        assert done.returncode == 0, out.read_text()
        return out.read_text()

    def here(self, text: str) -> str:
        """Put the free ports into a text."""
        return re.sub(r"\b(?:2?637\d|2?638\d|700\d)\b", lambda found: str(self.port(int(found[0]))), text)

    def port(self, printed: int) -> int:
        """Return the free port that stands for a port of the page."""
        if printed not in self._ports:  # a node of a cluster also uses the port that is greater by 10,000
            self._ports[printed] = next(port for port in iter(free_port, None) if port < 55_000)
        return self._ports[printed]

    def _environment(self) -> dict[str, str]:
        programs = Path(sys.executable).parent
        return os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "PLATEAU_DATA": str(self.folder / "data")}

    def end_servers(self) -> None:
        """End the servers whose logs are in the folder."""
        for log in self.folder.rglob("redis.log"):
            *_, last = re.findall(r"^(\d+):[MSX] ", log.read_text(), re.MULTILINE)
            with suppress(ProcessLookupError):
                os.kill(int(last), signal.SIGKILL)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    if "redis" not in PROGRAMS:
        pytest.skip("the pages start redis-server")
    pasted = Shell(tmp_path)
    yield pasted
    pasted.end_servers()


def test_a_server_of_ones_own_starts_as_printed_and_is_safe_for_games(shell: Shell) -> None:
    shell.paste("store", "own")
    url = shell.paste("store", "own-service", but="plateau() { :; }", then='echo "$REDIS_URL"').strip()
    wait_until(lambda: is_up(url), "the server")
    with connect(url) as client:
        assert EventStore(client).check() == []
        client.config_set("appendfsync", "no")
        (warning,) = EventStore(client).check()
    change, keep = re.findall(r"redis-cli .*?(?=, and|$)", warning)
    for command in (change, keep):
        subprocess.run(command, shell=True, check=True, capture_output=True)
    assert "appendfsync everysec" in (shell.folder / "redis/redis.conf").read_text()


def test_a_backup_is_made_and_restored_into_a_server_of_ones_own_as_printed(shell: Shell) -> None:
    shell.paste("store", "own")
    url = shell.here("redis://127.0.0.1:6379/0")
    wait_until(lambda: is_up(url), "the server")
    with connect(url) as client:
        store = EventStore(client)
        store.begin()
        KeyRing(client, wall_clock.now).periods()
        game_id = Games(store).create(ADA, spec([True] * 3))[0]
    told = shell.paste("backups", "backup", but=f"export REDIS_URL={url}")
    (key,) = re.findall("signed with the key ([0-9a-f]{64})", told)
    shell.paste("backups", "restore-own", but=f"KEY={key}")
    with connect(url) as client:
        game, _ = Games(EventStore(client)).look(game_id, ADA, None, None)
        assert game.id == game_id
    assert (shell.folder / "redis/appendonlydir.old").is_dir()


@pytest.mark.long
def test_a_backup_is_restored_into_a_new_data_folder_as_printed(shell: Shell) -> None:
    with running_service(shell.folder):
        told = shell.paste("backups", "backup")
    (key,) = re.findall("signed with the key ([0-9a-f]{64})", told)
    assert "restored as of" in shell.paste("backups", "restore", but=f"KEY={key}")
    assert {(shell.folder / name / "engine.json").exists() for name in ("data", "data.old")} == {True}


@pytest.mark.long
def test_a_service_follows_a_fail_over_of_the_printed_servers_and_sentinels(shell: Shell) -> None:
    shell.paste(
        "fail-over", "servers", but='redis-server() { command redis-server "$@" --repl-diskless-sync-delay 0; }'
    )
    shell.paste("fail-over", "sentinels")
    sentinel = shell.here("redis://127.0.0.1:26380/0")
    wait_until(lambda: is_up(sentinel), "a Sentinel")
    wait_until(lambda: len(ask(sentinel, "SENTINEL", "SENTINELS", "games")) == 2, "the other Sentinels")
    wait_until(lambda: len(ask(sentinel, "SENTINEL", "REPLICAS", "games")) == 2, "the replicas")
    show = 'printf "%s\\n" "$REDIS_URL" "$PLATEAU_REPLICAS"'
    url, replicas = shell.paste("fail-over", "sentinel-service", but="plateau() { :; }", then=show).split()
    with running_service(shell.folder, {"REDIS_URL": url, "PLATEAU_REPLICAS": replicas}) as service:
        wait_until(lambda: _accepts_players(service), "the replicas")
        ask(sentinel, "SENTINEL", "SET", "games", "down-after-milliseconds", "500")  # no test waits for five seconds
        shell.paste("fail-over", "kill")
        before = shell.here("6380")
        wait_until(lambda: before not in shell.paste("fail-over", "ask").split(), "another primary")
        wait_until(lambda: _accepts_players(service), "the service to follow")
        shell.paste("fail-over", "come-back")
        back = shell.here("redis://127.0.0.1:6380/0")
        wait_until(lambda: _is_replica(back), "the first server to be a replica")


@pytest.mark.long
def test_a_cluster_starts_as_printed_and_is_safe_for_games(shell: Shell) -> None:
    shell.paste("store", "own")
    shell.paste("cluster", "nodes")
    show = 'printf "%s\\n" "$REDIS_URL" "$QUEUE_URL"'
    url, queue = shell.paste("cluster", "cluster-service", but="plateau() { :; }", then=show).split()
    with running_service(shell.folder, {"REDIS_URL": url, "QUEUE_URL": queue}) as service:
        assert _accepts_players(service)
        assert "a cluster of" in service.output


@pytest.mark.skipif(shutil.which("nginx") is None, reason="the page is for operators who have nginx")
def test_nginx_accepts_the_printed_proxy(tmp_path: Path) -> None:
    page = (ROOT / "docs/operations/internet.md").read_text()
    proxy = re.findall(r"```nginx\n(.*?)```", page, re.DOTALL)[0]
    authority = trustme.CA()
    certificate = authority.issue_cert("play.example")
    certificate.private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    proxy = re.sub(r"/etc/letsencrypt/\S+\.pem", str(tmp_path / "both.pem"), proxy)
    proxy = proxy.replace("listen 443", f"listen {free_port()}")  # only root can listen on 443
    config = tmp_path / "nginx.conf"
    config.write_text(f"pid {tmp_path}/pid; error_log stderr;\nevents {{}}\nhttp {{\n{proxy}}}\n")
    words = ["nginx", "-t", "-p", str(tmp_path), "-c", str(config)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _is_replica(url: str) -> bool:
    try:
        return bool(ask(url, "ROLE")[0] == b"slave")
    except redis.ConnectionError:  # it starts, or a Sentinel ends its connections while it changes what it is
        return False


def _accepts_players(service: RunningService) -> bool:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{service.url}/v1/players", b'{"name": "Ada"}', headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE):
            return True
    except urllib.error.HTTPError as refusal:
        refusal.close()
        return False
