"""The dependency audit: a known vulnerability makes it fail; a missing network is reported and does not."""

import contextlib
import json
import re
import socket
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.audit import audited, is_in_range
from tests.support.processes import free_port
from tests.support.server import ROOT

DEV, RUN = ROOT / "requirements-dev.lock", ROOT / "requirements.lock"
BROKEN_FLASK = {
    "id": "GHSA-0000-0000-0000",
    "aliases": ["CVE-2026-0001"],
    "summary": "Sessions open by themselves.",
    "details": "They do.",
    "affected": [
        {
            "package": {"name": "flask", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.1"}]}],
        }
    ],
}


@pytest.fixture
def database():
    """A local database of vulnerabilities: its entries by library, and the libraries that were looked up."""

    class Database(BaseHTTPRequestHandler):
        known, asked, status = {}, [], 200

        def do_POST(self):
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.asked.append(f"{query['package']['name']}=={query['version']}")
            body = json.dumps({"vulns": self.known.get(query["package"]["name"], [])}).encode()
            self.send_response(self.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Database)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    Database.url = f"http://127.0.0.1:{server.server_port}/v1/query"
    yield Database
    server.shutdown()
    server.server_close()
    thread.join()


def audit(url, *more):
    command = [sys.executable, "-m", "tests.audit", "--url", url, *map(str, more)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def names(lock):
    return set(re.findall(r"^([a-z0-9._-]+==[^ ;]+)", lock.read_text(), re.MULTILINE))


def test_every_library_of_the_lock_file_is_asked_for_and_all_is_well(database):
    ran = audit(database.url)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert set(database.asked) == names(DEV)
    assert f"No known vulnerability in the {len(names(DEV))} libraries of requirements-dev.lock" in ran.stdout


def test_a_known_vulnerability_fails_and_is_named_with_its_way_out(database):
    database.known["flask"] = [BROKEN_FLASK]
    ran = audit(database.url, "--lock", RUN)
    assert ran.returncode == 1
    assert re.search(r"flask [\d.]+: \S+ .*mended in 99\.1", ran.stderr)
    assert "CVE-2026-0001" in ran.stderr
    assert "GHSA-0000-0000-0000" in ran.stderr


def test_a_database_out_of_reach_is_said_and_does_not_fail():
    ran = audit(f"http://127.0.0.1:{free_port()}/v1/query")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("NOT AUDITED: http://127.0.0.1:")


def ranged(*events: dict[str, str]) -> dict[str, object]:
    return {
        "package": {"name": "Flask", "ecosystem": "PyPI"},
        "ranges": [{"type": "ECOSYSTEM", "events": list(events)}],
    }


@pytest.mark.parametrize(
    ("affected", "code"),
    [
        (BROKEN_FLASK["affected"][0], 1),
        (ranged({"introduced": "0"}, {"fixed": "1.0"}, {"introduced": "3.0"}), 1),
        (ranged({"introduced": "0"}, {"fixed": "1.0"}), 0),
        (ranged({"introduced": "0"}, {"last_affected": "0.9"}), 0),
        (ranged({"introduced": "99"}), 0),
        ({"package": {"name": "flask", "ecosystem": "npm"}, "versions": ["3.1.2"]}, 0),
    ],
)
def test_a_copy_of_the_database_is_enough_without_a_network(tmp_path, affected, code):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as copy:
        copy.writestr("a.json", json.dumps({**BROKEN_FLASK, "modified": "2026-11-01", "affected": [affected]}))
        copy.writestr("b.json", json.dumps({**BROKEN_FLASK, "withdrawn": "2026-01-01"}))
    ran = audit("http://127.0.0.1:1", "--lock", RUN, "--database", tmp_path / "all.zip")
    assert ran.returncode == code
    assert ("flask" in ran.stderr.lower() and "CVE-2026-0001" in ran.stderr) == bool(code)
    assert ("until 2026-11-01 in the" in ran.stdout) != bool(code)


@pytest.mark.parametrize(
    "status", [403, *(pytest.param(each, marks=pytest.mark.long) for each in (400, 404, 429, 500, 503))]
)
def test_a_database_that_answers_with_an_error_fails(database, status):
    database.status = status
    ran = audit(database.url, "--lock", RUN)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(rf"NOT AUDITED: {database.url} answered with an error: {status} .*\n", ran.stderr)


@pytest.mark.parametrize("waiting", [0, pytest.param(5, marks=pytest.mark.long)])
def test_a_database_that_does_not_answer_in_time_is_said_and_does_not_fail(monkeypatch, waiting):
    """It takes no connection at all (Linux) while others fill its queue; or it takes one and says nothing."""
    monkeypatch.setattr("tests.audit.SECONDS", 1)
    with contextlib.ExitStack() as opened:
        silent = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0 if waiting else 100))
        for _ in range(waiting):
            client = opened.enter_context(socket.socket())
            client.settimeout(0)
            client.connect_ex(silent.getsockname())
        code, lines = audited(RUN, f"http://127.0.0.1:{silent.getsockname()[1]}/v1/query")
    assert (code, lines[0].partition(":")[0]) == (0, "NOT AUDITED"), lines


@pytest.mark.parametrize(
    "text", ["flask\n", *(pytest.param(each, marks=pytest.mark.long) for each in ("", "flask==3.1.0\n"))]
)
def test_a_lock_file_that_cannot_be_audited_fails(database, tmp_path, text):
    lock = tmp_path / "some.lock"
    lock.write_text(text)
    ran = audit(database.url, "--lock", lock)
    assert ran.returncode == 2
    assert "some.lock" in ran.stderr


@pytest.mark.parametrize(
    ("version", "events", "is_within"),
    [
        ("3.1.2", [{"introduced": "3.0"}, {"introduced": "0"}, {"fixed": "1.0"}, {"limit": "*"}], True),
        ("2.0", [{"introduced": "3.0"}, {"introduced": "0"}, {"fixed": "1.0"}], False),
        ("2.0", [{"introduced": "soon"}], True),
    ],
)
def test_bounds_count_in_the_order_of_versions_and_an_unreadable_one_as_a_vulnerability(version, events, is_within):
    assert is_in_range(version, events) is is_within
