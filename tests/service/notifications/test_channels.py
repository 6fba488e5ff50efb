"""What every channel promises: mail, push and webhook alike."""

from collections.abc import Iterator
from typing import Any

import fakeredis
import pytest

from domain.game.durations import DAY, HOUR, MINUTE, SECOND
from service.store.event_store import StoreUnavailable
from tests.service.notifications.channels import KINDS, House, Post, post
from tests.support.stores import everything


@pytest.fixture
def house() -> Iterator[House]:
    house = House(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
    yield house
    house.players.close()


@pytest.fixture(params=KINDS)
def channel(house: House, request: pytest.FixtureRequest) -> Iterator[Post]:
    with post(request.param, house) as made:
        yield made


def games(channel: Post) -> list[str]:
    return [game for _, game in channel.got]


def test_what_happens_from_then_on_is_told_once(channel: Post) -> None:
    channel.house.begin()
    destination = channel.subscribe("your_turn")
    assert channel.serve(destination) is None
    begun = [channel.house.begin() for _ in range(2)]
    assert [channel.serve(destination) for _ in range(2)] == [None, None]
    begun.append(channel.house.begin())
    assert channel.serve(destination) is None
    assert games(channel) == begun
    assert len({told for told, _ in channel.got}) >= 2


def test_what_was_not_chosen_is_not_told(channel: Post) -> None:
    destination = channel.subscribe("invited")
    channel.house.begin()
    assert channel.serve(destination) is None
    assert channel.got == []
    latest = channel.house.notices.latest(channel.house.ada.player)
    assert channel.house.destinations.cursor(destination) == latest, "it is not looked at again"


def test_what_was_not_accepted_is_tried_again_and_arrives(channel: Post) -> None:
    destination = channel.subscribe("your_turn")
    game = channel.house.begin()
    channel.respond("is busy")
    again = channel.serve(destination)
    assert again is not None
    assert 0 < again - channel.house.ms < 6 * SECOND
    channel.respond("accepts")
    assert channel.serve(destination) == again, "not before its time, whatever makes it due"
    channel.house.ms = again
    assert channel.serve(destination) is None
    assert games(channel) == [game]


def test_after_a_day_of_failures_it_is_given_up(channel: Post) -> None:
    destination = channel.subscribe("your_turn")
    channel.house.begin()
    channel.respond("is busy")
    began = channel.house.ms
    while (again := channel.serve(destination)) is not None:
        channel.house.ms = again
    assert DAY - HOUR < channel.house.ms - began < DAY + 16 * MINUTE
    channel.respond("accepts")
    assert channel.serve(destination) is None
    assert channel.got == []


def test_a_receiver_that_is_gone_gets_nothing_more(channel: Post) -> None:
    destination = channel.subscribe("your_turn")
    channel.house.begin()
    channel.respond("is gone")
    assert channel.serve(destination) is None
    assert channel.house.destinations.of([channel.house.ada.player]) == []
    channel.respond("accepts")
    channel.house.begin()
    assert channel.serve(destination) is None
    assert channel.got == []


def test_what_a_killed_courier_could_not_note_is_sent_again_as_the_same(
    channel: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    destination = channel.subscribe("your_turn")
    game = channel.house.begin()
    pool: Any = channel.house.client.connection_pool
    connect = pool.get_connection

    def dying(*args: Any, **more: Any) -> Any:
        if channel.got:
            raise StoreUnavailable("killed")
        return connect(*args, **more)

    with monkeypatch.context() as killed:
        killed.setattr(pool, "get_connection", dying)
        with pytest.raises(StoreUnavailable):
            channel.serve(destination)
    later = channel.house.begin()
    assert channel.serve(destination) is None
    assert games(channel) == [game, game, later]
    first, again, other = (told for told, _ in channel.got)
    assert first == again != other


def test_of_a_deleted_player_nothing_is_told_and_nothing_is_left(house: House, channel: Post) -> None:
    destination = channel.subscribe("your_turn")
    house.begin()
    channel.respond("is busy")
    channel.serve(destination)
    house.players.delete(house.ada.player)
    channel.respond("accepts")
    assert channel.serve(destination) is None
    assert channel.got == []
    own = f"{{{house.ada.player}}}".encode()
    assert [key for key in everything(house.client) if key.startswith(own)] == []
