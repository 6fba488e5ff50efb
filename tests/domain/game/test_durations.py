"""Points in time and durations."""

import random
from datetime import UTC, datetime

import pytest

from domain.game.durations import DAY, duration, instant, lasting, moment


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("2000-02-29T23:59:59.999Z", 951_868_799_999),
        ("2024-02-29T00:00:00.001Z", 1_709_164_800_001),
        ("2100-02-28T23:59:59.999Z", 4_107_542_399_999),
        ("2100-03-01T00:00:00.000Z", 4_107_542_400_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ],
)
def test_a_moment_reads_and_writes_the_same_around_the_turns_of_the_calendar(text, ms):
    assert instant(text) == ms
    assert moment(ms) == text


def test_every_moment_is_that_of_the_calendar():
    rng = random.Random(1)
    for _ in range(3000):
        ms = rng.randrange(253_402_300_800_000)
        seconds, fraction = divmod(ms, 1000)
        assert moment(ms) == f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{fraction:03}Z"
        assert instant(moment(ms)) == ms


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("P3D", 3 * DAY),
        ("PT90S", 90_000),
        ("P1DT12H", 36 * 3_600_000),
        ("P2W", 14 * DAY),
        ("PT1H1M1S", 3_661_000),
        ("PT4M31.5S", 271_500),
        ("PT1.001S", 1001),
    ],
)
def test_a_duration_is_read(text, ms):
    assert duration(text) == ms


@pytest.mark.parametrize(
    "text",
    ["", "P", "PT", "3D", "P1M", "P1Y", "P1DT", "PT1,5S", "P1.5D", "PT.5S", "PT0.0001S", "-P1D", "p3d", "P3D ", "P٣D"],
)
def test_a_text_without_a_fixed_length_is_rejected(text):
    with pytest.raises(ValueError, match="not a valid duration"):
        duration(text)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "PT0S"),
        (3 * DAY, "P3D"),
        (90_000, "PT1M30S"),
        (1500, "PT1.500S"),
        (500, "PT0.500S"),
        (DAY + 3_600_000, "P1DT1H"),
        (DAY + 1, "P1DT0.001S"),
    ],
)
def test_a_duration_is_written(ms, text):
    assert lasting(ms) == text
