"""A backup that somebody else has made, or has changed: it is refused, and nothing of it is believed or written."""

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from domain.game.timeouts import ENDLESS
from service.accounts.players import Players
from service.backup import manifest as manifests
from service.backup.parts import BackupError, Folder
from service.backup.restoring import Restorer
from service.cli.backups import backup
from service.common import wall_clock
from service.store import keys
from service.store.redis.connections import connect
from service.transparency.key_ring import KeyRing
from service.transparency.signatures import key_id, public_half, sign
from tests.support.backups import SHARDS, back_up, played_store, restore

FORGER = Ed25519PrivateKey.generate()
PUBLIC = public_half(FORGER)


@pytest.fixture(scope="module")
def made(valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a store with a game and a player."""
    path = tmp_path_factory.mktemp("made") / "backups"
    with connect(valkey_url) as client:
        client.flushall()
        played_store(client, games=1)
        Players(client, wall_clock.now).create("Ada")
        back_up(client, path)
    return path


@pytest.fixture
def client(valkey_url: str) -> Iterator[redis.Redis]:
    """A client of an empty store."""
    with connect(valkey_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def folder(made: Path, client: redis.Redis, tmp_path: Path) -> Path:
    """A copy of the backup, to be changed."""
    shutil.copytree(made, tmp_path / "backups")
    return tmp_path / "backups"


def forge(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a manifest, and sign it with the key of the forger."""
    (path,) = folder.glob("*.manifest.json")
    statement = json.loads(path.read_text())
    del statement["signature"], statement["key_id"]
    statement["public_key"] = PUBLIC
    change(statement)
    signed = sign(FORGER, key_id(PUBLIC), "backup", statement)
    path.write_text(json.dumps({**signed.statement, "signature": signed.signature}))


def forge_part(folder: Path, kind: str, content: bytes, **stated: Any) -> None:
    """Replace the content of a part, with a manifest to match, but for what is ``stated``."""
    (path,) = folder.glob(f"*.{kind}.jsonl.gz")
    path.write_bytes(gzip.compress(content))
    size, digest = path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()
    facts = {"size": size, "sha256": digest, "lines": content.count(b"\n"), "unpacked": len(content), **stated}
    forge(folder, lambda said: next(each for each in said["parts"] if each["kind"] == kind).update(facts))


def restore_forged(client: redis.Redis, folder: Path) -> None:
    """Restore a backup as an operator does who trusts the forger's key."""
    place = Folder(folder)
    manifest = manifests.read(place, manifests.manifests(place)[-1], [PUBLIC])
    Restorer(client, SHARDS, ENDLESS).restore(place, manifest)


def test_a_backup_with_another_key_is_refused_by_the_name_of_the_key(client: redis.Redis, folder: Path) -> None:
    forge(folder, lambda said: said.update(players=2))
    (name,) = manifests.manifests(Folder(folder))
    with pytest.raises(BackupError, match=f"signed with the key {PUBLIC}, which is not trusted.*--key {PUBLIC}"):
        manifests.read(Folder(folder), name, [])
    assert client.dbsize() == 0


@pytest.mark.parametrize("field", ["store", "games", "damaged", "parts", "release", "key_id", "format"])
def test_a_changed_manifest_does_not_fit_its_signature(client: redis.Redis, folder: Path, field: str) -> None:
    (path,) = folder.glob("*.manifest.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: 7}))
    with pytest.raises(BackupError, match="its signature does not fit"):
        restore(client, folder)
    assert client.dbsize() == 0


def test_an_unsigned_manifest_is_damaged(client: redis.Redis, folder: Path) -> None:
    (path,) = folder.glob("*.manifest.json")
    content = json.loads(path.read_text())
    for missing in ("signature", "public_key", "key_id"):
        path.write_text(json.dumps({name: value for name, value in content.items() if name != missing}))
        with pytest.raises(BackupError, match=f"is damaged: '{missing}'"):
            manifests.read(Folder(folder), path.name.removesuffix(manifests.ENDING), [content["public_key"]])
    assert client.dbsize() == 0


@pytest.mark.parametrize(
    "name", ["../people.jsonl.gz", "/etc/passwd", "20260101T000000.000Z.people.jsonl.gz/../x", "x", ""]
)
def test_a_part_outside_the_folder_is_refused(client: redis.Redis, folder: Path, name: str) -> None:
    forge(folder, lambda said: said["parts"][0].update(name=name))
    with pytest.raises(BackupError, match="is not the name of a part"):
        restore_forged(client, folder)
    assert client.dbsize() == 0


def test_a_part_that_is_a_link_is_refused(client: redis.Redis, folder: Path, tmp_path: Path) -> None:
    (people,) = folder.glob("*.people.*")
    people.rename(tmp_path / "elsewhere")
    people.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BackupError, match=f"{people.name} cannot be read"):
        restore(client, folder)
    assert client.dbsize() == 0


def test_a_part_that_unpacks_to_more_than_is_stated_is_refused(client: redis.Redis, folder: Path) -> None:
    forge_part(folder, "logs", b" " * 2**26 + b"\n", unpacked=1000)
    with pytest.raises(BackupError, match="unpacks to more than 1000 bytes"):
        restore_forged(client, folder)
    assert client.dbsize() == 0


def a_line(key: str, kind: str = "string", value: Any = "x") -> bytes:
    return json.dumps({"key": key, "type": kind, "value": value}).encode() + b"\n"


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("service", a_line(keys.player("pl_evil"), "hash", [["name", "Evil"]])),
        ("service", a_line("somebody:else")),
        ("heads", a_line(keys.SIGNING_KEYS, "hash", [["0", "{}"]])),
        ("people", a_line(keys.SIGNING_KEYS, "hash", [["0", "{}"]])),
        ("people", a_line("{s00}:shards")),
        ("people", a_line("game:gm_1:events", "stream", [["1-0", [["e", "x"]]]])),
        ("people", a_line("game:../x:plans", "hash", [["a", "b"]])),
        ("answers", a_line("game:a}b:answer:x")),
        ("archived", b'["../../x", "1 0 2026-11-23T10:00:00.000Z"]\n'),
        ("logs", b'{"game": "x/y", "after": 0, "entries": []}\n'),
    ],
)
def test_a_part_with_keys_of_another_is_refused(client: redis.Redis, folder: Path, kind: str, line: bytes) -> None:
    forge_part(folder, kind, line)
    with pytest.raises(BackupError, match=r"does not belong|in place of the id of a game"):
        restore_forged(client, folder)
    assert not client.exists(keys.player("pl_evil"), "somebody:else")
    assert client.hget(keys.SIGNING_KEYS, "0") != b"{}"


def test_a_backup_is_not_continued_on_one_that_was_forged(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    back_up(client, tmp_path)
    forge(tmp_path, lambda said: said.update(players=2))
    with pytest.raises(BackupError, match=r"signed with .* which is not a key of this service"):
        back_up(client, tmp_path)


def test_a_service_with_its_key_in_a_file_signs_backups_with_it(valkey_url: str, tmp_path: Path) -> None:
    with connect(valkey_url) as client:
        client.flushall()
        played_store(client, games=1)
        KeyRing(client, wall_clock.now, [FORGER]).periods()
    env = {"REDIS_URL": valkey_url}
    result = CliRunner().invoke(backup, [str(tmp_path / "backups")], env=env)
    assert (result.exit_code, "PLATEAU_SIGNING_KEYS" in result.output) == (4, True)
    file = tmp_path / "keys.pem"
    file.write_bytes(FORGER.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    result = CliRunner().invoke(backup, [str(tmp_path / "backups")], env=env | {"PLATEAU_SIGNING_KEYS": str(file)})
    assert (result.exit_code, PUBLIC in result.output) == (0, True), result.output
