"""Bodies padded with blanks, each a little different, must not pile up in the memory of a process."""

import gc
import json
import tracemalloc

import pytest

PADDED, BYTES = 200, 60_000


@pytest.mark.long
def test_padded_actions_leave_nothing_behind(sandbox, ada):
    action = json.dumps({"type": "play", "card": "RH"})

    def try_out(number):
        body = f"{action[:-1]}{' ' * (BYTES + number)}}}".encode()
        answer = ada.ask("POST", f"{sandbox.path}/actions?dry_run=true", body)
        assert answer.status_code in (409, 422)

    try_out(0)
    gc.collect()
    tracemalloc.start()
    for number in range(1, PADDED + 1):
        try_out(number)
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < PADDED * BYTES / 10
