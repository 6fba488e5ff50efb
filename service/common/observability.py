"""What the service says about itself to operators: counts and times of a process, and traces.

Counting takes about a microsecond and no trip to Redis: ``service.store.reporting`` adds the counts to the sums of all
processes every few seconds. Names and labels come from the program and never from a client, so their number is bounded;
``service.runtime.metrics`` lists and explains them.

Traces show what the service spends its time on, from a request through its append to the job that follows from it. They
are for operators who ask for them by the standard variables of OpenTelemetry (``OTEL_…``), with the extra ``otel``
installed. For all others, a span costs a call, and the service loads nothing of OpenTelemetry.
"""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.common.telemetry import Tracing


BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""The upper bounds of the buckets of times, in seconds; what took longer is in one more bucket."""

Counts = Mapping[tuple[str, str], int]
"""Counts by name and label. A time has one for each bucket (``name:0``), and the sum in microseconds (``name:us``)."""


class ProcessMetrics:
    """Counts by name and label, from any thread; ``gauges`` return what there is now, such as open streams."""

    def __init__(self) -> None:
        self.gauges: dict[str, Callable[[], float]] = {}
        self._counted = Counter[tuple[str, str]]()
        self._lock = threading.Lock()

    def count(self, name: str, label: str = "", times: int = 1) -> None:
        """Count one more, or several."""
        with self._lock:
            self._counted[name, label] += times

    def time(self, name: str, seconds: float, label: str = "") -> None:
        """Count a time in its bucket, and add it to the sum of times."""
        with self._lock:
            self._counted[f"{name}:{bisect_left(BOUNDS, seconds)}", label] += 1
            self._counted[f"{name}:us", label] += int(seconds * 1_000_000)

    def take(self) -> Counts:
        """Return what was counted since the last call."""
        with self._lock:
            taken, self._counted = self._counted, Counter()
        return taken

    def put_back(self, taken: Counts) -> None:
        """Count again what could not be reported."""
        with self._lock:
            self._counted.update(taken)


METRICS = ProcessMetrics()


EXPORTERS = ("otlp", "console", "none")
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PACKAGES = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
_NOTHING = nullcontext()

_tracing: "Tracing | None" = None


class TracingUnavailable(Exception):
    """Traces are asked for, and cannot be made; the message says what to do."""


def span(name: str, parent: str = "", **attributes: str | int) -> AbstractContextManager[None]:
    """Open a span, below the current one or below a ``parent`` that was carried here."""
    return _NOTHING if _tracing is None else _tracing.span(name, parent, attributes)


def note(**attributes: str | int | None) -> None:
    """Add attributes to the current span; None is left out."""
    if _tracing is not None:
        _tracing.note({name: value for name, value in attributes.items() if value is not None})


def carried() -> str:
    """Return what lets another process continue the current trace, '' if there is none."""
    return "" if _tracing is None else _tracing.carried()


def is_on() -> bool:
    """Return whether spans are made."""
    return _tracing is not None


def exporter_for(environ: Mapping[str, str]) -> str | None:
    """Return where the variables send traces, None if nowhere; raise ``TracingUnavailable`` if that cannot be done."""
    asked = environ.get("OTEL_TRACES_EXPORTER") or ("otlp" if any(map(environ.get, _ENDPOINTS)) else "none")
    if asked not in EXPORTERS:
        raise TracingUnavailable(f"OTEL_TRACES_EXPORTER is {asked!r}; allowed: one of {', '.join(EXPORTERS)}.")
    if asked == "none" or environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    if not all(map(_is_installed, _PACKAGES)):
        raise TracingUnavailable(
            "OTEL_… asks for traces, but OpenTelemetry is missing: pip install plateau-server[otel]"
        )
    return asked


def begin(environ: Mapping[str, str]) -> None:
    """Make spans from now on, if the variables ask for them; raise ``TracingUnavailable`` if that cannot be done."""
    exporter = exporter_for(environ)
    if exporter is not None:
        from service.common.telemetry import exporting  # noqa: PLC0415 - loaded only where it is asked for

        use(exporting(exporter))


def use(tracing: "Tracing | None") -> None:
    """Make spans with this from now on, or (None) none."""
    global _tracing  # noqa: PLW0603 - like logging, it belongs to the process
    _tracing = tracing


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False
