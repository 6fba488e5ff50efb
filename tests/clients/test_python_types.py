"""The methods of the Python package return what the document promises for their operations."""

from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import pytest
import yaml
from plateau_client import Client, Table, types

from tests.clients.conftest import DOCUMENT

OPERATIONS: dict[Callable[..., Any], str] = {
    Client.me: "show_me", Client.change_me: "change_me", Client.player: "show_player", Client.ruleset: "show_ruleset",
    Client.invitation: "show_invitation", Table.game: "show_game", Table.view: "show_view", Table.act: "act",
    Table.join: "take_seat", Table.hand_over: "hand_over_seat", Table.invite: "invite", Table.cancel: "cancel_game",
    Table.plan: "put_plan", Table.planned: "show_plan", Table.say: "say_phrase", Table.phrases: "list_phrases",
    Table.propose: "propose", Table.vote: "vote", Table.resign: "resign", Table.claim: "claim",
}  # fmt: skip
LISTS: dict[Callable[..., Any], str] = {
    Client.games: "list_games", Client.my_games: "list_my_games", Client.rulesets: "list_rulesets",
    Client.bots: "list_bots", Client.invitations: "list_my_invitations", Table.invitations: "list_invitations",
}  # fmt: skip


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    document: dict[str, Any] = yaml.load(DOCUMENT.read_text(), yaml.CSafeLoader)
    return document


def component(document: dict[str, Any], operation_id: str) -> str:
    """Name the component of an operation's success."""
    operations = [each for path in document["paths"].values() for each in path.values() if "operationId" in each]
    (operation,) = [each for each in operations if each["operationId"] == operation_id]
    answer = operation["responses"].get("201") or operation["responses"]["200"]
    return str(answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2])


@pytest.mark.parametrize(("method", "operation"), OPERATIONS.items(), ids=OPERATIONS.values())
def test_a_method_returns_the_type_of_its_operation(
    document: dict[str, Any], method: Callable[..., Any], operation: str
) -> None:
    assert get_type_hints(method)["return"] == getattr(types, component(document, operation))


@pytest.mark.parametrize(("method", "operation"), LISTS.items(), ids=LISTS.values())
def test_a_list_yields_the_items_of_its_pages(
    document: dict[str, Any], method: Callable[..., Any], operation: str
) -> None:
    page = document["components"]["schemas"][component(document, operation)]
    item = page["properties"]["items"]["items"]["$ref"].rpartition("/")[2]
    assert get_args(get_type_hints(method)["return"])[0] == getattr(types, item)
