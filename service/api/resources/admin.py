"""What operators do over the interface, with a token of the scope ``admin``, which only the host gives."""

from dataclasses import asdict
from typing import Any, TypedDict, cast

from flask import Blueprint, Response

from service.accounts.admin_log import Act, Entry, Written
from service.api.http.endpoint import Operation
from service.api.http.parameters import ADMIN_LOG_CURSOR, IDEMPOTENCY_KEY, IF_NONE_MATCH, LIMIT
from service.api.http.request import caller, query, services, write_to
from service.api.http.response import kept_answer, page_of
from service.api.http.response_headers import RECEIPT
from service.api.resources.bodies import NewOperatorActSchema
from service.games.access import check_operates, check_scope
from service.games.commands import ActDone, EndGame, Replace

blueprint = Blueprint("admin", __name__)

_ACT = NewOperatorActSchema()


class AdminEntry(TypedDict):
    """A request of an operator: by whom, with which token (both null: on the host), when, and why.

    ``seat`` and ``bot`` belong to `replace`, ``player`` (who got a token) to `token`, and ``game_id`` to all others;
    other fields are null. `import` is a game of another server that the host added.
    """

    id: str
    at: str
    act: Act
    by: str | None
    token: str | None
    game_id: str | None
    seat: int | None
    bot: str | None
    reason: str | None
    player: str | None


class AdminEntries(TypedDict):
    """A page of the admin log, newest first."""

    items: list[AdminEntry]
    next_cursor: str | None


@blueprint.post("/v1/admin/games/<game_id>/acts")
@Operation(
    "admin", {201: ActDone}, "required", (IDEMPOTENCY_KEY,), problems=(409, 422), body=_ACT, headers={201: RECEIPT}
)
def act_as_operator(game_id: str) -> Response:
    """End a game, or replace a player by a bot, as the operator.

    Use it for a game that is stuck. The log of the game shows it to everyone: `operator_acted` with the reason, then
    `game_aborted` or `bot_seated`. An entry in the admin log names the operator. The token needs the scope `admin`
    (403), which only `plateau admin token` on the host gives.
    """
    sent = write_to(game_id, _ACT, check_operates)
    act, asked = sent.body["act"], {name: value for name, value in sent.body.items() if name != "act"}
    # The admin log comes first, so that no act is missing there.
    services().players.admin_log.add(
        Entry(act=act, by=sent.caller.player, token=sent.caller.token, game_id=game_id, **asked)
    )
    kind = Replace if act == "replace" else EndGame
    return kept_answer(sent.desk.do(sent.game, kind(caller=sent.caller, key=sent.key, **asked)))


@blueprint.get("/v1/admin/log")
@Operation("admin", {200: AdminEntries}, "required", (ADMIN_LOG_CURSOR, LIMIT, IF_NONE_MATCH))
def list_admin_log() -> Response:
    """The requests of operators, newest first.

    Lists requests with tokens of the scope `admin` (403 without it), the players who got such tokens, and imported
    games of other servers. An entry is written before the act; the log of the game shows whether the game accepted it.
    Entries are never removed.
    """
    me = caller()
    check_scope(me, "admin")
    wanted = query()
    entries, last = services().players.admin_log.read(wanted[ADMIN_LOG_CURSOR], wanted[LIMIT])
    return page_of([_shown(each) for each in entries], None if last is None else f" al_{last}")


def _shown(written: Written) -> AdminEntry:
    shown: Any = {"id": f"al_{written.place}", "at": written.at, **asdict(written.entry)}
    return cast("AdminEntry", shown)
