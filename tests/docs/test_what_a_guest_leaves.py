"""The threat model says how many bytes a guest can leave in an hour by each operation that writes, and by no other.

The page of what is kept names every key of the store, with what bounds it, and no other key.
The threat model covers every operation, and no other.
"""

import inspect
import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil

import pytest
import redis
import yaml

from api_spec import generate, record
from api_spec.world import World
from service.accounts.limits import DEFAULTS, LIMITS
from service.backup.families import Role, role_of
from service.config.settings import Settings
from service.store import keys
from tests.support.keys_in_use import KINDS, keys_in_use
from tests.support.server import ROOT

SECTION = (ROOT / "docs/threat-model.md").read_text().partition("### What a guest can leave")[2].partition("\n## ")[0]
ROWS = {
    cells[0].strip("`"): cells[1:]
    for line in SECTION.splitlines()
    if line.startswith("| `")
    for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
}
DOCUMENT = yaml.load((generate.HERE / "openapi.yaml").read_text(), yaml.CSafeLoader)
OPERATIONS = {
    each["operationId"]: f"{method.upper()} {path}"
    for path, methods in DOCUMENT["paths"].items()
    for method, each in methods.items()
}
WRITES = {name: operation for name, operation in OPERATIONS.items() if not operation.startswith("GET ")}
FIRST_OF_ALL = {keys.NAMING_SECRET, keys.PUSH_KEY, keys.SIGNING_KEYS}
"""What the first request of all leaves, no matter who sends it."""
GUESTS = DEFAULTS["new-players"]


class Weighed(World):
    """A world that weighs what an operation has left when it was last asked."""

    def __init__(self, weighed: str) -> None:
        self.weighed = weighed
        self.left = (0, 0)
        self.seconds: dict[str, int] = {}
        super().__init__()

    def send(self, request):
        if self.operation_of(request["method"], request["path"]) != self.weighed:
            return super().send(request)
        before = self._sizes()
        answer = super().send(request)
        grown = [
            (key, size - before.get(key, (0, False))[0], expires) for key, (size, expires) in self._sizes().items()
        ]
        kinds = [sum(size for _, size, expires in grown if expires == kind) for kind in (False, True)]
        self.left = (kinds[0], kinds[1])
        return answer

    def _sizes(self) -> dict[str, tuple[int, bool]]:
        with self._fixed():
            client = self._store.client
            names = {key.decode() for key in client.scan_iter()} - FIRST_OF_ALL
            self.seconds = {key: client.ttl(key) for key in names}
            return {key: (size_of(client, key), client.ttl(key) > 0) for key in names if is_kept(key)}


def is_kept(key: str) -> bool:
    """Return whether a key counts: feeds are trimmed, and most of what is fleeting is about processes."""
    is_trimmed = key.endswith((":changes", ":notices")) or key.startswith("{outbox}")
    return not is_trimmed and (role_of(key) is not Role.FLEETING or key.endswith((":hints", ":analysis")))


def size_of(client: redis.Redis, key: str) -> int:
    """Return the bytes of a key and of all that is in it; Redis takes up to twice as much."""
    kind = client.type(key).decode()
    parts: Iterator[bytes]
    match kind:
        case "string":
            parts = iter([client.get(key)])
        case "hash":
            parts = (part for pair in client.hgetall(key).items() for part in pair)
        case "list":
            parts = iter(client.lrange(key, 0, -1))
        case "zset":
            parts = (member + bytes(8) for member in client.zrange(key, 0, -1))
        case _:
            parts = (bytes(16) + b"".join(fields.values()) for _, fields in client.xrange(key))
    return len(key) + sum(map(len, parts))


def most(counted: str) -> tuple[Fraction, Fraction]:
    """Return how many such requests a guest can send in an hour, and an address with its guests."""
    if counted in {"nothing", "operators"}:
        return Fraction(0), Fraction(0)
    if counted == "once":
        return Fraction(1), Fraction(GUESTS)
    found = re.fullmatch(r"`([a-z-]+)`(?: × ([0-9]+))?", counted)
    assert found, counted
    bucket, times = found[1], int(found[2] or 1)
    if bucket.endswith("-from-address") or bucket == "new-players":
        return Fraction(min(1, _in_an_hour(bucket))), _in_an_hour(bucket)
    by_address = f"{bucket}-from-address"
    guest = _in_an_hour(bucket)
    return guest * times, (_in_an_hour(by_address) if by_address in LIMITS else guest * GUESTS) * times


def _in_an_hour(bucket: str) -> Fraction:
    seconds = LIMITS[bucket].seconds
    return Fraction(DEFAULTS[bucket]) * (1 if seconds is None else max(1, Fraction(3600, seconds)))


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_every_operation_that_writes_is_in_the_table_once() -> None:
    assert sorted(ROWS) == sorted(WRITES.values())
    assert SECTION.count("\n| `") == len(ROWS) > 40


@pytest.mark.parametrize("operation", ROWS)
def test_the_hour_of_each_operation_follows_from_its_bytes_and_from_the_limits(operation: str) -> None:
    stays, expires, counted, *hours = ROWS[operation]
    guest, address = most(counted)
    bytes_left = [amount * number(size) for amount in (guest, address) for size in (stays, expires)]
    made = [f"{ceil(each / 10**5) / 10:,.1f}" for each in bytes_left]
    assert hours == made, " | ".join(made)


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_an_operation_leaves_no_more_than_the_table_says(name: str) -> None:
    world = Weighed(name)
    try:
        record.found()[name](world)
    finally:
        world.close()
    stays, expires = world.left
    told = ROWS.get(OPERATIONS[name], ["0", "0"])
    assert stays <= number(told[0]), world.left
    assert expires <= number(told[1]), world.left
    for key, seconds in world.seconds.items():
        assert (seconds > 0) == (time_of(key) is not None), key
        assert seconds <= (time_of(key) or 0), key


GROWTH = (ROOT / "docs/operations/growth.md").read_text().partition("## What grows")[2].partition("\n## ")[0]
KEYS = [[cell.strip() for cell in row.strip("|").split("|")] for row in GROWTH.splitlines() if row.startswith("| `")]


TIMES = {
    "a minute": 60,
    "two minutes": 120,
    "an hour": 3600,
    "a day": 86_400,
    "two days": 2 * 86_400,
    "`PLATEAU_ANSWER_HOURS`": Settings().answer_hours * 3600,
}


def time_of(key: str) -> int | None:
    """Return for how many seconds a key can stay, by the page; None if it does not say that it expires."""
    (bound,) = {row[2] for row in KEYS for name in re.findall("`([^`]+)`", row[0]) if is_named(key, name)}
    said = re.search(
        r"expires (?:within |after |with the link, |two periods, |at most )*(.+?)(?: after| at most|;|$)", bound
    )
    if said is None:
        return None
    days = re.fullmatch(r"([0-9]+) days", said[1])
    return int(days[1]) * 86_400 if days else TIMES[said[1]]


def is_named(key: str, name: str) -> bool:
    parts = [
        {"x": "[^:]+", "{s07}": r"\{s[0-9]+\}", "{x}": r"\{(?!s[0-9])[^}]+\}"}.get(part, re.escape(part))
        for part in name.split(":")
    ]
    return re.fullmatch(":".join(parts), key) is not None or (name == keys.RATES and key.startswith(f"{name}:"))


def test_every_key_is_named_once_with_what_it_holds_and_what_bounds_it() -> None:
    named = [key for row in KEYS for key in re.findall("`([^`]+)`", row[0])]
    assert sorted(named) == sorted(keys_in_use())
    assert len(named) > 20
    assert all(len(row) == 3 and all(row) for row in KEYS)


def test_every_function_of_the_module_of_keys_returns_a_key_or_says_what_else() -> None:
    for name, function in inspect.getmembers(keys, inspect.isfunction):
        if function.__module__ == keys.__name__:
            begins = (function.__doc__ or "").split(":")[0]
            assert begins in KINDS or begins.startswith("Return "), f"{name}: begin with {', '.join(KINDS)} or Return"


MODEL = (ROOT / "docs/threat-model.md").read_text()
SECURITY = (ROOT / "SECURITY.md").read_text()


def test_what_each_answer_discloses_is_said_of_every_operation_once() -> None:
    told = re.findall(r"^\| `([A-Z]+ /\S*)` \| [^|]+ \| [^|]+ \|$", MODEL, re.MULTILINE)
    document = yaml.load((generate.HERE / "openapi.yaml").read_text(), yaml.CSafeLoader)
    operations = [f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods]
    assert len(operations) > 30
    assert sorted(told) == sorted(operations)


def test_the_four_who_attack_are_told_apart() -> None:
    may = MODEL.partition("## Who can do what")[2].partition("\n## ")[0]
    for who in ("Stranger", "Spectator", "Player", "Operator"):
        assert f"| **{who}**" in may


def test_every_promise_is_tried_by_a_test() -> None:
    table = SECURITY.partition("## What is promised")[2].partition("\n## ")[0]
    promises = [row for row in table.splitlines() if row.startswith("| ")][1:]
    assert len(promises) >= 7
    for promise in promises:
        assert re.search(r"\]\((tests|domain/laws)/", promise), promise
