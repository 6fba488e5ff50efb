"""Stored players and tokens: hashed, revoked everywhere within a second, deleted without a trace.

Tickets: facts that come back unchanged, for their purpose, from those who hold the secret, for a while.
"""

import string
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from service.accounts.players import GUEST_SCOPES, Players
from service.accounts.tickets import LONGEST, SECONDS, Tickets
from service.common import wall_clock
from service.store import keys
from service.store.event_store import StoreUnavailable
from service.store.redis.connections import connect
from tests.support.proxies import Proxy
from tests.support.server import RealServer, wait_until
from tests.support.stores import KINDS, empty_store, everything

SOON = 1.0
"""A second after it was revoked, every process rejects a token, however long the test takes."""


client = pytest.fixture(params=KINDS)(empty_store)


@contextmanager
def a_process(client: redis.Redis) -> Iterator[Players]:
    players = Players(client, wall_clock.now)
    yield players
    players.close()


@pytest.fixture
def players(client: redis.Redis) -> Iterator[Players]:
    with a_process(client) as players:
        yield players


@pytest.fixture
def proxy(valkey_url: str) -> Iterator[Proxy]:
    """A proxy in front of an empty server."""
    with connect(valkey_url) as client:
        client.flushall()
    proxy = Proxy(valkey_url)
    yield proxy
    proxy.close()


@pytest.fixture
def here(proxy: Proxy) -> Iterator[Players]:
    """A process whose commands pass by the proxy."""
    with connect(proxy.url) as client, a_process(client) as players:
        yield players


@pytest.fixture
def elsewhere(proxy: Proxy, valkey_url: str) -> Iterator[Players]:
    """Another process on the same server, beside the proxy."""
    with connect(valkey_url) as client, a_process(client) as players:
        yield players


def is_cached(players: Players, proxy: Proxy, token: str) -> bool:
    with proxy.counted() as commands:
        assert players.authenticate(token) is not None
    return commands == []


def cached(players: Players, proxy: Proxy, token: str) -> None:
    """Authenticate until it is done without asking the server."""
    wait_until(lambda: is_cached(players, proxy, token), "the token to be cached")


def assert_refused_soon(players: Players, token: str, since: float) -> None:
    asked = time.monotonic()
    while players.authenticate(token) is not None:
        assert asked - since < SOON
        asked = time.monotonic()


def opened(players: Players, token: str) -> tuple[str, frozenset[str]] | None:
    """Return the player whose token it is, and what it is good for."""
    caller = players.authenticate(token)
    return caller and (caller.player, caller.scopes)


def first_token(players: Players, player_id: str) -> str:
    return players.tokens(player_id)[0][0].id


# -- what is stored -----------------------------------------------------------------------------------------------


def test_a_token_is_nowhere_in_the_store(players: Players, client: redis.Redis) -> None:
    player, first = players.create("Ada")
    _, second = players.create_token(player.id, ["games:read"], "phone")
    for token in (first, second):
        assert players.authenticate(token) is not None
    stored = repr(everything(client))
    assert player.id in stored
    assert "phone" in stored
    for token in (first, second):
        assert token not in stored
        assert token.split("_", 2)[2] not in stored


def test_a_token_opens_what_it_was_made_for(players: Players) -> None:
    player, first = players.create("Ada")
    record, narrow = players.create_token(player.id, ["games:read"], "reader")
    assert opened(players, first) == (player.id, frozenset(GUEST_SCOPES))
    assert opened(players, narrow) == (player.id, frozenset({"games:read"}))
    assert record.scopes == ("games:read",)
    assert "admin" not in GUEST_SCOPES


def test_a_seat_token_keeps_its_seat_in_every_process(players: Players, client: redis.Redis) -> None:
    ada, _ = players.create("Ada")
    made = players.create_token(ada.id, ("games:play",), "seat", ("gm_1", 2))
    assert made is not None
    token, secret = made
    assert (token.game, token.seat) == ("gm_1", 2)
    assert token in players.tokens(ada.id)[0]
    with a_process(client) as other:
        for _ in range(3):
            caller = other.authenticate(secret)
            assert caller is not None
            assert (caller.player, caller.game, caller.seat) == (ada.id, "gm_1", 2)
        began = time.monotonic()
        assert players.revoke(ada.id, token.id)
        assert_refused_soon(other, secret, began)


def test_nothing_but_the_whole_token_opens_anything(players: Players) -> None:
    ada, token = players.create("Ada")
    bob, other = players.create("Bob")
    secret, others = token.split("_", 2)[2], other.split("_", 2)[2]
    mine = ada.id.removeprefix("pl_")
    wrong = [
        "", "plt_", "plt_x", mine, ada.id, secret, token[:-1], token + "=", token.upper(), f"plt_{mine}_",
        f"plt_{mine}_{others}", f"plt_{bob.id.removeprefix('pl_')}_{secret}", f"PLT_{mine}_{secret}",
        f"plt_{mine}}}:player_{secret}", f"plt_*_{secret}", "plt_é_\x00", "plt_a_" + "b" * 100_000,
    ]  # fmt: skip
    assert [text for text in wrong if players.authenticate(text) is not None] == []
    assert opened(players, token) == (ada.id, frozenset(GUEST_SCOPES))


def test_no_two_tokens_or_players_are_alike(players: Players) -> None:
    made = [players.create("Ada") for _ in range(50)]
    assert len({player.id for player, _ in made}) == len({token for _, token in made}) == 50


def test_tokens_are_listed_oldest_first_and_without_their_secrets(client: redis.Redis) -> None:
    times = iter(f"2026-01-01T00:00:{second:02}.000Z" for second in range(60))
    players = Players(client, lambda: next(times))
    player, _ = players.create("Ada")
    made = [players.create_token(player.id, ["games:read"], f"token {number}")[0] for number in range(5)]
    listed, _ = players.tokens(player.id)
    assert [token.label for token in listed] == ["first", *(f"token {number}" for number in range(5))]
    assert listed[1:] == made
    assert players.tokens("pl_nobody") == ([], None)


def test_revoking_takes_one_token_of_ones_own_once_and_no_other(players: Players) -> None:
    ada, first = players.create("Ada")
    bob, others = players.create("Bob")
    record, second = players.create_token(ada.id, GUEST_SCOPES, "second")
    for player, token in ((bob.id, record.id), (ada.id, "tk_0000000000000000"), ("pl_nobody", record.id)):
        assert not players.revoke(player, token)
    assert players.authenticate(second) is not None
    assert [players.revoke(ada.id, record.id) for _ in range(2)] == [True, False]
    assert players.authenticate(second) is None
    assert players.authenticate(first) is not None
    assert players.authenticate(others) is not None
    assert [token.label for token in players.tokens(ada.id)[0]] == ["first"]


def test_a_player_can_be_renamed_and_found_by_their_id(players: Players) -> None:
    ada, _ = players.create("Ada")
    assert players.find(ada.id) == ada
    players.rename(ada.id, "Àda 𝄞")
    assert players.find(ada.id).name == "Àda 𝄞"
    assert players.find("pl_nobody") is None


def test_deletion_leaves_no_name_and_no_token_behind_and_nobody_else_changed(
    players: Players, client: redis.Redis
) -> None:
    _, others = players.create("Bob")
    before = everything(client)
    ada, token = players.create("Ada Lovelace")
    _, second = players.create_token(ada.id, GUEST_SCOPES, "Lovelace's phone")
    assert players.authenticate(token) is not None
    players.rename(ada.id, "Countess")
    players.delete(ada.id)
    assert everything(client) == before
    assert players.authenticate(token) is None
    assert players.authenticate(second) is None
    assert players.find(ada.id) is None
    assert players.authenticate(others) is not None


# -- what is cached -----------------------------------------------------------------------------------------------


def test_a_known_token_is_authenticated_without_asking_the_server(here: Players, proxy: Proxy) -> None:
    player, token = here.create("Ada")
    _, other = here.create("Bob")
    cached(here, proxy, token)
    cached(here, proxy, other)
    with proxy.counted() as commands:
        callers = {opened(here, token) for _ in range(200)}
    assert [command for command in commands if command != "PING"] == []
    assert callers == {(player.id, frozenset(GUEST_SCOPES))}


def test_a_token_that_opens_nothing_is_asked_for_each_time(here: Players, proxy: Proxy) -> None:
    player, token = here.create("Ada")
    cached(here, proxy, token)
    wrong = f"{token}x"
    with proxy.counted() as commands:
        assert [here.authenticate(wrong) for _ in range(3)] == [None] * 3
    assert commands.count("HGET") == 3
    assert opened(here, token) == (player.id, frozenset(GUEST_SCOPES))


def test_of_tokens_revoked_one_by_one_each_is_refused_and_no_other(
    here: Players, elsewhere: Players, proxy: Proxy
) -> None:
    player, kept = elsewhere.create("Ada")
    for _ in range(5):
        record, token = elsewhere.create_token(player.id, GUEST_SCOPES, "short-lived")
        cached(here, proxy, token)
        began = time.monotonic()
        assert elsewhere.revoke(player.id, record.id)
        assert elsewhere.authenticate(token) is None
        assert_refused_soon(here, token, began)
        assert here.authenticate(token) is None
        assert here.authenticate(kept) is not None


def fallen_silent(proxy: Proxy) -> AbstractContextManager[None]:
    """Leave the listener a dead connection, of which nobody says that it is."""
    proxy.fall_silent("SUBSCRIBE")
    return nullcontext()


@pytest.mark.parametrize(
    "disturbed",
    [lambda _: nullcontext(), fallen_silent, lambda proxy: proxy.cut_off("SUBSCRIBE")],
    ids=["heard", "connection is dead", "listener cannot connect"],
)
@pytest.mark.parametrize(
    "revoke",
    [lambda players, player: players.revoke(player, first_token(players, player)), Players.delete],
    ids=["revoked", "deleted"],
)
def test_other_processes_refuse_a_token_soon_whatever_the_listener_hears(
    here: Players,
    elsewhere: Players,
    proxy: Proxy,
    disturbed: Callable[[Proxy], AbstractContextManager[None]],
    revoke: Callable[[Players, str], object],
) -> None:
    player, token = elsewhere.create("Ada")
    cached(here, proxy, token)
    with disturbed(proxy):
        began = time.monotonic()
        revoke(elsewhere, player.id)
        assert_refused_soon(here, token, began)
    assert_hears_again(here, proxy)


def revoke_unheard(client: redis.Redis, player_id: str) -> None:
    """Cut the only listener off, and revoke all tokens as another process does, in one step."""
    pipe = client.pipeline(transaction=True)
    pipe.client_kill_filter(_type="pubsub")
    pipe.delete(keys.tokens(player_id))
    pipe.publish(keys.PLAYERS_CHANGED, player_id)
    killed, deleted, receivers = pipe.execute()
    assert (killed, deleted, receivers) == (1, 1, 0)


def test_a_revocation_while_the_listener_connects_again_is_not_missed(
    here: Players, proxy: Proxy, valkey_url: str
) -> None:
    with connect(valkey_url) as client:
        for _ in range(5):
            player, token = here.create("Ada")
            cached(here, proxy, token)
            began = time.monotonic()
            revoke_unheard(client, player.id)
            assert_refused_soon(here, token, began)
        assert_hears_again(here, proxy)


def assert_hears_again(players: Players, proxy: Proxy) -> None:
    _, token = players.create("Cleo")
    cached(players, proxy, token)


def is_unavailable(players: Players, token: str) -> bool:
    try:
        players.authenticate(token)
    except StoreUnavailable:
        return True
    return False


def test_what_was_cached_is_not_believed_once_the_server_is_gone(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path / "data", tcp=True, extra=("--appendfsync", "always"))
    proxy = Proxy(server.url)
    with connect(proxy.url) as client, a_process(client) as players:
        player, token = players.create("Ada")
        cached(players, proxy, token)
        server.kill()
        began = time.monotonic()
        asked = time.monotonic()
        while not is_unavailable(players, token):
            assert asked - began < SOON
            asked = time.monotonic()
        server.restart()
        cached(players, proxy, token)
        assert opened(players, token) == (player.id, frozenset(GUEST_SCOPES))
    proxy.close()
    server.stop()


def test_a_token_that_is_being_looked_up_while_it_is_revoked_is_not_kept(
    here: Players, elsewhere: Players, proxy: Proxy
) -> None:
    player, warm = elsewhere.create("Ada")
    cached(here, proxy, warm)
    for _ in range(10):
        record, token = elsewhere.create_token(player.id, GUEST_SCOPES, "contested")
        revoked = threading.Event()

        def use(token: str = token, revoked: threading.Event = revoked) -> None:
            while not revoked.is_set():
                here.authenticate(token)

        with ThreadPoolExecutor(3) as threads:
            using = [threads.submit(use) for _ in range(3)]
            elsewhere.revoke(player.id, record.id)
            began = time.monotonic()
            revoked.set()
            for done in using:
                done.result()
        assert_refused_soon(here, token, began)
        assert here.authenticate(token) is None


def test_the_reply_to_a_revocation_may_be_lost(here: Players, proxy: Proxy) -> None:
    player, token = here.create("Ada")
    token_id = first_token(here, player.id)
    proxy.lose_reply("HDEL", 1)
    assert here.revoke(player.id, token_id)
    assert proxy.lost == 1
    assert here.authenticate(token) is None


def test_after_closing_nothing_is_believed_from_memory(proxy: Proxy) -> None:
    with connect(proxy.url) as client:
        players = Players(client, wall_clock.now)
        _, token = players.create("Ada")
        cached(players, proxy, token)
        players.close()
        assert not is_cached(players, proxy, token)
        players.close()


ASKED = {
    "create": ["Ada"],
    "find": ["pl_x"],
    "rename": ["pl_x", "Ada"],
    "delete": ["pl_x"],
    "tokens": ["pl_x"],
    "revoke": ["pl_x", "tk_0123456789abcdef"],
    "authenticate": ["plt_x_y"],
}


@pytest.mark.parametrize("question", ASKED)
def test_without_a_server_every_question_is_answered_that_it_cannot_be(tmp_path: Path, question: str) -> None:
    with connect(f"unix://{tmp_path}/nowhere") as client, pytest.raises(StoreUnavailable):
        getattr(Players(client, wall_clock.now), question)(*ASKED[question])


SECRET = bytes(range(32))
NOW = 1_800_000_000_000
FACTS = ("gm_0123456789abcdef0123", "pl_0123456789abcdef", "11")


def tickets(secret: bytes = SECRET, now: int = NOW) -> Tickets:
    return Tickets(lambda: secret, lambda: now, SECONDS)


TICKET, UNTIL = tickets().issue("board", *FACTS)


def test_the_facts_come_back_until_the_ticket_expires() -> None:
    assert UNTIL == NOW + 300_000
    assert tickets().read("board", TICKET) == [*FACTS]
    assert tickets(now=UNTIL - 1).read("board", TICKET) == [*FACTS]
    assert tickets(now=UNTIL).read("board", TICKET) is None


def test_a_ticket_fits_into_an_address() -> None:
    assert set(TICKET) <= {*string.ascii_letters, *string.digits, "-", "_"}
    assert len(TICKET) <= LONGEST // 2


def test_another_store_does_not_accept_it() -> None:
    assert tickets(bytes(32)).read("board", TICKET) is None


def test_it_serves_its_purpose_only() -> None:
    assert tickets().read("stream", TICKET) is None  # type: ignore[arg-type]


def test_no_byte_of_it_can_be_changed() -> None:
    signed = urlsafe_b64decode(TICKET + "=" * (-len(TICKET) % 4))
    for place in range(len(signed)):
        changed = bytearray(signed)
        changed[place] ^= 1
        assert tickets().read("board", urlsafe_b64encode(changed).decode().rstrip("=")) is None, place


@given(st.text(max_size=200))
def test_no_text_but_a_ticket_is_accepted(text: str) -> None:
    assert tickets().read("board", text) is None
