"""The spans that a test makes, kept in memory; without the extra ``otel``, such tests are left out."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from service.common import observability

Spans = Callable[[], Sequence[Any]]


@pytest.fixture
def spans() -> Iterator[Spans]:
    """Return the spans that were made since the test began."""
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    from service.common.telemetry import Tracing  # noqa: PLC0415 - it needs the extra

    exporter, provider = memory.InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    observability.use(Tracing(provider))
    yield exporter.get_finished_spans
    observability.use(None)


def named(spans: Spans, name: str) -> list[Any]:
    """Return the spans of a name."""
    return [span for span in spans() if span.name == name]
