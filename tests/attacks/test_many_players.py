"""One address creates guests without end, and claims to be many addresses."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.people import assert_limited, limited
from tests.support.server import running_service

pytestmark = pytest.mark.long

MOST = 5
GUEST = {"name": "Eve"}


def ask(server, address, forwarded=None, path="/v1/players", **more):
    """Make a guest, from an address."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    peer = {"REMOTE_ADDR": address}
    return server.stranger().ask("POST", path, GUEST, headers, environ_overrides=peer, **more)


def test_an_address_makes_so_many_guests_and_no_more_however_many_ask_at_once(redis_url):
    with limited(redis_url, {"new-players": MOST}) as server:
        with ThreadPoolExecutor(8) as executor:
            answers = list(executor.map(lambda _: ask(server, "192.0.2.1"), range(4 * MOST)))
        assert sum(answer.status_code == 201 for answer in answers) == MOST
        assert sum(key.endswith(b":player") for key in server.contents()) == MOST
        for answer in answers:
            if answer.status_code != 201:
                assert_limited(answer, "new-players")
        assert ask(server, "192.0.2.2").status_code == 201


@pytest.mark.parametrize(
    ("proxies", "addresses"),
    [
        (0, [("192.0.2.1", f"203.0.113.{n}") for n in range(9)]),
        (1, [("10.0.0.1", f"203.0.113.{n}, 198.51.100.7") for n in range(9)]),
        (1, [(f"10.0.0.{n}", "198.51.100.7") for n in range(9)]),
        (1, [("10.0.0.1", f"198.51.100.7:{4000 + n}") for n in range(9)]),
        (2, [("10.0.0.1", f"203.0.113.{n}, 198.51.100.7, 10.0.0.{n}") for n in range(9)]),
        (2, [("192.0.2.1", f"203.0.113.{n}") for n in range(9)]),
        (1, [("192.0.2.1", f"nonsense {n}") for n in range(9)]),
        (1, [("192.0.2.1", f"{n}" * 60_000) for n in range(9)]),
        (0, [(f"2001:db8::{n}", None) for n in range(1, 9)]),
        (1, [("10.0.0.1", f"[2001:db8::{n}]:443") for n in range(1, 9)]),
        (0, [("::ffff:192.0.2.1", None), ("192.0.2.1", None)] * 4),
    ],
)
def test_an_address_counts_as_one_whatever_it_says_of_itself(redis_url, proxies, addresses):
    with limited(redis_url, {"new-players": MOST}, proxies) as server:
        answers = [ask(server, *each) for each in addresses]
        assert [answer.status_code for answer in answers] == [201] * MOST + [429] * (len(addresses) - MOST)


@pytest.mark.parametrize(
    ("proxies", "addresses"),
    [
        (0, [(f"192.0.2.{n}", None) for n in range(9)]),
        (0, [(f"2001:db8:0:{n}::1", None) for n in range(9)]),
        (1, [("10.0.0.1", f"203.0.113.{n}") for n in range(9)]),
        (1, [("10.0.0.1", f"198.51.100.7, 203.0.113.{n}:4000") for n in range(9)]),
        (2, [("10.0.0.1", f"203.0.113.{n}, 10.0.0.2") for n in range(9)]),
    ],
)
def test_addresses_that_differ_count_for_themselves(redis_url, proxies, addresses):
    with limited(redis_url, {"new-players": 1}, proxies) as server:
        assert {ask(server, *each).status_code for each in addresses} == {201}
        assert {ask(server, *each).status_code for each in addresses} == {429}


def test_no_address_is_kept_and_what_is_kept_goes_by_itself(redis_url):
    with limited(redis_url, {"new-players": MOST}) as server:
        ask(server, "192.0.2.1")
        (counted,) = server.redis.scan_iter(match="plateau:rate:*")
        assert b"192.0.2.1" not in counted
        assert 0 < server.redis.pttl(counted) <= 2 * 3_600_000


def post_guest(url, client):
    """Create a guest through a proxy that names its client; return the status."""
    headers = {"Content-Type": "application/json", "X-Forwarded-For": f"203.0.113.9, {client}"}
    request = urllib.request.Request(f"{url}/v1/players", json.dumps(GUEST).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code


def test_the_processes_of_a_service_count_together_by_its_settings(tmp_path):
    environ = {"PLATEAU_WEB_PROCESSES": "2", "PLATEAU_LIMITS": f"new-players={MOST}", "PLATEAU_TRUSTED_PROXIES": "1"}
    with running_service(tmp_path, environ) as service:
        with ThreadPoolExecutor(8) as executor:
            made = list(executor.map(lambda _: post_guest(service.url, "198.51.100.7"), range(4 * MOST)))
        assert sorted(made) == [201] * MOST + [429] * 3 * MOST
        assert post_guest(service.url, "198.51.100.8") == 201
