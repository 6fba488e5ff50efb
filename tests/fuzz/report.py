"""What a fuzzer has done so far and what it has found, and when it stops."""

import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_FINDINGS = 20
_EVERY_SECONDS = 5.0


@dataclass
class Report:
    """The run of one fuzzer.

    It stops when its seconds are over, when it has found more than anyone reads, or when it has done ``enough``.
    """

    name: str
    seconds: float
    is_loud: bool = True
    most: int = MOST_FINDINGS
    enough: Mapping[str, int] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    findings: dict[str, str] = field(default_factory=dict)
    _began: float | None = None
    _spoke: float = 0.0

    @property
    def is_running(self) -> bool:
        """Return whether the run continues, print the progress now and then; the time starts with the first call."""
        now = time.monotonic()
        if self._began is None:
            self._began = self._spoke = now
            return True
        if self.is_loud and now - self._spoke > _EVERY_SECONDS:
            self._spoke = now
            self.tell()
        return now - self._began < self.seconds and len(self.findings) < self.most and not self._has_done_enough

    @property
    def _has_done_enough(self) -> bool:
        return bool(self.enough) and not self.missing

    @property
    def missing(self) -> dict[str, int]:
        """Return how often something must still be done before it is enough."""
        return {what: least - self.done[what] for what, least in self.enough.items() if self.done[what] < least}

    def count(self, what: str, times: int = 1) -> None:
        """Count something that was done."""
        self.done[what] += times

    def found(self, kind: str, how: str) -> None:
        """Keep a finding, one of each kind, with how to see it again."""
        if kind not in self.findings:
            self.findings[kind] = how
            if self.is_loud:
                print(f"  FOUND {kind}\n{how}\n", file=sys.stderr, flush=True)

    def tell(self) -> None:
        """Print a line on the progress."""
        took = 0.0 if self._began is None else time.monotonic() - self._began
        counts = ", ".join(f"{number:,} {what}" for what, number in sorted(self.done.items()))
        print(f"  {self.name:8} {took:4.0f} s  {counts}; {len(self.findings)} findings", flush=True)
