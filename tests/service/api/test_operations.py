"""For operators and tools: health, readiness, the document, the pages for people.

The page for people: every operation with its description and its example, and links that lead somewhere.
"""

import html
import json
import re
from dataclasses import replace
from importlib.resources import files

import fakeredis
import jsonschema_rs
import pytest
from openapi_spec_validator import validate
from prometheus_client.parser import text_string_to_metric_families

from domain.game.durations import DAY, instant
from service.api.http.errors import KINDS
from service.api.openapi.examples import recorded
from service.common import wall_clock
from service.common.observability import ProcessMetrics
from service.common.version import VERSION
from service.config.operator_page import OperatorPage
from service.config.settings import Settings
from service.store.reporting import report_counts
from service.store.waiting import READERS
from tests.support.people import ME, Server
from tests.support.server import PATIENCE, ROOT


@pytest.fixture
def cut_off(contract, closing):
    """A service whose Redis does not answer, and a player and a game that it knew before."""
    redis_server = fakeredis.FakeServer()
    server = Server(fakeredis.FakeRedis(server=redis_server), contract)
    ada = server.newcomer("Ada")
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, ME], "sandbox": True}).json
    redis_server.connected = False
    yield server, ada, f"/v1/games/{game['id']}"
    closing.submit(server.players.close)


def test_a_running_process_is_healthy_and_ready(stranger):
    for path in ("/healthz", "/readyz"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.json) == (200, {"status": "ok", "version": VERSION})


def test_without_redis_a_process_is_healthy_and_not_ready(cut_off):
    server, _, _ = cut_off
    assert server.stranger().get("/healthz").status_code == 200
    answer = server.stranger().get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "1"


def test_without_redis_every_request_for_games_and_players_is_answered_503(cut_off):
    _, ada, path = cut_off
    for method, at, body in (
        ("GET", path, None),
        ("GET", f"{path}/view", None),
        ("GET", f"{path}/board.svg", None),
        ("GET", f"{path}/events", None),
        ("GET", f"{path}/legal-actions", None),
        ("GET", "/v1/games", None),
        ("GET", "/v1/me", None),
        ("GET", "/v1/me/tokens", None),
        ("GET", f"/v1/players/{ada.id}", None),
        ("POST", "/v1/players", {"name": "Eve"}),
        ("PATCH", "/v1/me", {"name": "Eve"}),
        ("DELETE", f"/v1/me?confirm={ada.id}", None),
        ("POST", "/v1/games", {"ruleset": "le-plateau", "seats": [ME, ME], "sandbox": True}),
        ("POST", f"{path}/seats", {}),
        ("POST", f"{path}/actions", {"type": "pass"}),
        ("POST", f"{path}/actions?dry_run=true", {"type": "pass"}),
    ):
        answer = ada.ask(method, at, body)
        assert (answer.status_code, answer.json["code"]) == (503, "unavailable"), (method, at)
        assert answer.headers["Retry-After"] == "1"
        assert answer.json["detail"] == "the log cannot be reached now"


def test_when_redis_is_back_everything_continues(cut_off):
    server, ada, path = cut_off
    assert ada.get(f"{path}/view").status_code == 503
    server.redis.connection_pool.connection_kwargs["server"].connected = True
    assert ada.get(f"{path}/view").status_code == 200


def test_the_document_is_valid_openapi_3_1(contract):
    schema = json.loads((files("openapi_spec_validator") / "resources/schemas/v3.1/schema.json").read_text())
    jsonschema_rs.Draft202012Validator(schema).validate(contract.document)
    assert contract.document["openapi"].startswith("3.1")
    assert contract.document["info"]["version"] == VERSION


@pytest.mark.long
def test_what_the_document_refers_to_is_there_and_fits(contract):
    validate(contract.document)


def test_every_route_for_others_is_in_the_document_and_nothing_else(server, contract):
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in server.app.url_map.iter_rules()
        if not server.app.view_functions[rule.endpoint].operation.is_internal
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method) for path, methods in contract.document["paths"].items() for method in methods}


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_the_root_leads_a_program_on(reading):
    stranger = reading.stranger()
    for accepted in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "application/json, text/html"}):
        answer = stranger.get("/", **accepted)
        assert (answer.status_code, answer.mimetype) == (200, "application/json")
        assert (answer.json["version"], answer.json["polling_seconds"]) == (VERSION, 1)
    for link in answer.json["links"].values():
        assert stranger.get(link).status_code in (200, 401, 405), link


def test_what_the_page_for_people_suggests_works(ada, stranger, reading):
    page = html.unescape(reading.stranger().get("/docs").text)
    player, game = (json.loads(body) for body in re.findall("-d '(.+)'", page[: page.index("<details")]))
    assert stranger.post("/v1/players", player).status_code == 201
    created = ada.post("/v1/games", game)
    assert (created.status_code, created.json["status"]) == (201, "active")


def test_the_page_and_the_links_have_etags_of_their_own(stranger):
    known = stranger.get("/").headers["ETag"]
    assert stranger.get("/", If_None_Match=known).status_code == 304
    assert stranger.get("/", Accept=BROWSER, If_None_Match=known).status_code == 200


def test_the_operator_who_has_an_address_can_be_reached_and_the_text_does_not_expire_soon(server, monkeypatch):
    files = server.app.test_client()
    text = files.get("/.well-known/security.txt").text
    fields = dict(line.split(": ", 1) for line in text.splitlines())
    assert fields["Contact"] == "mailto:plateau@play.example"
    days = (instant(fields["Expires"]) - wall_clock.now_ms()) / DAY
    assert 30 < days < 366
    monkeypatch.setitem(server.app.extensions, "plateau", replace(server.services, contact=None))
    assert files.get("/.well-known/security.txt").status_code == 404
    assert Settings().contact is None


def test_players_read_what_the_operator_has_written_with_its_settings_and_the_start_names_its_gaps(
    server, monkeypatch, tmp_path
):
    files = server.app.test_client()
    assert "The operator has not written anything here yet." in files.get("/about").text
    settings = Settings(data=tmp_path, public_url="https://play.example", mail_from="ada@play.example", sandbox_days=7)
    about = OperatorPage(settings)
    assert str(tmp_path / "about.md") in str(about.fault())
    template = (ROOT / "docs/operations/about.md").read_text()
    (tmp_path / "about.md").write_text(template)
    gaps = re.findall(r"\[[^\]]+\]", template)
    assert len(gaps) > 10
    assert about.fault() == f"{tmp_path}/about.md has gaps, which players see at /about: {', '.join(gaps)}"
    (tmp_path / "about.md").write_text(re.sub(r"\[[^\]]+\]", "<b>The club</b> & friends", template))
    assert about.fault() is None
    monkeypatch.setitem(server.app.extensions, "plateau", replace(server.services, about=about))
    page = files.get("/about").text
    assert re.findall(r"<h2>(.*?)</h2>", page) == [
        "Imprint", "Terms", "Conduct", "Privacy", "What we keep, why, and how long",
    ]  # fmt: skip
    assert "&lt;b&gt;The club&lt;/b&gt; &amp; friends offers games at https://play.example, free" in page
    assert "a sandbox ends 7 days after its end.</li>" in page
    assert page.count("<li>") == 12
    assert "{" not in page[page.index("<h1>") :]
    text = (
        "\ufeff# The club\nAda,\nBen [see](/docs)\n## Terms\nWe keep:\n- one\n- two,\n  three\n\n- four" + " " * 90_000
    )
    (tmp_path / "about.md").write_text(text)
    assert about.fault() is None
    assert list(about.blocks()) == [
        ("h1", ["The club"]), ("p", ["Ada, Ben [see](/docs)"]), ("h2", ["Terms"]), ("p", ["We keep:"]),
        ("ul", ["one", "two, three"]), ("ul", ["four"]),
    ]  # fmt: skip
    (tmp_path / "about.md").unlink()
    (tmp_path / "about.md").mkdir()
    assert about.fault() == f"/about has no text: {tmp_path}/about.md cannot be read (Is a directory)"
    assert list(about.blocks()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_problem_has_a_page(stranger, kind):
    answer = stranger.get(f"/v1/problems/{kind}")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert str(KINDS[kind].status) in answer.text
    assert KINDS[kind].title().replace("'", "&#39;") in answer.text


def test_the_figures_are_in_prometheus_form_and_tell_what_is_behind(server, ada):
    ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, {"bot": "random"}], "clock": {"per_move": "PT1H"}})
    metrics = ProcessMetrics()
    for bot in ("random", "random", "other"):
        metrics.count("bot_moves", bot)
    metrics.count("outdated")
    report_counts(server.redis, metrics)
    answer = server.stranger().get("/metrics")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    shown = {
        sample.name: sample.value for family in families.values() for sample in family.samples if not sample.labels
    }
    changes, notices = ((("feed", feed), ("reader", reader)) for feed, reader in READERS.items())
    for name, figure in (("entries", 1), ("unread", 1), ("unacknowledged", 0)):
        samples = families[f"plateau_feed_{name}"].samples
        assert {sample.labels["feed"]: sample.value for sample in samples} == {"changes": figure, "notices": figure}
    ages = {tuple(each.labels.items()): each.value for each in families["plateau_feed_lag_seconds"].samples}
    assert ages.keys() == {changes, notices}
    assert all(0 <= age < PATIENCE for age in ages.values())
    assert shown["plateau_deadlines"] == 1
    assert shown["plateau_web_silence_seconds"] == 0
    assert shown["plateau_outdated_total"] == 1
    assert shown["plateau_pauses_ended_total"] == 0
    moves = {sample.labels["bot"]: sample.value for sample in families["plateau_bot_moves"].samples}
    assert {bot: count for bot, count in moves.items() if count} == {"random": 2, "other": 1}
    assert all(family.documentation for family in families.values())


def test_without_redis_there_are_no_figures(cut_off):
    assert cut_off[0].stranger().get("/metrics").status_code == 503


@pytest.fixture(scope="module")
def page(reading):
    return reading.stranger().get("/docs").text


def shown(text):
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def sections(page):
    """Return what the page shows of each operation."""
    parts = re.split(r'<div id="(\w+)">', page)
    return dict(zip(parts[1::2], map(shown, parts[2::2]), strict=True))


def test_every_operation_is_shown_with_its_description_and_its_example(page, contract):
    found = sections(page)
    for methods in contract.document["paths"].values():
        for each in methods.values():
            section, example = found[each["operationId"]], recorded()[each["operationId"]]
            assert each["description"].replace("`", "") in section
            assert f"{example['request']['method']} {example['request']['path']}\n" in f"{section}\n"
            for name, value in {**example["request"]["headers"], **example["response"]["headers"]}.items():
                assert f"{name}: {value}" in section


def test_the_example_of_a_request_can_be_read_back(page):
    shown_body = re.search(r"Content-Type: application/json\n\n(\{.*?\n\})", sections(page)["create_game"], re.DOTALL)
    assert json.loads(shown_body[1]) == recorded()["create_game"]["request"]["body"]


def test_every_link_within_the_page_leads_to_one_place(page):
    places = re.findall(r'\bid="([^"]+)"', page)
    assert len({*places}) == len(places)
    links = {*re.findall(r'href="#([^"]+)"', page)}
    assert links <= {*places}
    assert {"tag-play", "schemas", "schema-PluteView", "schema-GameInput"} <= links


def test_every_link_to_a_problem_leads_to_its_page(page, stranger):
    for address in {*re.findall(r'href="(/v1/problems/[^"]+)"', page)}:
        assert stranger.get(address).status_code == 200, address
