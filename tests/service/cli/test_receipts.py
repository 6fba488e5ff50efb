"""The commands that check receipts without a server, and replace the key that signs them."""

import json
from pathlib import Path
from typing import Any

import fakeredis
import pytest
from click.testing import Result

from service.common import wall_clock
from service.runtime import embedded_redis, running_store
from service.store.codec import Head
from service.store.redis.connections import connect
from service.transparency.key_file import keys_in
from service.transparency.key_ring import KeyRing, Receipts
from tests.support.commands import plateau

HEAD = Head("gm_x", 7, "a" * 64, "2026-01-01T00:00:00.000Z")


@pytest.fixture
def receipts() -> Receipts:
    return Receipts(KeyRing(fakeredis.FakeRedis(server=fakeredis.FakeServer()), wall_clock.now))


class Folder:
    """The files of somebody who keeps receipts and the keys of a server."""

    def __init__(self, place: Path, receipts: Receipts) -> None:
        self.place = place
        published = [{"key_id": each.key_id, "public_key": each.public_key} for each in receipts.ring.periods()]
        self.keys = self.file("keys.json", json.dumps({"keys": published}))

    def file(self, name: str, *lines: str) -> str:
        path = self.place / name
        path.write_text("\n".join(lines))
        return str(path)

    def verify(self, *files: str) -> Result:
        return plateau("verify-receipt", *files, "--keys", self.keys)


@pytest.fixture
def folder(tmp_path: Path, receipts: Receipts) -> Folder:
    return Folder(tmp_path, receipts)


def test_signed_receipts_are_told_one_by_one(folder: Folder, receipts: Receipts) -> None:
    kept = folder.file("kept", receipts.of(HEAD), "", receipts.of(Head("gm_x", 8, "b" * 64, HEAD.at)))
    done = folder.verify(kept)
    key = receipts.ring.key_id
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"{kept}:1: version 7 of gm_x: signed by {key}",
        f"{kept}:3: version 8 of gm_x: signed by {key}",
    ]


@pytest.mark.parametrize(
    ("part", "other", "named"), [("gm_x", "gm_y", "gm_y"), ("a" * 64, "b" * 64, "gm_x")], ids=["game", "hash"]
)
def test_a_forged_receipt_is_named_and_proves_nothing(
    folder: Folder, receipts: Receipts, part: str, other: str, named: str
) -> None:
    forged = receipts.of(HEAD).replace(part, other)
    done = folder.verify(folder.file("kept", receipts.of(HEAD), forged))
    assert done.exit_code == 1
    assert done.stdout.splitlines()[1].endswith(f"kept:2: version 7 of {named}: NOT SIGNED by any of these keys")
    assert "CONTRADICT" not in done.stdout


@pytest.mark.parametrize(
    ("other", "two"),
    [
        (Head("gm_x", 7, "b" * 64, HEAD.at), "hashes"),
        (Head("gm_x", 7, "a" * 64, "2026-01-01T00:00:00.001Z"), "times"),
    ],
    ids=["hashes", "times"],
)
def test_two_receipts_that_contradict_each_other_are_proof(
    folder: Folder, receipts: Receipts, other: Head, two: str
) -> None:
    mine, yours = folder.file("mine", receipts.of(HEAD)), folder.file("yours", receipts.of(other))
    done = folder.verify(mine, yours)
    assert done.exit_code == 4
    last = done.stdout.splitlines()[-1]
    assert last == f"{mine}:1 and {yours}:1 CONTRADICT each other: version 7 of gm_x has two {two}"


def test_each_statement_contradicts_the_first_one_once(folder: Folder, receipts: Receipts) -> None:
    said = [receipts.of(Head("gm_x", 7, digit * 64, HEAD.at)) for digit in "abc"]
    elsewhere = [receipts.of(Head("gm_x", version, "d" * 64, HEAD.at)) for version in range(8, 100)]
    done = folder.verify(folder.file("mine", *said, *said, *elsewhere, *elsewhere))
    told = [line for line in done.stdout.splitlines() if "CONTRADICT" in line]
    mine = folder.place / "mine"
    assert [line.split(" CONTRADICT")[0] for line in told] == [f"{mine}:1 and {mine}:{line}" for line in (2, 3)]


@pytest.mark.parametrize(("lines", "reason"), [([""], "has no receipt"), (["{}"], ":1: not a receipt")])
def test_a_file_without_receipts_is_refused(folder: Folder, lines: list[str], reason: str) -> None:
    done = folder.verify(folder.file("kept", *lines))
    assert done.exit_code == 2
    assert done.stderr.strip().endswith(reason)


def test_a_file_without_keys_is_refused(folder: Folder, receipts: Receipts) -> None:
    folder.keys = folder.file("keys.json", "[]")
    done = folder.verify(folder.file("kept", receipts.of(HEAD)))
    assert done.exit_code == 2
    assert "is not a list of keys" in done.stderr


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Any:
    server = fakeredis.FakeServer()
    monkeypatch.setattr(running_store, "connect", lambda _url: fakeredis.FakeRedis(server=server))
    return server


def run(command: str, **environ: str) -> Result:
    return plateau("keys", command, **{"REDIS_URL": "redis://localhost", **environ})


def test_a_key_is_replaced_and_stays_listed(store: Any) -> None:
    assert run("list").stdout == "", "to list keys makes none"
    KeyRing(fakeredis.FakeRedis(server=store), wall_clock.now).periods()
    (first,) = run("list").stdout.splitlines()
    old, new = run("rotate").stdout.splitlines()
    assert old.split()[:3] == first.split()[:3]
    assert (first[-9:], new[-9:]) == ("signs now", "signs now")
    assert old.split()[3] == new.split()[2]
    assert run("list").stdout.splitlines() == [old, new]


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    path = tmp_path / "keys.pem"
    path.write_text(
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB\n"
        "-----END PRIVATE KEY-----\n"
    )
    return str(path)


@pytest.mark.usefixtures("store")
def test_a_key_in_a_file_is_replaced_there(key_file: str) -> None:
    done = run("rotate", PLATEAU_SIGNING_KEYS=key_file)
    assert done.exit_code == 2
    assert "at the top of the file in PLATEAU_SIGNING_KEYS" in done.stderr


def test_a_command_that_does_not_know_the_file_of_the_service_changes_no_key(store: Any, key_file: str) -> None:
    own = keys_in(Path(key_file))
    service = KeyRing(fakeredis.FakeRedis(server=store), wall_clock.now, own)
    (period,) = service.periods()
    listed = run("list")
    assert (listed.exit_code, listed.stdout.split()[0]) == (0, period.key_id)
    refused = run("rotate")
    assert (refused.exit_code, "the service signs with a key from a file" in refused.stderr) == (2, True)
    assert service.periods() == [period]


def test_without_a_service_there_are_no_keys_to_list(store: Any, tmp_path: Path) -> None:
    store.connected = False
    assert run("list").exit_code == 3
    assert "no service runs on" in run("list", REDIS_URL="", PLATEAU_DATA=str(tmp_path)).stderr


def test_the_data_folder_of_a_service_can_have_any_name(tmp_path: Path) -> None:
    data = tmp_path / "50%20 of #1?"
    with embedded_redis.start(data) as engine, connect(engine.url) as client:
        KeyRing(client, wall_clock.now).periods()
        listed = run("list", REDIS_URL="", PLATEAU_DATA=str(data))
    assert (listed.exit_code, listed.stdout.strip()[-9:]) == (0, "signs now"), listed.stderr
