"""The browser verifies a game by itself: our vectors, whole games of every ruleset, and every kind of fault."""

import hashlib
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from domain.audit.bundle import read
from domain.audit.verifying import verify
from domain.log import chain
from domain.registry import BUILT_IN
from service.games.projections.auditing import audit
from tests.browser.conftest import Opened
from tests.docs.forged_logs import logs
from tests.support.random_games import log_of, played

VECTORS = json.loads((Path(__file__).parents[1] / "domain/chance_vectors.json").read_text())
LENGTHS = (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000)

_MODULES = "const at = (name) => document.querySelector('script[src]').src.replace('app.js', name);"
_VERIFY = f"""async ([game, forges]) => {{
  {_MODULES}
  const {{ forged, fromAudit, verifyInSteps, Wrong }} = await import(at('verify_bundle.mjs'));
  const tried = async (audit) => {{
    try {{
      const steps = [];
      const {{ draws, ...found }} = await verifyInSteps(fromAudit(audit), (done) => steps.push(done));
      return {{ ...found, draws: draws.length, done: steps.at(-1) }};
    }} catch (error) {{
      if (!(error instanceof Wrong)) throw error;
      return {{ version: error.version, fault: error.kind, where: error.field }};
    }}
  }};
  const whole = await tried(game);
  const changed = forges ? forged(game) : null;
  return {{ whole, forged: changed && await tried(changed.audit), at: changed?.version }};
}}"""


@pytest.fixture
def page(open_page: Opened) -> Page:
    return open_page()


def whole(ruleset_id: str, viewer: int | None = None) -> dict[str, Any]:
    """A game that is over, as the export shows it."""
    ruleset = next(each for each in BUILT_IN if each.id == ruleset_id)
    steps = played(ruleset_id, ruleset.seats[-1], 0)
    return {**audit(steps[-1].game, viewer, log_of(steps))}


def in_browser(page: Page, document: dict[str, Any], *, forges: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(_VERIFY, [document, forges])
    return found


def fault(page: Page, document: dict[str, Any]) -> tuple[int | None, str]:
    found = in_browser(page, document)["whole"]
    return found["version"], found["fault"]


def test_hashes_and_draws_agree_with_the_published_vectors(page: Page) -> None:
    texts = ["a" * length for length in LENGTHS] + ["é♠日本𝄞" * 20]
    script = f"""async ([texts, vectors]) => {{
      {_MODULES}
      const {{ sha256, hex, unhex, utf8, below, permutation, canonical }} = await import(at('verify_bundle.mjs'));
      const chance = (vector) => ({{ secret: unhex(vector.secret), id: vector.game_id, seeds: vector.seeds }});
      return {{
        hashes: texts.map((text) => hex(sha256(utf8(text)))),
        commitments: vectors.commitments.map(({{ secret }}) => hex(sha256(unhex(secret)))),
        numbers: vectors.numbers.map((of) => below(chance(of), of.label, of.number, of.below)),
        permutations: vectors.permutations.map((of) => permutation(chance(of), of.label, of.number, of.items)),
        canonical: canonical({{ "\\uffff": 1,
           "😀": [null, true, "\\u0001\\u007f\\"é"], b: {{}}, a: -3, B: "\\u2028" }}),
      }};
    }}"""
    found = page.evaluate(script, [texts, VECTORS])
    assert found["hashes"] == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert found["commitments"] == [vector["commitment"] for vector in VECTORS["commitments"]]
    assert found["numbers"] == [vector["drawn"] for vector in VECTORS["numbers"]]
    assert found["permutations"] == [vector["permutation"] for vector in VECTORS["permutations"]]
    value = {"\uffff": 1, "😀": [None, True, '\u0001\u007f"é'], "b": {}, "a": -3, "B": "\u2028"}
    assert found["canonical"] == chain.canonical(value).decode()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_a_whole_game_verifies_and_one_changed_thing_is_found(page: Page, ruleset_id: str) -> None:
    document = whole(ruleset_id)
    found = in_browser(page, document, forges=True)
    sealed = sum(len(event["sealed"]) for event in document["events"])
    assert found["whole"] == {
        "events": document["version"],
        "head": document["head"],
        "sealed": sealed,
        "opened": sealed,
        "commitment": document["events"][0]["data"]["commitment"],
        "draws": len(document["draws"]),
        "unchecked": [],
        "done": 1,
    }
    assert (len(document["draws"]) > 0) == (ruleset_id != "plateau")
    assert found["forged"]["version"] == found["at"]
    assert found["forged"]["fault"] == "seal"


def test_every_kind_of_fault_is_found(page: Page) -> None:
    document = whole("french-tarot")
    events = document["events"]
    dealt = next(event["version"] for event in events if event["type"] == "cards_dealt")

    def changed(**parts: Any) -> tuple[int | None, str]:
        return fault(page, deepcopy(document) | parts)

    assert changed(events=events[:4] + events[5:]) == (5, "missing")
    assert changed(events=events[:-1]) == (None, "head")
    assert changed(head="0" * 64) == (None, "head")
    assert changed(events=[*events[:4], events[4] | {"at": "2000-01-01T00:00:00Z"}, *events[5:]]) == (5, "hash")
    assert changed(events=[*events[:4], events[4] | {"salts": None}, *events[5:]]) == (5, "shape")
    stated = deepcopy(document["draws"])
    stated[-1]["number"] += 1
    assert changed(draws=stated)[1] == "draw"
    short = deepcopy(document["draws"])
    del short[-1]["order"]["packets"][-1]
    assert changed(draws=short)[1] == "draw"
    only_dealer = [draw for draw in document["draws"] if draw["label"] == "first_dealer"]
    assert changed(draws=only_dealer) == (dealt, "draw")
    assert fault(page, rewritten(document, secret="00" * 32)) == (1, "commitment")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("path", [path for path in logs() if path.parent.name == "operator"], ids=str)
def test_what_an_operator_states_and_seals_again_is_found(page: Page, path: Path) -> None:
    bundle = read(logs()[path])
    expected = verify(bundle).fault
    document = {**bundle.header, "events": bundle.events, "draws": bundle.draws}
    assert expected
    found = in_browser(page, document)["whole"]
    assert (found["version"], found["where"]) == (expected.version, expected.field)


def rewritten(document: dict[str, Any], **last: str) -> dict[str, Any]:
    """Change the last event, and chain it anew as a dishonest server could."""
    changed = deepcopy(document)
    event = changed["events"][-1]
    event["data"] |= last
    sealed = {key: event[key] for key in ("game_id", "version", "type", "at", "seat", "sealed", "data")}
    changed["head"] = event["hash"] = chain.link(changed["events"][-2]["hash"], sealed)
    return changed


@pytest.mark.long
def test_a_game_that_is_not_over_verifies_as_far_as_a_seat_can_see(page: Page) -> None:
    steps = played("plute", 6, 0)[:-20]
    document = {**audit(steps[-1].game, 2, log_of(steps))}
    found = in_browser(page, document)["whole"]
    assert found["commitment"] is None
    assert 0 < found["opened"] < found["sealed"]
    assert found["events"] == document["version"]
