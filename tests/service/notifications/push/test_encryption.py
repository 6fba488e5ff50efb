"""Messages are encrypted as RFC 8291 says, by its own example, and senders state who they are as RFC 8292 says."""

import fakeredis
import pytest
from cryptography.exceptions import InvalidSignature

from service.notifications.push.encryption import (
    MOST_BYTES,
    Vapid,
    check_browser_key,
    encrypted,
    from_base64url,
    new_key,
    private_key,
    public_bytes,
    to_base64url,
)
from tests.support.push import Browser, stated

EXAMPLE = {
    "plaintext": b"When I grow up, I want to be a watermelon",
    "sender": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    "browser": "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    "browser_public": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "salt": "DGv6ra1nlYgDCS1FRnbzlw",
    "body": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqK"
    "K6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
}
"""RFC 8291, section 5 and appendix A."""


def number(text: str) -> int:
    return int.from_bytes(from_base64url(text))


def test_the_example_of_the_rfc_comes_out_to_the_byte() -> None:
    body = encrypted(
        EXAMPLE["plaintext"],
        from_base64url(EXAMPLE["browser_public"]),
        from_base64url(EXAMPLE["auth"]),
        private_key(number(EXAMPLE["sender"])),
        from_base64url(EXAMPLE["salt"]),
    )
    assert to_base64url(body) == EXAMPLE["body"]


def test_the_browser_of_the_tests_decrypts_the_example_of_the_rfc() -> None:
    browser = Browser(private_key(number(EXAMPLE["browser"])), from_base64url(EXAMPLE["auth"]))
    assert browser.decrypted(from_base64url(EXAMPLE["body"])) == EXAMPLE["plaintext"]


def test_each_message_has_a_fresh_key_and_salt() -> None:
    browser = Browser()
    bodies = [encrypted(b"It is your turn", browser.public, browser.auth) for _ in range(2)]
    assert [browser.decrypted(body) for body in bodies] == [b"It is your turn"] * 2
    assert bodies[0][:16] != bodies[1][:16]
    assert bodies[0][21:86] != bodies[1][21:86]


def test_the_longest_message_fits_into_what_every_push_service_takes() -> None:
    browser = Browser()
    assert len(encrypted(b"x" * MOST_BYTES, browser.public, browser.auth)) == 4096
    with pytest.raises(ValueError, match="at most 3993 bytes"):
        encrypted(b"x" * (MOST_BYTES + 1), browser.public, browser.auth)


@pytest.mark.parametrize("point", [b"", b"\x04" + bytes(64), public_bytes(private_key(7))[:-1], b"\x02" + bytes(64)])
def test_what_is_no_key_of_a_browser_is_rejected(point) -> None:
    with pytest.raises(ValueError, match=r"point|curve|Invalid|Unsupported"):
        check_browser_key(point)


def test_keys_are_drawn_afresh() -> None:
    assert len({new_key().private_numbers().private_value for _ in range(10)}) == 10


def test_a_statement_names_the_push_service_the_contact_and_its_end() -> None:
    vapid = Vapid(fakeredis.FakeRedis(server=fakeredis.FakeServer()), "mailto:plateau@play.example")
    claims, key = stated(vapid.authorization("https://push.example", 1_000_000_000_500))
    assert claims == {
        "aud": "https://push.example",
        "exp": 1_000_000_000 + 12 * 3600,
        "sub": "mailto:plateau@play.example",
    }
    assert key == vapid.public_key()


def test_a_statement_of_another_key_is_not_ours() -> None:
    ours, others = (
        Vapid(fakeredis.FakeRedis(server=fakeredis.FakeServer()), "mailto:x@play.example") for _ in range(2)
    )
    header = ours.authorization("https://push.example", 0)
    with pytest.raises(InvalidSignature):
        stated(header.replace(ours.public_key(), others.public_key()))


def test_all_processes_of_a_store_have_the_same_key() -> None:
    server = fakeredis.FakeServer()
    first, second = (Vapid(fakeredis.FakeRedis(server=server), "mailto:x@play.example") for _ in range(2))
    assert first.public_key() == second.public_key()
    assert len(from_base64url(first.public_key())) == 65
