"""Quiet hours go by the player's clock, also on the days on which the clock is changed."""

from datetime import UTC, datetime

import pytest

from service.notifications.content.choices import Choices, QuietHours

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
