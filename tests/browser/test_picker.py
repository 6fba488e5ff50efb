"""The laws of the picker in the browser, in the same states as in Node.js."""

import json

import pytest
from playwright.sync_api import Route

from domain.registry import BUILT_IN
from tests.browser.conftest import Opened
from tests.web.picker_states import LAWS, all_of, keeps_the_laws

pytestmark = pytest.mark.long

JUDGED = """async (lines) => {
  const app = document.querySelector("script[type=module]").src;
  const { judge, results } = await import(app.replace("app.js", "picker_laws.mjs"));
  lines.forEach(judge);
  return results;
}"""


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_the_picker_of_the_page_reaches_every_legal_action_and_nothing_else(open_page: Opened, ruleset_id: str) -> None:
    page = open_page()

    def served(route: Route) -> None:
        """Give the page the laws, beside the modules that they are about."""
        body = LAWS.read_text().replace("../../service/web/static/", "./")
        route.fulfill(body=body, content_type="text/javascript")

    page.route("**/picker_laws.mjs", served)
    states = all_of(ruleset_id)
    keeps_the_laws(page.evaluate(JUDGED, [json.dumps(state) for state in states]), states[1:])
