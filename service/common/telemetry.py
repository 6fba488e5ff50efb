"""Spans by OpenTelemetry; ``service.common.observability`` loads this only where an operator asks for traces."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry import trace
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_KINDS = {"request": SpanKind.SERVER, "append": SpanKind.CLIENT, "job": SpanKind.CONSUMER}
_PARENT = "traceparent"
_W3C = TraceContextTextMapPropagator()

_is_job: ContextVar[bool] = ContextVar("is_job", default=False)


class Tracing:
    """Opens spans with one provider."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("plateau")

    @contextmanager
    def span(self, name: str, parent: str, attributes: Mapping[str, str | int]) -> Iterator[None]:
        """Open a span below the current one, or below ``parent``, a traceparent of W3C.

        Of what is raised in it, it has the type alone: a message can quote what is secret.
        """
        context = _W3C.extract({_PARENT: parent}) if parent else None
        with self._tracer.start_as_current_span(
            name, context, _KINDS.get(name, SpanKind.INTERNAL), attributes, record_exception=False,
            set_status_on_exception=False,
        ) as span:  # fmt: skip
            token = _is_job.set(name == "job" or (_is_job.get() and not parent))
            try:
                yield
            except BaseException as error:
                span.set_status(StatusCode.ERROR)
                span.set_attribute("error.type", type(error).__name__)
                raise
            finally:
                _is_job.reset(token)

    def note(self, attributes: Mapping[str, str | int]) -> None:
        """Add attributes to the current span."""
        trace.get_current_span().set_attributes(dict(attributes))

    def carried(self) -> str:
        """Return the traceparent of the current span, '' if there is none, or within a job.

        A job that follows from a job has a trace of its own: a game of bots is one long chain of jobs.
        """
        carrier: dict[str, str] = {}
        if not _is_job.get():
            _W3C.inject(carrier)
        return carrier.get(_PARENT, "")


def exporting(exporter: str) -> Tracing:
    """Return what sends spans where the variables of OpenTelemetry say, under the name that they give the service.

    ``exporter`` is ``otlp`` or ``console``.
    """
    named = Resource.create({"service.name": "plateau"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=named)
    provider.add_span_processor(BatchSpanProcessor(_exporter(exporter)))
    return Tracing(provider)


def _exporter(exporter: str) -> SpanExporter:
    if exporter == "console":
        return ConsoleSpanExporter()
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - it is large

    return OTLPSpanExporter()
