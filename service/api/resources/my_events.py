"""The caller's events: what happened in all their games that they should hear of."""

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.live import LAST_EVENT_ID, STREAMED, TICKET, follower, rests, resumed_after, streamed, wanted_form
from service.api.http.parameters import AFTER_NOTICE, EVENTS_LIMIT, IF_NONE_MATCH, NOTICE_TYPES, WAIT, notice_id
from service.api.http.request import caller, query, services
from service.api.http.response import answer, hashed
from service.common.errors import Fault, Malformed
from service.games.access import check_scope
from service.inbox.notice_log import START
from service.inbox.resources import NoticePage, shown
from service.input.form_words import field_fault
from service.streams.notices import NoticeSource

blueprint = Blueprint("my_events", __name__)


@blueprint.get("/v1/me/events")
@Operation(
    "notices",
    "What happened in your games, oldest first",
    {200: (NoticePage, *STREAMED)},
    (),
    "required",
    (AFTER_NOTICE, NOTICE_TYPES, EVENTS_LIMIT, WAIT, TICKET, LAST_EVENT_ID, IF_NONE_MATCH),
    description=(
        "Lists when you are invited, a game starts or ends, your turn comes or its deadline is near, and what others "
        "propose, in all your games but sandboxes. The latest 1,000 events are kept, for 90 days after the last one. "
        "To follow, ask again `after` the `id` of the last event that you have, with `wait`. With `Accept: "
        "text/event-stream` or `application/x-ndjson`, one response carries all events, also those to come; "
        "a stream ticket can then stand in for the token."
    ),
)
def list_my_events() -> Response:
    """List the notices to the caller after a cursor, or follow them."""
    me = (follower() if wanted_form() else None) or caller()
    check_scope(me, "games:read")
    wanted, form, log, players = query(), wanted_form(), services().notices, services().players
    after, limit, types = wanted[AFTER_NOTICE] or START, wanted[EVENTS_LIMIT], wanted[NOTICE_TYPES]
    source = NoticeSource(log, players, me, types)
    if form is not None:
        return streamed(source, _resumed_after(after), form)
    found = log.read(me.player, after, limit + 1, types)
    if wanted[WAIT] and not found and rests(source, after, wanted[WAIT]):
        return Response()
    page = found[:limit]
    body: NoticePage = {
        "events": shown(page, players.names),
        "next": page[-1].cursor if len(found) > limit else None,
    }
    return hashed(answer(body))


def _resumed_after(after: str) -> str:
    last = resumed_after(after)
    try:
        return notice_id(last)
    except ValueError as error:
        raise Malformed([Fault("Last-Event-ID", "invalid-header", field_fault("Last-Event-ID", str(error)))]) from error
