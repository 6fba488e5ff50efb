"""The guard of addresses: no request reaches what only this machine, or its network, can reach."""

import socket
import time
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.notifications.delivery import outside_addresses as addresses
from service.notifications.delivery.outside_addresses import BadUrl, NoAddress, Rules, is_public
from tests.support.webhook_receiver import leads_to

STRICT, LAX = Rules(), Rules(anywhere=True)


def v6(prefix: str, inner: IPv4Address, shift: int = 0) -> IPv6Address:
    """Embed an IPv4 address in an IPv6 one."""
    return IPv6Address(int(IPv6Address(prefix)) | int(inner) << shift)


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "100.100.100.200", "100.127.255.255", "127.0.0.1", "127.255.255.254",
        "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
        "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
        "240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8",
        "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:10::1", "2001:20::1", "2001:db8::1",
        "2002:7f00:1::", "2002:808:808::1",
        "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "2606:4700::1%eth0", "fec0::1",
        "ff02::1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public_are_refused(text: str) -> None:
    assert not is_public(ip_address(text))
    if "%" not in text:
        host = f"[{text}]" if ":" in text else text
        with pytest.raises(BadUrl, match="public"):
            STRICT.check_url(f"https://{host}/")
        with pytest.raises(NoAddress):
            STRICT.resolve(text, 443)


@pytest.mark.parametrize("text", ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"])
def test_public_addresses_are_allowed(text: str) -> None:
    assert is_public(ip_address(text))
    assert STRICT.resolve(text, 443) == [text]


@given(st.ip_addresses())
def test_no_address_is_taken_for_public_that_is_reserved_for_something(address: IPv4Address | IPv6Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved


@given(st.ip_addresses(v=4))
@example(IPv4Address("127.0.0.1"))
@example(IPv4Address("8.8.8.8"))
def test_no_address_that_embeds_another_one_is_public(inner: IPv4Address) -> None:
    for embedded in (
        v6("::ffff:0:0", inner), v6("::", inner), v6("::ffff:0:0:0", inner), v6("64:ff9b::", inner),
        v6("64:ff9b:1::", inner), v6("2002::", inner, 80), v6("2001::", inner), v6("2001:0:808:808::", inner),
    ):  # fmt: skip
        assert not is_public(embedded)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://ada.example/", "https"),
        ("ftp://ada.example/", "https"),
        ("//ada.example/", "https"),
        ("https:///path", "https"),
        ("nonsense", "https"),
        ("https://user:word@ada.example/", "password"),
        ("http://user@127.0.0.1/", "user"),
        ("https://ada.example/#part", "fragment"),
        ("https://ada.example:22/", "port"),
        ("https://ada.example:0/", "port"),
        ("https://ada.example:80/", "port"),
        ("https://127.0.0.1/", "public"),
        ("https://ada.example:99999/", "URL"),
        ("https://[::1/", "URL"),
        ("https://ada example/", "ASCII"),
        ("https://ada.example/\r\nHost: evil", "ASCII"),
        ("https://münchen.example/", "xn--"),
        ("https://ada.example/" + "a" * 2000, "2000"),
    ],
)
def test_urls_are_refused_with_the_reason_and_the_setting_that_would_allow_them(url: str, reason: str) -> None:
    with pytest.raises(BadUrl, match=reason) as refusal:
        STRICT.check_url(url)
    if "PLATEAU_ALLOW_UNSAFE_WEBHOOKS=1" in str(refusal.value):
        LAX.check_url(url)
    else:
        with pytest.raises(BadUrl):
            LAX.check_url(url)


@given(st.text(max_size=60) | st.text("az@:/?#[].09%-", max_size=30))
def test_any_text_is_a_url_that_is_sent_as_it_was_checked_or_is_refused(text: str) -> None:
    try:
        url = STRICT.check_url(f"https://{text}")
    except BadUrl:
        return
    assert url.scheme == "https"
    assert url.host
    assert url.auth is None
    assert url.port is None or url.port >= 443
    assert url.request_uri.startswith("/")


@pytest.mark.parametrize("url", ["https://ada.example", "https://ada.example:8443/a?b=c", "https://8.8.8.8:443/"])
def test_urls_that_are_allowed(url: str) -> None:
    assert STRICT.check_url(url).scheme == "https"


def test_only_a_setting_allows_private_addresses() -> None:
    assert LAX.resolve("127.0.0.1", 80) == ["127.0.0.1"]


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1"])
def test_a_name_is_judged_by_what_it_leads_to_however_it_is_written(host: str) -> None:
    url = STRICT.check_url(f"https://{host}/")
    with pytest.raises(NoAddress):
        STRICT.resolve(url.host or "", 443)


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to(monkeypatch, "8.8.8.8", "10.0.0.1")
    with pytest.raises(NoAddress):
        STRICT.resolve("ada.example", 443)


def test_of_many_addresses_a_few_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to(monkeypatch, *(f"8.8.8.{number}" for number in range(20)))
    assert STRICT.resolve("ada.example", 443) == [f"8.8.8.{number}" for number in range(4)]


def test_look_ups_that_hang_are_given_up_and_at_most_so_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hang(*_: object, **__: object) -> None:
        time.sleep(0.7)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    monkeypatch.setattr(addresses, "RESOLVE_SECONDS", 0.02)
    began = time.monotonic()
    for _ in range(70):
        with pytest.raises(NoAddress):
            STRICT.resolve("slow.example", 443)
    assert time.monotonic() - began < 6
