"""The entries of logs that a process has read from elsewhere and will perhaps read again, in bounded memory."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

_MOST_BYTES = 8 * 2**20
"""How many bytes of entries are kept."""


class KeptEntries:
    """The entries of the logs, or parts of logs, that were read last, by names under which nothing ever changes."""

    def __init__(self) -> None:
        self._logs: OrderedDict[str, Sequence[bytes]] = OrderedDict()
        self._bytes = 0
        self._turn = threading.Lock()

    def find(self, name: str) -> Sequence[bytes] | None:
        with self._turn:
            if name in self._logs:
                self._logs.move_to_end(name)
            return self._logs.get(name)

    def keep(self, name: str, entries: Sequence[bytes]) -> None:
        """Keep entries; those that were used longest ago go if they are too many, but never these."""
        with self._turn:
            if name not in self._logs:
                self._logs[name] = entries
                self._bytes += sum(map(len, entries))
            while self._bytes > _MOST_BYTES and len(self._logs) > 1:
                _, oldest = self._logs.popitem(last=False)
                self._bytes -= sum(map(len, oldest))
