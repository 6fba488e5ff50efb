"""`plateau monitor` follows the log of heads of a service over HTTP, and notices when its history is another one."""

import threading

import pytest
from click.testing import CliRunner
from werkzeug.serving import make_server

from service.cli.main import main
from tests.service.api import test_heads
from tests.service.api.head_logging import log_heads
from tests.service.api.test_heads import begin, rewrite

logged, yesterdays = test_heads.logged, test_heads.yesterdays


@pytest.fixture
def monitor(server, yesterdays, tmp_path):
    """Look once at the service, with its key unless another one is given."""
    web = make_server("127.0.0.1", 0, server.app, threaded=True)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    (key,) = log_heads(server).public_keys().values()

    def look(*, url=f"http://127.0.0.1:{web.port}", key=key):
        options = ["--key", key, "--state", str(tmp_path / "root.json"), "--once"]
        shown = CliRunner().invoke(main, ["monitor", url, *options])
        return shown.exit_code, shown.output

    yield look
    web.shutdown()


def rebuild(server):
    """Do what an operator can: build the tree anew from the games as they are."""
    for key in [*server.redis.scan_iter("{heads}:*")]:
        server.redis.delete(key)
    log_heads(server)


def test_a_log_that_grows_is_consistent(server, ada, monitor):
    for leaves in (4, 5, 6):
        for _ in range(2):
            code, said = monitor()
            assert (code, f"{leaves} leaves" in said) == (0, True), said
        begin(ada)
        log_heads(server)


def test_a_service_that_rewrites_a_game_of_yesterday_is_caught(server, ada, monitor):
    assert monitor()[0] == 0
    rewrite(server, ada, "yesterday")
    begin(ada)
    rebuild(server)
    for _ in range(2):  # it stays caught: the root from before is kept
        code, said = monitor()
        assert (code, "do not begin with the 4 of" in said) == (4, True), said


def test_a_log_that_became_shorter_is_caught(server, ada, monitor):
    begin(ada)
    log_heads(server)
    assert monitor()[0] == 0
    for key in server.redis.scan_iter("*:summaries"):
        server.redis.delete(key)
    begin(ada)
    rebuild(server)
    code, said = monitor()
    assert (code, "and has 1 now" in said) == (4, True), said


def test_a_root_that_is_not_signed_with_the_trusted_key_is_caught(monitor):
    code, said = monitor(key="ab" * 32)
    assert (code, "not signed with a trusted key" in said) == (4, True), said


def test_no_service_and_no_key_are_told_apart(monitor):
    assert monitor(url="http://127.0.0.1:9")[0] == 3
    assert monitor(key="abc")[0] == 2
