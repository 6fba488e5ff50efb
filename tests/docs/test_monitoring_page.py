"""What operators are given to watch a service names figures that there are, and the page explains all of these."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from service.store.reporting import KINDS
from tests.support.people import ME, OPEN, Client
from tests.support.server import ROOT, RunningService, fetch, wait_until

PAGE = (ROOT / "docs/monitoring.md").read_text()
FILES = ROOT / "docs/monitoring"
ALERTS = [rule for group in yaml.safe_load((FILES / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
DASHBOARD = json.loads((FILES / "dashboard.json").read_text())
FIGURE = re.compile(r"plateau_[a-z_]+")
FROM_THE_SCRAPE = {"job", "instance", "le"}

Labels = Mapping[str, set[str]]


def targets() -> Iterator[Mapping[str, Any]]:
    """List the queries of the dashboard."""
    for panel in DASHBOARD["panels"]:
        yield from panel.get("targets", ())


QUERIES = [*(rule["expr"] for rule in ALERTS), *(target["expr"] for target in targets())]


def rows(heading: str) -> list[list[str]]:
    """Return the rows of all tables of a section of the page, without their heads."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]


@pytest.fixture(scope="module")
def printed(service: RunningService) -> str:
    """What a service prints after use: games of players and bots, and requests that are refused."""
    ada = Client(service.url)
    assert ada.ask("GET", "/v1/games/gm_x")[0] == 404
    assert ada.ask("POST", "/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]})[0] == 201
    bots = {"ruleset": "plute", "seats": [{"bot": "greedy"}] * 6}
    assert ada.ask("POST", "/v1/games", bots)[0] == 201
    seen = ""

    def is_reported() -> bool:
        nonlocal seen
        seen = fetch(f"{service.url}/metrics")[1].decode()
        counted = figures(seen)
        kinds = {kind for kind in KINDS if f'plateau_processes{{kind="{kind}"}} 0.0' not in seen}
        used = {f"plateau_{name}_seconds_bucket" for name in ("request", "queue", "append", "job", "thinking")}
        return kinds == {*KINDS} and used <= counted.keys() and 'code="no-such-game"' in seen

    wait_until(is_reported, "all processes to report")
    return seen


def figures(text: str) -> dict[str, Labels]:
    """Return the figures that are printed, and the values of each of their labels."""
    found: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return found


def test_every_figure_that_is_printed_is_explained_and_no_other(printed):
    families = {family.name: family for family in text_string_to_metric_families(printed)}
    shown = {f"{name}_total" if family.type == "counter" else name for name, family in families.items()}
    explained = [name for row in rows("Figures") for name in FIGURE.findall(row[0])]
    assert sorted(explained) == sorted(shown)


def test_every_query_asks_for_figures_and_labels_that_there_are(printed):
    known = figures(printed)
    for query in QUERIES:
        asked = FIGURE.findall(query)
        assert asked or "up{" in query
        for name in asked:
            assert name in known, f"{name} is not printed"
        for name, matchers in re.findall(r"(plateau_[a-z_]+)\{([^}]*)\}", query):
            for label, how, value in re.findall(r'(\w+)(=~?)"([^"]*)"', matchers):
                assert label in known[name], query
                if how == "=":
                    assert value in known[name][label], f"{name} has no {label} {value}"
        for labels in re.findall(r"\bby \(([^)]*)\)", query):
            for label in labels.split(", "):
                assert label in FROM_THE_SCRAPE or any(label in known[name] for name in asked), query


def test_what_the_dashboard_writes_beside_a_line_is_a_label_of_it(printed):
    known = figures(printed)
    for target in targets():
        for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
            assert any(label in known[name] for name in FIGURE.findall(target["expr"])), target


def test_no_figure_names_a_game_a_player_or_a_token(printed):
    assert not re.search(r"gm_|pl_|plt_|127\.0\.0\.1", printed)
    assert len(printed.splitlines()) < 2000


def test_every_alert_says_what_it_means_and_what_to_do():
    explained = {row[0].strip("`"): row[1:] for row in rows("Alerts")}
    assert [*explained] == [rule["alert"] for rule in ALERTS]
    for rule in ALERTS:
        assert all(len(text) > 20 for text in (*explained[rule["alert"]], rule["annotations"]["summary"]))
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_every_panel_has_a_title_of_its_own_and_a_place():
    panels = DASHBOARD["panels"]
    assert len({panel["title"] for panel in panels}) == len({panel["id"] for panel in panels}) == len(panels)
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len(panels)


def test_compose_mounts_files_that_there_are():
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    for name in ("prometheus", "grafana"):
        assert services[name]["profiles"] == ["watch"]
        for volume in services[name]["volumes"]:
            assert (ROOT / volume.split(":")[0]).is_file()
    scraped = yaml.safe_load((FILES / "prometheus.yml").read_text())
    assert scraped["scrape_configs"][0]["job_name"] == "plateau"
    assert (FILES / scraped["rule_files"][0]).is_file()


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed (apt-get install prometheus)")
def test_promtool_accepts_the_files_and_the_queries_of_the_dashboard(tmp_path: Path):
    queries = [target["expr"].replace("$__rate_interval", "1m") for target in targets()]
    recorded = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]
    (tmp_path / "queries.yml").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": recorded}]}))
    for kind, file in (
        ("rules", FILES / "alerts.yml"), ("config", FILES / "prometheus.yml"), ("rules", tmp_path / "queries.yml"),
    ):  # fmt: skip
        checked = subprocess.run(["promtool", "check", kind, str(file)], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
