"""Signatures hold for one statement, one purpose and one key, and for nothing else."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.transparency.signatures import key_id, public_half, sign, signed_text, verify

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = public_half(KEY)
KEYS = {key_id(PUBLIC): PUBLIC}
STATEMENT: dict[str, Any] = {"game": "gm_é", "version": 7}
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


def test_the_signed_text_is_the_label_and_the_canonical_form() -> None:
    assert signed_text("receipt", STATEMENT) == 'plateau-receipt-v1\n{"game":"gm_é","version":7}'.encode()


def test_a_statement_names_its_key_and_verifies() -> None:
    signed = sign(KEY, key_id(PUBLIC), "receipt", STATEMENT)
    assert signed.statement == STATEMENT | {"key_id": "56475aa75463474c"}
    assert verify(KEYS, "receipt", signed.statement, signed.signature)
    assert sign(KEY, key_id(PUBLIC), "receipt", STATEMENT) == signed


@pytest.mark.parametrize(
    "change",
    [
        {"version": 8},
        {"version": 7.0},
        {"version": "7"},
        {"more": None},
        {"key_id": None},
        {"key_id": "0" * 16},
        {"key_id": key_id(public_half(OTHER))},
        {"game": "\ud800"},
        {"game": {1, 2}},
    ],
)
def test_a_changed_statement_does_not_verify(change: dict[str, Any]) -> None:
    signed = sign(KEY, key_id(PUBLIC), "receipt", STATEMENT)
    assert not verify(KEYS, "receipt", {**signed.statement, **change}, signed.signature)


def test_a_signature_is_for_one_purpose() -> None:
    signed = sign(KEY, key_id(PUBLIC), "receipt", STATEMENT)
    assert not verify(KEYS, "head", signed.statement, signed.signature)


@pytest.mark.parametrize("spoil", [lambda s: s[:-1], lambda s: s + "0", str.upper, lambda _: "", lambda s: s[1:] + "g"])
def test_a_signature_has_one_form(spoil: Any) -> None:
    signed = sign(KEY, key_id(PUBLIC), "receipt", STATEMENT)
    assert not verify(KEYS, "receipt", signed.statement, spoil(signed.signature))


def test_a_key_under_another_keys_id_is_not_believed() -> None:
    forged = sign(OTHER, key_id(PUBLIC), "receipt", STATEMENT)
    assert not verify({key_id(PUBLIC): public_half(OTHER)}, "receipt", forged.statement, forged.signature)


def test_every_flipped_bit_of_a_signature_is_found() -> None:
    signed = sign(KEY, key_id(PUBLIC), "receipt", STATEMENT)
    raw = bytes.fromhex(signed.signature)
    for bit in range(0, 512, 7):
        flipped = (int.from_bytes(raw) ^ 1 << bit).to_bytes(64).hex()
        assert not verify(KEYS, "receipt", signed.statement, flipped)
