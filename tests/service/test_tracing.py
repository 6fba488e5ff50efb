"""Traces, for operators who ask for them, from a request through its append to the job; nothing for all others."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from service.common import observability
from service.common.observability import TracingUnavailable
from tests.support.people import ME, Client
from tests.support.server import ROOT, running_service, wait_until

IMPORTED = """
import sys
import service.cli.serve, service.runtime.wiring, service.api.http.asgi, workers.processes, workers.courier
sys.exit("service.common.telemetry" in sys.modules)
"""
BOT = {"bot": "greedy"}


def test_who_asks_for_no_traces_loads_nothing_for_them_and_opens_no_span():
    assert subprocess.run([sys.executable, "-c", IMPORTED], cwd=ROOT, check=False).returncode == 0
    assert observability.span("request") is observability.span("append", "parent", more=1), (
        "one context that does nothing"
    )
    assert observability.carried() == ""
    assert not observability.is_on()


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"},
        {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "True"},
        {"OTEL_SERVICE_NAME": "plateau"},
    ],
)
def test_variables_that_ask_for_no_traces(environ):
    assert observability.exporter_for(environ) is None


@pytest.mark.parametrize("environ", [{"OTEL_TRACES_EXPORTER": "zipkin"}, {"OTEL_TRACES_EXPORTER": "OTLP"}])
def test_an_exporter_that_there_is_not_is_refused(environ):
    with pytest.raises(TracingUnavailable, match="otlp, console, none"):
        observability.exporter_for(environ)


def test_traces_without_the_extra_are_refused_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(TracingUnavailable, match=r"pip install plateau-server\[otel\]"):
        observability.exporter_for({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})


# -- with the extra -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "exporter"),
    [
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "console"}, "console"),
    ],
)
def test_variables_that_ask_for_traces(variable, exporter, spans):
    assert observability.exporter_for(variable) == exporter


SPAN = """
from service.common.telemetry import exporting
with exporting("console").span("append", "", {}):
    pass
"""


@pytest.mark.parametrize(
    ("variables", "name", "place"),
    [
        ({}, "plateau", None),
        ({"OTEL_SERVICE_NAME": "mine", "OTEL_RESOURCE_ATTRIBUTES": "place=here"}, "mine", "here"),
        ({"OTEL_RESOURCE_ATTRIBUTES": "service.name=mine"}, "mine", None),
    ],
)
def test_traces_are_named_as_the_variables_say(variables, name, place, spans):
    env = {key: value for key, value in os.environ.items() if not key.startswith("OTEL_")} | variables
    ended = subprocess.run([sys.executable, "-c", SPAN], cwd=ROOT, env=env, capture_output=True, check=True, text=True)
    attributes = json.loads(ended.stdout)["resource"]["attributes"]
    assert (attributes["service.name"], attributes.get("place")) == (name, place)


def test_of_what_fails_a_span_has_the_type_and_not_the_message(spans):
    with pytest.raises(ValueError, match="RH"), observability.span("project"):
        raise ValueError("RH")
    (span,) = spans()
    assert span.attributes["error.type"] == "ValueError"
    assert "RH" not in span.to_json()


@pytest.mark.long
def test_a_trace_goes_through_all_processes(tmp_path):
    pytest.importorskip("opentelemetry.sdk")
    env = {"OTEL_TRACES_EXPORTER": "console", "OTEL_BSP_SCHEDULE_DELAY": "50", "PLATEAU_WORKERS": "1"}
    with running_service(tmp_path, env) as service:
        ada = Client(service.url)
        game = ada.begin([ME, BOT], ruleset="plateau")
        moved = f"/v1/games/{game}/actions"
        if ask(ada, "GET", f"/v1/games/{game}/view")["to_act"] == [0]:
            ask(ada, "POST", moved, ask(ada, "GET", f"/v1/games/{game}/legal-actions")["actions"][0])

        def traces() -> list[set[str]]:
            by_trace: dict[str, set[str]] = {}
            for span in printed(service.output):
                by_trace.setdefault(span["context"]["trace_id"], set()).add(span["name"])
            return [*by_trace.values()]

        wait_until(lambda: any({"request", "append", "job", "policy"} <= names for names in traces()), "a whole trace")


def ask(ada: Client, method: str, path: str, body=None):
    status, answer = ada.ask(method, path, body)
    assert status < 300, answer
    return answer


def printed(output: str) -> Iterator[dict]:
    """Read the spans that processes have printed, between all else that they print."""
    decoder, at = json.JSONDecoder(), output.find("\n{")
    while at >= 0:
        try:
            span, end = decoder.raw_decode(output, at + 1)
            yield span
        except ValueError:
            end = at + 1
        at = output.find("\n{", end)
