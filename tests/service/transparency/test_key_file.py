"""A file of private keys is read as it is, or refused with the reason."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from service.transparency.key_file import keys_in
from service.transparency.signatures import public_half

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
