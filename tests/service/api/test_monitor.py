"""`plateau monitor` follows the log of heads of a service over HTTP, and notices when its history is another one."""

import json

import fakeredis
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from domain.game.durations import instant, moment
from domain.log import merkle
from service.cli import monitor as command
from service.store import keys
from service.transparency.signatures import public_half, root_in
from tests.support.people import ME, OPEN, Server
from tests.support.signing import key_of
from tests.support.transparency import BROKEN, Monitor, begin, log_heads, rewrite


@pytest.fixture
def monitor(server, yesterdays, tmp_path):
    """A monitor, with the key of the service unless another one is given."""
    it = Monitor(server, tmp_path)
    yield it
    it.web.shutdown()


def rebuild(server):
    """Do what an operator can: build the tree again from the games as they are."""
    for key in [*server.redis.scan_iter("{heads}:*")]:
        server.redis.delete(key)
    log_heads(server)


def test_a_log_that_grows_is_consistent(server, ada, monitor):
    for leaves in (4, 5, 6):
        for _ in range(2):
            code, said = monitor.look()
            assert (code, f"{leaves} leaves" in said) == (0, True), said
        begin(ada)
        log_heads(server)


def test_a_root_that_is_dated_before_the_one_that_was_kept_is_caught(server, ada, monitor):
    assert monitor.look()[0] == 0
    root = json.loads(monitor.state.read_bytes())
    for later, code in ((60_000, 0), (3_600_000, 4)):
        monitor.state.write_bytes(json.dumps(root | {"at": moment(instant(root["at"]) + later)}).encode())
        assert monitor.look()[0] == code
    assert "is dated" in monitor.proofs()[0]["caught"]


def test_a_log_that_became_shorter_is_caught(server, ada, monitor):
    begin(ada)
    log_heads(server)
    assert monitor.look()[0] == 0
    for key in server.redis.scan_iter("*:summaries"):
        server.redis.delete(key)
    begin(ada)
    rebuild(server)
    code, said = monitor.look()
    assert (code, "and has 1 now" in said) == (4, True), said


def test_a_root_that_is_not_signed_with_the_trusted_key_is_caught(monitor):
    code, said = monitor.look(key="ab" * 32)
    assert (code, "not signed with a trusted key" in said) == (4, True), said


def test_no_service_and_no_key_are_told_apart(monitor):
    assert monitor.look(url="http://127.0.0.1:9")[0] == 3
    for key in ("abc", "zz" * 32, "ab " * 21 + "a"):
        assert monitor.look(key=key)[0] == 2


def test_both_roots_and_the_proof_that_fails_are_written_down_for_others(server, ada, monitor):
    assert monitor.look()[0] == 0
    rewrite(server, ada, "yesterday")
    begin(ada)
    rebuild(server)
    said = monitor.look()[1]
    (proof,) = monitor.proofs()
    assert f"The proof is in {next(monitor.state.parent.glob('*.caught-*'))}." in said
    kept, new = root_in(proof["kept"]), root_in(proof["answers"][0]["answer"])
    assert all(root.is_signed(monitor.keys) for root in (kept, new))
    parts = [bytes.fromhex(part) for part in proof["answers"][1]["answer"]["proof"]]
    roots = bytes.fromhex(kept.root), bytes.fromhex(new.root)
    assert not merkle.is_consistent(kept.size, roots[0], new.size, roots[1], parts)
    monitor.look()
    assert monitor.proofs() == [proof], "the same proof is one file"


def test_a_log_that_disappears_is_caught(server, monitor):
    assert monitor.look()[0] == 0
    for key in [*server.redis.scan_iter("{heads}:*")]:
        server.redis.delete(key)
    code, said = monitor.look()
    assert (code, "and is gone" in said) == (4, True), said
    assert "refused" in monitor.proofs()[0]["answers"][0]


def test_a_service_that_has_no_log_yet_is_not_caught(server, monitor):
    for key in [*server.redis.scan_iter("{heads}:*")]:
        server.redis.delete(key)
    assert monitor.look()[0] == 1


def test_a_service_that_refuses_the_proof_is_caught(server, ada, monitor):
    assert monitor.look()[0] == 0
    begin(ada)
    log_heads(server)
    root = monitor.state.read_bytes()
    monitor.state.write_bytes(json.dumps({**json.loads(root), "size": 99}).encode())
    assert monitor.look()[0] == 4
    monitor.state.write_bytes(root)
    assert monitor.look()[0] == 0


def test_a_monitor_continues_through_silence_and_busy_hours(server, ada, monitor, monkeypatch):
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 6:
            rewrite(server, ada, "yesterday")
            begin(ada)
            rebuild(server)

    monkeypatch.setattr(command.time, "sleep", sleep)
    monitor.first = ["503 Service Unavailable", "429 Too Many Requests", BROKEN, "503 Service Unavailable"]
    code, said = monitor.look("--every", "30")
    assert (code, said.count("it is asked again"), said.count("signed, and consistent")) == (4, 4, 2), said
    assert waits == [5, 10, 20, 30, 30, 30]


@pytest.mark.parametrize("change", [{"size": "4"}, {"size": True}, {"root": None}, {"root": "ab"}, {"at": 5}])
def test_a_file_of_something_else_is_named_and_left_alone(monitor, change):
    assert monitor.look()[0] == 0
    written = json.dumps({**json.loads(monitor.state.read_bytes()), **change})
    for content in (written, "", "[]", "4"):
        monitor.state.write_text(content)
        code, said = monitor.look()
        assert (code, "is not a file of this command" in said) == (2, True), said
        assert monitor.state.read_text() == content


@pytest.fixture
def key_file(tmp_path):
    """A file with the key of a witness; and its public half."""
    key = key_of("wanda")
    path = tmp_path / "wanda.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path, public_half(key)


def test_a_witness_cosigns_what_continues_from_the_last_root(server, ada, stranger, monitor, key_file):
    path, wanda = key_file
    for _ in range(2):
        assert monitor.look("--once", "--cosign", str(path))[0] == 0
        shown = stranger.get("/v1/heads").json
        assert [each["witness"] for each in shown["cosignatures"]] == [wanda]
        assert root_in(shown).is_cosigned(wanda, shown["cosignatures"][0]["signature"])
        begin(ada)
        log_heads(server)


def test_a_witness_does_not_cosign_a_rewritten_history(server, ada, stranger, monitor, key_file):
    path, _ = key_file
    assert monitor.look("--once", "--cosign", str(path))[0] == 0
    rewrite(server, ada, "yesterday")
    begin(ada)
    rebuild(server)
    assert monitor.look("--once", "--cosign", str(path))[0] == 4
    assert stranger.get("/v1/heads").json["cosignatures"] == []


def heads_of(server):
    """Return the whole log of heads, as an operator can put it back later."""
    return {key: server.redis.dump(key) for key in server.redis.scan_iter("{heads}:*")}


def fork(server, heads):
    """Do what an operator can: continue from an earlier log of heads with the games as they are now."""
    for key in [*server.redis.scan_iter("{heads}:*")]:
        server.redis.delete(key)
    for key, content in heads.items():
        server.redis.restore(key, 0, content)
    server.redis.delete(keys.HEAD_ROUND)
    log_heads(server)


def test_a_witness_signs_one_history_also_while_it_waits_for_others(server, ada, stranger, monitor, key_file):
    path, wanda = key_file
    options = ["--once", "--cosign", str(path), "--witness", public_half(key_of("walt"))]
    assert monitor.look("--once", "--cosign", str(path))[0] == 0
    counted, heads = monitor.state.read_bytes(), heads_of(server)
    ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]}, Idempotency_Key="later")
    log_heads(server)
    assert monitor.look(*options)[0] == 5
    signed = stranger.get("/v1/heads").json
    assert [each["witness"] for each in signed["cosignatures"]] == [wanda]
    assert monitor.state.read_bytes() == counted, "a root without its witnesses does not count"
    rewrite(server, ada, "later")
    fork(server, heads)
    other = stranger.get("/v1/heads").json
    assert (other["size"], other["root"] == signed["root"]) == (signed["size"], False)
    code, said = monitor.look(*options)
    assert (code, f"do not begin with the {signed['size']} of" in said) == (4, True), said
    assert stranger.get("/v1/heads").json["cosignatures"] == []
    assert root_in(monitor.proofs()[0]["kept"]) == root_in(signed)


def test_a_witness_keeps_a_root_before_it_signs_it(monitor, key_file):
    path, _ = key_file
    at_signing, app = [], monitor.app

    def watched(environ, respond):
        if environ["REQUEST_METHOD"] == "POST":
            at_signing.append(monitor.state.with_name("root.json.cosigned").read_bytes())
        return app(environ, respond)

    monitor.app = watched
    assert monitor.look("--once", "--cosign", str(path))[0] == 0
    assert at_signing == [monitor.state.read_bytes()]


def test_a_witness_that_cannot_keep_a_root_does_not_sign_it(stranger, monitor, key_file):
    path, _ = key_file
    monitor.state.with_name("root.json.cosigned.new").mkdir()
    code, said = monitor.look("--once", "--cosign", str(path))
    assert (code, "root.json.cosigned cannot be written" in said) == (2, True), said
    assert stranger.get("/v1/heads").json["cosignatures"] == []


def test_a_root_counts_only_once_enough_witnesses_have_cosigned_it(server, monitor, key_file, tmp_path):
    path, wanda = key_file
    other = tmp_path / "other"
    other.mkdir()
    walt = public_half(key_of("walt"))
    code, said = monitor.look("--once", "--witness", wanda)
    assert (code, "waits for 1 more" in said, monitor.state.exists()) == (5, True, False)
    witness = Monitor(server, other)
    assert witness.look("--once", "--cosign", str(path))[0] == 0
    witness.web.shutdown()
    assert monitor.look("--once", "--witness", wanda)[0] == 0
    assert monitor.state.exists()
    assert monitor.look("--once", "--witness", wanda, "--witness", walt)[0] == 5
    assert monitor.look("--once", "--witness", wanda, "--witness", walt, "--witnesses", "1")[0] == 0
    forged = [{"witness": walt, "signature": "00" * 64}, {"witness": walt}, "walt", None]
    monitor.more = {"cosignatures": forged}
    assert monitor.look("--once", "--witness", walt)[0] == 5


@pytest.fixture
def split(server, contract, closing):
    """Make what an operator can: a copy of the service, to show somebody else."""
    copies = []

    def copied():
        copies.append(Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract))
        for key in server.redis.scan_iter("*"):
            copies[-1].redis.restore(key, 0, server.redis.dump(key), replace=True)
        return copies[-1]

    yield copied
    for each in copies:
        closing.submit(each.players.close)


def test_a_split_view_is_found_by_the_witness_whom_both_readers_ask_for(split, ada, monitor, key_file, tmp_path):
    """The server keeps one tree for the witness and one reader, and another, consistent with itself, for the other."""
    path, wanda = key_file
    assert monitor.look("--once", "--cosign", str(path))[0] == 0
    second = split()
    rewrite(second, ada, "yesterday")
    rebuild(second)
    other = tmp_path / "other"
    other.mkdir()
    deceived = Monitor(second, other)
    assert deceived.look("--once")[0] == 0, "without the witness, nothing shows it"
    deceived.state.unlink()
    code, said = deceived.look("--once", "--witness", wanda)
    assert (code, "waits for 1 more" in said) == (5, True)
    deceived.web.shutdown()


def test_keys_and_witnesses_that_are_none_are_wrong_usage(monitor, key_file, tmp_path):
    for options in (["--cosign", str(tmp_path / "none")], ["--witness", "abc"], ["--witnesses", "1"]):
        assert monitor.look("--once", *options)[0] == 2
