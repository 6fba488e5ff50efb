"""The caller's events: what happened in all their games that they should hear of."""

from flask import Blueprint, Response

from service.api.operation import Operation
from service.api.parameters import AFTER_NOTICE, EVENTS_LIMIT, IF_NONE_MATCH
from service.api.request import caller, query, services
from service.api.response import answer, hashed
from service.games.access import check_scope
from service.notices.notice_log import START
from service.notices.resources import NoticePage, shown

blueprint = Blueprint("my_events", __name__)


@blueprint.get("/v1/me/events")
@Operation(
    "play",
    "What happened in your games, oldest first",
    {200: NoticePage},
    (),
    "required",
    (AFTER_NOTICE, EVENTS_LIMIT, IF_NONE_MATCH),
    description=(
        "Lists when you are invited, a game starts or ends, your turn comes or its deadline is near, and what others "
        "propose, in all your games but sandboxes. The latest 1,000 events are kept, for 90 days after the last one. "
        "To follow, ask again `after` the `id` of the last event that you have. Begin with `GET /v1/me/games` if "
        "you may have missed more."
    ),
)
def list_my_events() -> Response:
    """List the notices to the caller after a cursor."""
    me = caller()
    check_scope(me, "games:read")
    wanted = query()
    limit = wanted[EVENTS_LIMIT]
    found = services().notices.read(me.player, wanted[AFTER_NOTICE] or START, limit + 1)
    page = found[:limit]
    body: NoticePage = {
        "events": shown(page, services().players.names),
        "next": page[-1].cursor if len(found) > limit else None,
    }
    return hashed(answer(body))
