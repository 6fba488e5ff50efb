"""A job continues the trace of the append that made it."""

from service.common import tracing
from tests.support.traces import named


def test_a_job_continues_the_trace_of_the_append_that_made_it(house, spans):
    with tracing.span("request"):
        game = house.begin("random", "random", "random")
    (request,) = named(spans, "request")
    for _ in range(2):
        house.handle(game)
    first, second = named(spans, "job")
    assert first.context.trace_id == request.context.trace_id
    assert second.context.trace_id != request.context.trace_id
    assert second.parent is None
    assert first.attributes["plateau.game"] == game
    appends = [span for span in named(spans, "append") if span.parent.span_id == first.context.span_id]
    assert appends
    assert named(spans, "policy")[0].context.trace_id == request.context.trace_id
    assert house.client.hgetall(house.store.shard(game).traces) == {}


def test_a_trace_that_no_worker_takes_is_forgotten(house, spans):
    with tracing.span("request"):
        game = house.begin("random", "random", "random")
    assert 0 < house.client.pttl(house.store.shard(game).traces) <= 3_600_000
    tracing.use(None)
    other = house.begin("random", "random", "random")
    assert not house.client.hexists(house.store.shard(other).traces, other)
    house.handle(game)
