"""The keys of a store: one signs, all of them stay, and an operator can bring their own.

A file of private keys is read as it is, or refused with the reason.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import fakeredis
import pytest
import redis
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from domain.game.durations import moment
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from service.store.event_store import StoreUnavailable
from service.transparency import key_ring
from service.transparency.key_file import keys_in
from service.transparency.key_ring import KeyInFile, KeyRing
from service.transparency.signatures import Signed, public_half, verify
from tests.support.stores import everything

FIRST, SECOND = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))


@pytest.fixture
def client() -> Iterator[redis.Redis]:
    with fakeredis.FakeRedis(server=fakeredis.FakeServer()) as it:
        yield it


def ring(client: redis.Redis, *own: Ed25519PrivateKey, begin: int = 0) -> KeyRing:
    ticks = count(begin)
    return KeyRing(client, lambda: moment(next(ticks)), own)


def signed_by(signer: KeyRing) -> Signed:
    return signer.sign("receipt", {"version": 1})


def is_believed(reader: KeyRing, signed: Signed) -> bool:
    return verify(reader.public_keys(), "receipt", signed.statement, signed.signature)


def test_every_process_signs_with_the_same_key(client: redis.Redis) -> None:
    first, second = ring(client), ring(client)
    assert signed_by(first) == signed_by(second)
    assert is_believed(second, signed_by(first))
    assert [each.until for each in first.periods()] == [None]


def test_an_old_key_stays_known_after_a_new_one_signs(client: redis.Redis) -> None:
    signer = ring(client)
    before = signed_by(signer)
    signer.rotate()
    after = signed_by(signer)
    assert before.statement["key_id"] != after.statement["key_id"]
    old, new = ring(client).periods()
    assert (old.key_id, new.key_id) == (before.statement["key_id"], after.statement["key_id"])
    assert old.until == new.since
    assert new.until is None
    assert all(is_believed(ring(client), each) for each in (before, after))


def test_other_processes_follow_a_new_key(client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    follower, other = ring(client), ring(client)
    before = signed_by(follower)
    other.rotate()
    assert signed_by(follower) == before
    monkeypatch.setattr(key_ring, "_FRESH_SECONDS", 0)
    follower = ring(client)
    signed_by(follower)
    other.rotate()
    assert signed_by(follower) == signed_by(other)


def test_times_of_keys_do_not_go_back_with_a_clock(client: redis.Redis) -> None:
    signed_by(ring(client, begin=5000))
    late = ring(client, begin=0)
    late.rotate()
    old, new = late.periods()
    assert old.since == old.until == new.since == moment(5000)


def test_keys_from_a_file_are_not_kept_in_the_store(client: redis.Redis) -> None:
    signer = ring(client, SECOND, FIRST)
    signed = signed_by(signer)
    assert [each.public_key for each in signer.periods()] == [public_half(FIRST), public_half(SECOND)]
    assert is_believed(ring(client, FIRST), signed)
    kept = b"".join(content for _, content in sorted(everything(client)[b"plateau:signing-keys"].items()))
    assert not any(key.private_bytes_raw().hex().encode() in kept for key in (FIRST, SECOND))


def test_a_file_takes_over_and_gives_back(client: redis.Redis) -> None:
    made = signed_by(ring(client)).statement["key_id"]
    from_file = signed_by(ring(client, FIRST)).statement["key_id"]
    again = signed_by(ring(client)).statement["key_id"]
    assert [each.key_id for each in ring(client).periods()] == [made, from_file, again]
    assert len({made, from_file, again}) == 3
    signed_by(ring(client, FIRST))
    assert [each.key_id for each in ring(client, FIRST).periods()] == [made, from_file, again, from_file]


def test_keys_in_a_file_are_replaced_there(client: redis.Redis) -> None:
    with pytest.raises(KeyInFile):
        ring(client, FIRST).rotate()


def test_a_store_that_is_away_stops_no_signature(client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_ring, "_FRESH_SECONDS", 0)
    server = fakeredis.FakeServer()
    signer = ring(fakeredis.FakeRedis(server=server))
    before = signed_by(signer)
    server.connected = False
    assert signed_by(signer) == before
    with pytest.raises(StoreUnavailable):
        signed_by(ring(fakeredis.FakeRedis(server=server)))


def test_a_named_key_is_read_once_and_a_new_one_when_it_is_named(client: redis.Redis) -> None:
    reader, signer = ring(client), ring(client)
    old = signer.key_id
    assert old in reader.public_keys(old)
    signer.rotate()
    assert signer.key_id not in reader.public_keys(old), "the store is not asked"
    assert {old, signer.key_id} == {*reader.public_keys(signer.key_id)}


KEYS = [Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2)]


def pem(key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey, lock: KeySerializationEncryption | None = None) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock or NoEncryption())


def written(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "keys.pem"
    path.write_bytes(content)
    return path


def test_keys_are_read_in_their_order(tmp_path: Path) -> None:
    path = written(tmp_path, b"of this year\n" + b"of last year\n".join(pem(key) for key in KEYS))
    assert [public_half(key) for key in keys_in(path)] == [public_half(key) for key in KEYS]
    assert Settings.from_environment({"PLATEAU_SIGNING_KEYS": str(path)}).signing_keys == path


def test_without_a_file_there_are_no_keys() -> None:
    assert not keys_in(Settings.from_environment({}).signing_keys)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file has no private key in PEM"),
        (pem(KEYS[0]) + pem(ec.generate_private_key(ec.SECP256R1())), "key 2 in the file is not an Ed25519 key"),
        (pem(KEYS[0], BestAvailableEncryption(b"x")), "key 1 in the file is not a private key without a password"),
        (pem(KEYS[0]).replace(b"A", b"?"), "key 1 in the file is not a private key without a password"),
    ],
)
def test_a_file_that_is_no_list_of_keys_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InvalidSettings, match=f"^PLATEAU_SIGNING_KEYS is .*; allowed: .*Here, {reason}.$"):
        Settings.from_environment({"PLATEAU_SIGNING_KEYS": str(path)})


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match="Here, the file cannot be read: No such file or directory"):
        Settings.from_environment({"PLATEAU_SIGNING_KEYS": str(tmp_path / "none.pem")})
