"""Games over TLS, on a real server that knows it: with an authority of one's own, and with certificates for clients."""

import datetime
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import trustme
import yaml
from click.testing import CliRunner

from service.cli.admin import admin
from service.cli.keys import keys
from service.cli.upkeep import doctor
from service.config.setting_fields import place_of
from service.config.settings import Settings
from service.runtime.store_check import check_stores
from service.store.event_store import StoreUnavailable
from service.store.redis.redis_rights import BACKUP, DOCTOR, GAMES, RESTORE, WEB
from service.store.redis.redis_server import StoreMisconfigured
from tests.service.store.redis_users import FILE
from tests.support.clusters import RealCluster
from tests.support.people import Client
from tests.support.processes import free_port
from tests.support.server import PATIENCE, PROGRAMS, ROOT, RealServer, is_up, running_service, wait_until

BOT = {"bot": "random"}


class Certificates:
    """An authority, another one that nobody knows, and what they signed; each pair is a certificate and its key."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        own, stranger = trustme.CA(), trustme.CA()
        self.folder = folder
        self.authority, self.other_authority = folder / "ca.pem", folder / "other-ca.pem"
        own.cert_pem.write_to_path(self.authority)
        stranger.cert_pem.write_to_path(self.other_authority)
        self.server = self._written("server", own.issue_cert("127.0.0.1", "localhost"))
        self.named = self._written("named", own.issue_cert("localhost"))
        self.elsewhere = self._written("elsewhere", own.issue_cert("redis.example"))
        a_day_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)  # noqa: TID251 - not a game's
        self.expired = self._written("expired", own.issue_cert("127.0.0.1", not_after=a_day_ago))
        self.client = self._written("client", own.issue_cert("plateau"))
        self.stranger = self._written("stranger", stranger.issue_cert("plateau"))

    def _written(self, name: str, made: trustme.LeafCert) -> tuple[Path, Path]:
        certificate, key = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        certificate.write_bytes(b"".join(each.bytes() for each in made.cert_chain_pems))
        made.private_key_pem.write_to_path(key)
        return certificate, key


class TlsServer:
    """A server that is reached over TLS alone; ``url`` names the authority and shows a client's certificate."""

    def __init__(self, program: Path, made: Certificates, shown: tuple[Path, Path], *, asks: bool = True) -> None:
        self.made = made
        self.place = f"rediss://127.0.0.1:{free_port()}/0"
        port = self.place.removesuffix("/0").rpartition(":")[2]
        tls = ["--tls-port", port, "--tls-cert-file", str(shown[0]), "--tls-key-file", str(shown[1])]
        asked = ["--tls-ca-cert-file", str(made.authority), "--tls-auth-clients", "yes" if asks else "no"]
        kept = ["--dir", str(made.folder), "--save", "", "--appendonly", "yes", "--aof-load-truncated", "no"]
        listening = [str(program), "--port", "0", "--bind", "127.0.0.1", *tls, *asked, *kept]
        self._process = subprocess.Popen(listening, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self.said = b""
        wait_until(self._is_up, "the server")

    def _is_up(self) -> bool:
        assert self._process.stdout is not None
        self.said += self._process.stdout.read() or b""
        return b"Ready to accept connections" in self.said or self._process.poll() is not None

    @property
    def knows_tls(self) -> bool:
        """Whether the program was built with it."""
        return self._process.poll() is None

    def url(self, *, authority: Path | None = None, shows: tuple[Path, Path] | None = None) -> str:
        """Return the address with an authority to trust and a certificate to show."""
        trusted = f"?ssl_ca_certs={authority or self.made.authority}"
        return f"{self.place}{trusted}" + (f"&ssl_certfile={shows[0]}&ssl_keyfile={shows[1]}" if shows else "")

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE)


class Starting:
    """Starts servers; a program without TLS skips the test."""

    def __init__(self, kind: str, made: Certificates) -> None:
        self.made = made
        self.kind, self.program = kind, PROGRAMS[kind]
        self.running: list[TlsServer] = []

    def __call__(self, shown: tuple[Path, Path] | None = None, *, asks: bool = True) -> TlsServer:
        server = TlsServer(self.program, self.made, shown or self.made.server, asks=asks)
        self.running.append(server)
        if not server.knows_tls:
            pytest.skip(f"{self.program} was built without TLS")
        return server


@pytest.fixture(params=PROGRAMS)
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Starting]:
    starting = Starting(request.param, Certificates(tmp_path / "certificates"))
    yield starting
    for server in starting.running:
        server.stop()


def refusal(url: str) -> str:
    """The line with which a command ends."""
    with pytest.raises(StoreUnavailable) as refused:
        check_stores(Settings(), url, place_of(url), with_queue=True)
    line = str(refused.value)
    assert line.startswith(f"Redis at {place_of(url)} does not answer as it should: ")
    assert "\n" not in line
    return line


@pytest.mark.long
def test_games_are_played_over_tls_with_a_certificate_on_both_sides(start: Starting, tmp_path: Path) -> None:
    server = start()
    url = server.url(shows=start.made.client)
    with running_service(tmp_path, {"REDIS_URL": url, "PLATEAU_WORKERS": "1"}) as service:
        assert server.place in service.output
        assert "client.key" not in service.output
        ada = Client(service.url)
        bots = ada.begin([BOT] * 3)
        wait_until(lambda: ada.ask("GET", f"/v1/games/{bots}")[1]["status"] == "finished", "the bots", 2 * PATIENCE)
        listed = CliRunner().invoke(keys, ["list"], env={"REDIS_URL": url})
        assert (listed.exit_code, listed.output.count("signs now")) == (0, 1)


def node_with(made: Certificates) -> type[RealServer]:
    """Make servers for a cluster that speak TLS alone, with clients and with each other, and announce their name."""
    name = "LOCALHOST"  # redis-py takes localhost for an address
    certificate, key = made.named
    shown = f"?ssl_ca_certs={made.authority}&ssl_certfile={made.client[0]}&ssl_keyfile={made.client[1]}"
    tls = ["--tls-cert-file", str(certificate), "--tls-key-file", str(key), "--tls-ca-cert-file", str(made.authority)]
    announced = ["--cluster-announce-hostname", name, "--cluster-preferred-endpoint-type", "hostname"]

    class Node(RealServer):
        def __init__(self, command: Sequence[str], url: str, folder: Path, socket_folder: Path | None) -> None:
            place = command.index("--port") + 1
            listening = [*command[:place], "0", "--tls-port", *command[place:], "--tls-cluster", "yes"]
            url = f"rediss://{name}:{command[place]}/0{shown}"
            super().__init__([*listening, "--tls-replication", "yes", *tls, *announced], url, folder, socket_folder)

    return Node


@pytest.mark.long
def test_games_are_played_on_a_cluster_over_tls_whose_nodes_are_known_by_name(start: Starting, tmp_path: Path) -> None:
    start()  # is skipped if the program does not know TLS
    cluster = RealCluster(start.kind, tmp_path / "cluster", replicas=1, server=node_with(start.made))
    queue = RealServer.start("valkey", tmp_path / "queue", tcp=True, appendonly=False)
    nodes = ",".join(node.server.url.partition("//")[2].partition("/")[0] for node in cluster.nodes)
    url = f"rediss+cluster://{nodes}?{cluster.nodes[0].server.url.partition('?')[2]}"
    with running_service(tmp_path, {"REDIS_URL": url, "QUEUE_URL": queue.url, "PLATEAU_WORKERS": "1"}) as service:
        ada = Client(service.url)
        bots = ada.begin([BOT] * 3)
        wait_until(lambda: ada.ask("GET", f"/v1/games/{bots}")[1]["status"] == "finished", "the bots", 2 * PATIENCE)
        examined = CliRunner().invoke(doctor, env={"REDIS_URL": url, "QUEUE_URL": queue.url})
        assert (examined.exit_code, examined.output) == (0, "nothing is wrong\n")
    cluster.stop()
    queue.stop()


def test_a_server_that_asks_for_no_certificate_needs_the_authority_alone(start: Starting) -> None:
    server = start(asks=False)
    assert check_stores(Settings(), server.url(), "here", with_queue=True)


def test_a_certificate_that_is_missing_or_unknown_is_said_with_what_to_do(start: Starting) -> None:
    server = start()
    for shown in (None, start.made.stranger):
        assert "it wants a certificate of this client that it trusts" in refusal(server.url(shows=shown))
    mixed = (start.made.client[0], start.made.stranger[1])
    assert "the key of ?ssl_keyfile does not belong to the certificate" in refusal(server.url(shows=mixed))


def test_an_authority_that_does_not_fit_is_said_with_what_to_do(start: Starting) -> None:
    server = start()
    unknown = server.url(authority=start.made.other_authority, shows=start.made.client)
    for url in (unknown, server.place):
        assert "name the authority with ?ssl_ca_certs=/path" in refusal(url)


def test_a_certificate_for_another_name_or_an_old_one_is_said_with_what_to_do(start: Starting) -> None:
    named = start(start.made.elsewhere)
    assert "its certificate is for another name: use that one in the address" in refusal(named.url())
    old = start(start.made.expired)
    assert "its certificate has expired: renew it" in refusal(old.url())


def test_an_address_without_tls_is_mended_in_words(start: Starting) -> None:
    server = start()
    assert "if it uses TLS, write rediss:// instead of redis://" in refusal(server.place.replace("rediss", "redis"))


def paste(folder: Path, *names: str, of: str = "store", port: int = 6379, but: str = "", then: str = "") -> str:
    """Run blocks of a page for operators in a folder, as pasted into a shell, with another port.

    ``but`` comes before them, to put functions in the place of programs.
    """
    page = (ROOT / f"docs/operations/{of}.md").read_text()
    blocks = [re.findall(rf"<!-- test: {name} -->\n```sh\n(.*?)```", page, re.DOTALL)[0] for name in names]
    script = "\n".join([but, *blocks, then]).replace("6379", str(port))
    return subprocess.run(["bash", "-euc", script], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture
def pasted(start: Starting, tmp_path: Path) -> Path:
    """A folder with the files that the page makes."""
    start(asks=False)  # is skipped if the program does not know TLS
    (tmp_path / "docs").mkdir()
    shutil.copy(FILE, tmp_path / "docs")
    paste(tmp_path, "tls")
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "tls").iterdir()} == {0}
    return tmp_path


def test_the_compose_file_with_tls_and_users_fits_the_files_that_the_page_makes(start: Starting, pasted: Path) -> None:
    variables = dict(line.split("=") for line in (pasted / ".env").read_text().split())
    text = (ROOT / "docker-compose.secure.yml").read_text().replace("/tls/", f"{pasted}/tls/")
    services = yaml.safe_load(re.sub(r"\$\{(\w+):\?\}", lambda name: variables[name[1]], text))["services"]
    port = str(free_port())
    program, *options = services["redis"]["command"].replace("--tls-port 6379", f"--tls-port {port}").split()
    assert program == "redis-server"
    server = subprocess.Popen([start.program, *options, "--dir", str(pasted)], stdout=subprocess.DEVNULL)
    try:
        for name, needs in (("web", WEB), ("dispatcher", GAMES), ("courier", GAMES), ("worker", GAMES)):
            url = services[name]["environment"]["REDIS_URL"]
            assert "@redis:6379/" in url
            assert "DNS:redis" in names_in_the_certificate(pasted)
            here = url.replace("redis:6379", f"127.0.0.1:{port}")
            wait_until(lambda here=here: is_up(here), name)
            check_stores(Settings(), here, "here", with_queue=name != "web", needs=needs)
            if name == "web":
                with pytest.raises(StoreMisconfigured, match=r"add to the user's ACL: .*\+xreadgroup"):
                    check_stores(Settings(), here, "here", with_queue=False)
    finally:
        server.kill()
        server.wait()


def names_in_the_certificate(folder: Path) -> str:
    words = ["openssl", "x509", "-in", "tls/server.pem", "-noout", "-ext", "subjectAltName"]
    return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout


def test_a_server_with_tls_and_users_starts_without_docker_as_the_page_prints_it(start: Starting, pasted: Path) -> None:
    port = free_port()
    paste(pasted, "tls-server", port=port, but="redis-server() { :; }")
    server = subprocess.Popen([start.program, "redis/redis.conf", "--daemonize", "no"], cwd=pasted)
    try:
        show = 'printf "%s\\n" "$WEB_URL" "$WORKER_URL" "$REDIS_URL"'
        web, worker, admin_url = paste(
            pasted, "tls-service", "tls-doctor", port=port, but="plateau() { :; }", then=show
        ).split()
        wait_until(lambda: is_up(admin_url), "the server")
        check_stores(Settings(), web, "here", with_queue=False, needs=WEB)
        check_stores(Settings(), worker, "here", with_queue=True, needs=GAMES)
        if shutil.which("redis-cli"):
            assert paste(pasted, "rights", of="upgrading", port=port) == "OK\n"
        for needs in (BACKUP, RESTORE, DOCTOR):
            check_stores(Settings(), admin_url, "here", with_queue=True, needs=needs)
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize("command", [[keys, "list"], [admin, "token", "pl_0123456789abcdef"]])
def test_commands_of_operators_say_what_is_wrong_too(command: list[object], tmp_path: Path) -> None:
    server = RealServer.start(
        "valkey", tmp_path / "data", tcp=True, extra=["--requirepass", "hush-hush"], user=":hush-hush"
    )
    group, *words = command
    for url, advice in (
        (server.url.replace("hush-hush", "wrong"), "the user or the password is wrong"),
        (server.url.replace(":hush-hush@", ""), "it requires a password"),
    ):
        result = CliRunner().invoke(group, words, env={"REDIS_URL": url})
        assert (result.exit_code, advice in result.output) == (3, True), result.output
    server.stop()
