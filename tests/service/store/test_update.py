"""A change that reads before it writes is one atomic step."""

from typing import Any

import pytest
import redis

from service.store.scripts import update
from tests.support.stores import KINDS, empty_store

client = pytest.fixture(params=KINDS)(empty_store)


def test_a_change_is_made_again_if_another_process_was_faster(client: redis.Redis) -> None:
    others = iter((10, 20))

    def add_one(pipe: Any) -> int:
        before = int(pipe.get("x") or 0)
        if other := next(others, None):
            client.set("x", other)
        pipe.multi()
        pipe.set("x", before + 1)
        return before

    assert update(client, ("x",), add_one) == 20
    assert client.get("x") == b"21"


def test_a_change_that_raises_or_only_reads_leaves_everything_as_it_was(client: redis.Redis) -> None:
    def refuse(pipe: Any) -> None:
        pipe.multi()
        pipe.set("x", 1)
        raise LookupError

    with pytest.raises(LookupError):
        update(client, ("x",), refuse)
    assert update(client, ("x",), lambda pipe: pipe.get("x")) is None
    assert client.keys() == []
