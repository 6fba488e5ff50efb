"""What every channel promises: mail, push and webhook alike.

Quiet hours go by the player's clock, also on the days on which the clock is changed.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import fakeredis
import pytest

from domain.game.durations import DAY, HOUR, MINUTE, SECOND
from service.notifications.content.choices import Choices, QuietHours
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


NIGHT = QuietHours(22 * 60, 7 * 60)
NOON = QuietHours(12 * 60, 13 * 60 + 30)


def until(hours: QuietHours, now: str, zone: str | None) -> str | None:
    """Return when quiet hours are over, in UTC."""
    ms = hours.until(int(datetime.fromisoformat(now).timestamp() * 1000), zone)
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat()


@pytest.mark.parametrize(
    ("hours", "now", "zone", "end"),
    [
        (NOON, "2026-06-01T11:59:59Z", None, None),
        (NOON, "2026-06-01T12:00:00Z", None, "2026-06-01T13:30:00+00:00"),
        (NOON, "2026-06-01T13:29:59Z", None, "2026-06-01T13:30:00+00:00"),
        (NOON, "2026-06-01T13:30:00Z", None, None),
        (NIGHT, "2026-06-01T21:00:00Z", None, None),
        (NIGHT, "2026-06-01T23:00:00Z", None, "2026-06-02T07:00:00+00:00"),
        (NIGHT, "2026-06-02T03:00:00Z", None, "2026-06-02T07:00:00+00:00"),
        (NIGHT, "2026-06-01T20:30:00Z", "Europe/Paris", "2026-06-02T05:00:00+00:00"),
        (NIGHT, "2026-06-01T13:30:00Z", "Asia/Tokyo", "2026-06-01T22:00:00+00:00"),
        (NIGHT, "2026-06-01T23:00:00Z", "A/Place", "2026-06-02T07:00:00+00:00"),
    ],
)
def test_they_end_by_the_players_clock(hours, now, zone, end) -> None:
    assert until(hours, now, zone) == end


def test_the_night_in_which_the_clock_goes_forward_is_an_hour_shorter() -> None:
    assert until(NIGHT, "2026-03-28T21:00:00Z", "Europe/Paris") == "2026-03-29T05:00:00+00:00"
    assert until(NIGHT, "2026-03-29T20:00:00Z", "Europe/Paris") == "2026-03-30T05:00:00+00:00"


def test_the_night_in_which_the_clock_goes_back_is_an_hour_longer() -> None:
    assert until(NIGHT, "2026-10-24T20:00:00Z", "Europe/Paris") == "2026-10-25T06:00:00+00:00"


def test_an_end_can_come_twice_or_after_a_gap() -> None:
    ends_at_half_past_two = QuietHours(22 * 60, 2 * 60 + 30)
    first, second = "2026-10-25T00:15:00Z", "2026-10-25T01:15:00Z"  # both are a quarter past two in Paris
    assert until(ends_at_half_past_two, first, "Europe/Paris") == "2026-10-25T00:30:00+00:00"
    assert until(ends_at_half_past_two, second, "Europe/Paris") == "2026-10-25T01:30:00+00:00"
    assert until(ends_at_half_past_two, "2026-03-29T00:59:00Z", "Europe/Paris") == "2026-03-29T01:30:00+00:00"


def test_without_quiet_hours_nothing_waits() -> None:
    assert Choices().quiet_until(0, "Europe/Paris") is None
