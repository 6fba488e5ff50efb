"""A request as a trace: what it spends its time on, and nothing of anybody's own."""

from tests.support.live import live
from tests.support.people import ME
from tests.support.server import wait_until
from tests.support.traces import named

TRACE = "0af7651916cd43dd8448eb211c80319c"


def test_a_request_is_a_trace_with_nothing_of_anybodys_own(server, spans):
    ada = server.newcomer("Ada Lovelace")
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME] * 3, "sandbox": True}).json["id"]
    server.forget_games()
    before = len(spans())
    with live(server) as app:
        view = app.ask(ada, f"/v1/games/{game}/view", traceparent=f"00-{TRACE}-b7ad6b7169203331-01")
        wait_until(lambda: named(spans, "request"), "the request")
    made = spans()[before:]
    assert [span.name for span in made] == ["fold", "project", "request"]
    assert {f"{span.context.trace_id:032x}" for span in made} == {TRACE}
    request = made[-1]
    assert {span.parent.span_id for span in made[:-1]} == {request.context.span_id}
    assert request.attributes["plateau.operation"] == "show_view"
    assert request.attributes["http.response.status_code"] == view.status == 200
    assert made[0].attributes["events"] > 0
    told = "".join(span.to_json() for span in made)
    assert not [text for text in ("Ada", ada.token, view.body.decode()[:50]) if text in told]


def test_a_refusal_is_named_in_its_trace(server, spans):
    with live(server) as app:
        app.ask(None, "/v1/games/gm_x")
        wait_until(lambda: named(spans, "request"), "the request")
    (request,) = named(spans, "request")
    assert (request.attributes["http.response.status_code"], request.attributes["error.type"]) == (404, "no-such-game")
