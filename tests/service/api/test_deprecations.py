"""What will end is announced in the headers, in the document and in the manual, at least six months before."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from docs import manual
from service.api import deprecations
from service.api.deprecations import Ending
from service.api.openapi import spec
from tests.support.people import Person, Server

SINCE, SUNSET = datetime(2027, 1, 15, 12, tzinfo=UTC), datetime(2027, 7, 20, tzinfo=UTC)
LINK = "/manual/versioning.html"
ENDING = Ending(SINCE, SUNSET, LINK)


@pytest.fixture
def deprecate(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Ending], None]:
    return lambda name, ending: monkeypatch.setitem(deprecations.DEPRECATED, name, ending)


def test_a_deprecated_operation_says_so_in_each_response_and_no_other_does(
    server: Server, ada: Person, deprecate
) -> None:
    deprecate("list_games", ENDING)
    for _ in range(2):
        ada.post("/v1/games", {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]})
    client = server.app.test_client()
    for path in ("/v1/games?limit=1", "/v1/games?limit=0"):
        answer = client.get(path)
        assert answer.headers["Deprecation"] == "@1800014400"
        assert answer.headers["Sunset"] == "Tue, 20 Jul 2027 00:00:00 GMT"
        assert f'<{LINK}>; rel="deprecation"; type="text/html"' in answer.headers.getlist("Link")
    assert 'rel="next"' in client.get("/v1/games?limit=1").headers.getlist("Link")[0]
    assert "Deprecation" not in client.get("/v1/daily").headers


def test_the_document_and_the_manual_name_what_will_end(server: Server, deprecate) -> None:
    deprecate("list_games", ENDING)
    deprecate("Mail.types", ENDING)
    deprecate("SeatTakenEvent.sealed", ENDING)
    document = spec.build(server.app)
    operation = document["paths"]["/v1/games"]["get"]
    field = document["components"]["schemas"]["Mail"]["properties"]["types"]
    for part in (operation, field):
        assert part["deprecated"] is True
        assert part["description"].endswith(f"Deprecated since 2027-01-15, ends on 2027-07-20: see {LINK}.")
    assert operation["responses"]["200"]["headers"].keys() >= {"Deprecation", "Sunset"}
    assert "deprecated" not in document["paths"]["/v1/games"]["post"]
    fields = document["components"]["schemas"]["SeatTakenEvent"]["properties"]
    assert [name for name, field in fields.items() if "deprecated" in field] == ["sealed"]
    assert f"- `Mail.types`: {ENDING.sentence()}" in "".join(manual.REFERENCES["Operations"]())


@pytest.mark.parametrize(
    ("name", "ending"),
    [("list_games", Ending(SINCE, datetime(2027, 7, 14, tzinfo=UTC), LINK)), ("list_gnomes", ENDING)],
)
def test_an_end_within_six_months_or_of_an_unknown_name_is_refused(server: Server, deprecate, name, ending) -> None:
    deprecate(name, ending)
    with pytest.raises(ValueError, match=f"{name}: (there is no such operation|it ends within six months)"):
        spec.build(server.app)
