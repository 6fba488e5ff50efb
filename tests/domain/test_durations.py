"""Points in time and durations, held against the standard library's calendar."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from domain.game.durations import DAY, duration, instant, lasting, moment

LEAPS = ["2000-02-29", "2024-02-29", "2023-03-01", "2100-02-28", "2100-03-01", "1999-12-31", "1970-01-01"]


@pytest.mark.parametrize("text", [f"{day}T23:59:59.999Z" for day in LEAPS])
def test_a_moment_reads_and_writes_the_same_around_the_turns_of_the_calendar(text):
    since = datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=UTC)
    assert instant(text) == since // timedelta(milliseconds=1)
    assert moment(instant(text)) == text


def test_every_moment_is_that_of_the_calendar():
    rng = random.Random(1)
    for _ in range(3000):
        ms = rng.randrange(253_402_300_800_000)
        written = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds")
        assert moment(ms) == written.replace("+00:00", "Z")
        assert instant(moment(ms)) == ms


@pytest.mark.parametrize(
    ("text", "ms"),
    [("P3D", 3 * DAY), ("PT90S", 90_000), ("P1DT12H", 36 * 3_600_000), ("P2W", 14 * DAY), ("PT1H1M1S", 3_661_000)],
)
def test_a_duration_is_read(text, ms):
    assert duration(text) == ms


@pytest.mark.parametrize("text", ["", "P", "PT", "3D", "P1M", "P1Y", "P1DT", "PT1.5S", "-P1D", "p3d", "P3D ", "P٣D"])
def test_what_has_no_length_of_its_own_is_no_duration(text):
    with pytest.raises(ValueError, match="no duration"):
        duration(text)


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "PT0S"), (3 * DAY, "P3D"), (90_000, "PT1M30S"), (1500, "PT1.500S"), (DAY + 3_600_000, "P1DT1H")],
)
def test_a_duration_is_written(ms, text):
    assert lasting(ms) == text
