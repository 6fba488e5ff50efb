"""The fuzzers work: a short run of each finds nothing, does much, and would notice what it looks for."""

import random
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from service.games.projections import representations
from tests.fuzz import worlds
from tests.fuzz.report import Report
from tests.fuzz.running import FUZZERS
from tests.fuzz.sockets import Sockets
from tests.fuzz.worlds import NOT_OF_A_GAME, Worlds
from tests.support.processes import PATIENCE
from tests.support.sampling import part
from tests.support.server import ROOT

ENOUGH = {
    "spec": {"requests": 30, "accepted": 10},
    "sockets": {"conversations": part(300), "refusals": part(100), "signs of life": 1, "torn bodies": part(50)},
    "worlds": {"questions": 200, "worlds": 3, "worlds that differ": 3},
}
"""How much a short run does, however long that takes."""


@pytest.mark.parametrize(
    "name", [name if name == "sockets" else pytest.param(name, marks=pytest.mark.long) for name in FUZZERS]
)
def test_a_short_run_does_its_work_and_finds_nothing(name, tmp_path):
    report = Report(name, 4 * PATIENCE, is_loud=False, enough=ENOUGH[name])
    FUZZERS[name](report, 1, tmp_path)
    assert (report.findings, report.missing) == ({}, {})


@pytest.mark.long
def test_make_fuzz_runs_the_fuzzers_it_is_given_and_prints_progress():
    command = [sys.executable, "-m", "tests.fuzz", "sockets", "worlds", "--seconds", "2", "--seed", "7"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.startswith("seed 7, 2 s for sockets, worlds\n")
    assert {*re.findall(r"(\w+) +\d+ s .*; 0 findings", ran.stdout)} == {"sockets", "worlds"}
    wrong = subprocess.run([*command[:3], "nothing"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert wrong.returncode == 2
    assert "there is no fuzzer nothing" in wrong.stderr


def test_every_operation_is_asked_in_both_worlds_but_those_with_a_reason():
    compared = Worlds(Report("worlds", 0, is_loud=False), 2)
    compared.run()
    operations = {each["operationId"] for path in compared.document["paths"].values() for each in path.values()}
    game = worlds.playing("plateau", 2, 1)
    steps = [step for step in game if step.game.status == "active"][:4]
    questions = [
        *worlds.questions(
            steps[-1].game, min(steps[-1].game.pending), random.Random(1), [step.action for step in steps[1:]] * 2
        ),
        *worlds.more_questions(steps[-1].game, 0, random.Random(1)),
    ]
    asked = {worlds.operation_of(compared.document, method, path) for method, path, _, _ in questions}
    assert operations - asked == NOT_OF_A_GAME.keys()


@pytest.mark.long
def test_an_answer_that_tells_two_worlds_apart_is_found(monkeypatch):
    """A view that shows a card of seat 0 to everyone is such an answer."""
    view = representations.view

    def leak(game, viewer, **more):
        return {**view(game, viewer, **more), "hint": sorted(game.state.table.held[0])[:1]}

    monkeypatch.setattr(representations, "view", leak)
    monkeypatch.setattr(worlds, "TABLES", [("plute", 6)])
    monkeypatch.setattr("tests.support.contract.Contract.check", lambda *_: None)
    report = Report("worlds", 60, is_loud=False, most=1)
    Worlds(report, 1).run()
    assert "show_view tells two worlds apart" in report.findings


class Faulty(BaseHTTPRequestHandler):
    """A server that fails whenever a target is not plain."""

    def do_GET(self):
        self.send_response(500 if "%" in self.path else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Hasty(Faulty):
    """A server that answers a PATCH before it has the body."""

    def do_PATCH(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


def sockets_found(handler, *, alive=True):
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    report = Report("sockets", 60, is_loud=False, most=1)
    if not alive:
        server.shutdown()
        server.server_close()
    Sockets(report, 1, "127.0.0.1", server.server_port, "plt_0", "gm_0").run()
    if alive:
        server.shutdown()
        server.server_close()
    thread.join()
    return report.findings.keys()


def test_a_server_error_and_a_dead_service_are_found():
    assert "status 500" in sockets_found(Faulty)
    assert sockets_found(Faulty, alive=False) == {"no sign of life"}


def test_a_torn_body_that_is_taken_for_whole_is_found(monkeypatch):
    monkeypatch.setattr("tests.fuzz.sockets.conversation", lambda *_: b"GET /healthz HTTP/1.1\r\n\r\n")
    assert sockets_found(Hasty) == {"a torn body is taken for whole"}
