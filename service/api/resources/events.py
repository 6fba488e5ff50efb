"""The log of a game: in pages, as a stream, or by a request that waits."""

from typing import Any

from flask import Blueprint, Response

from domain.sentences.catalogue import ORIGINAL
from service.api.http.endpoint import Operation
from service.api.http.live import STREAMED, TICKET, follower, rests, resumed_after, streamed, wanted_form
from service.api.http.parameters import (
    AFTER,
    AS_VIEWER,
    EVENTS_LIMIT,
    IF_NONE_MATCH,
    LANG,
    LAST_EVENT_ID,
    PHRASES,
    RECEIPTS,
    SINCE,
    WAIT,
    WITH,
    matching,
)
from service.api.http.request import paying, query, services
from service.api.http.response import answer, versioned
from service.api.http.response_headers import RECEIPT
from service.common.errors import check_reached
from service.games.projections import representations
from service.games.projections.naming import nameplates
from service.games.projections.narrating import in_words, put_sentences
from service.games.projections.resources import EventPage
from service.input.fields import wrong
from service.streams.games import Beside

blueprint = Blueprint("events", __name__)

_PLACE = matching("[0-9]{1,12}(?::(?:0|ph_[0-9a-f]{12}))?", wrong("event-id.game"))
"""The id of an event of a stream: a version, and the last phrase."""


@blueprint.get("/v1/games/<game_id>/events")
@Operation(
    "play",
    {200: (EventPage, *STREAMED)},
    "optional",
    (AFTER, SINCE, EVENTS_LIMIT, AS_VIEWER, LANG, WAIT, WITH, RECEIPTS, PHRASES, TICKET, LAST_EVENT_ID, IF_NONE_MATCH),
    problems=(403, 412),
    headers={200: RECEIPT},
    is_quick=True,
)
def list_events(game_id: str) -> Response:
    """The log as your seat sees it.

    Lists the events after a version, in order; parts that are hidden from the viewer are left out and sealed. To
    continue, pass `next` as `after` until it is null; while you wait for others, use `wait`, or poll at most once a
    second, with `If-None-Match` and the last ETag. With `Accept: text/event-stream` or `application/x-ndjson`, one
    response carries all events, including future ones, until the game is over; then everyone can see everything. With
    `lang`, each event has a `sentence` that says what happened; with `since=my-last-move`, the list begins after your
    last move.
    """
    reader, wanted, caller = services().reader, query(), follower(game_id)
    with_view, language, form = wanted[WITH] == "view", wanted[LANG], wanted_form()
    game, viewer = reader.open_log(game_id, caller, wanted[AS_VIEWER])
    after = wanted[AFTER] if wanted[SINCE] is None else max(wanted[AFTER], reader.last_move(game, viewer))
    check_reached(game, after)
    phrases = wanted[PHRASES]
    beside = Beside(language, with_view and form is not None, phrases, wanted[RECEIPTS])
    source = services().following.source(game_id, caller, wanted[AS_VIEWER], beside, paying())
    if form is not None:
        return streamed(source, resumed_after(str(after), _PLACE), form)
    said = None if phrases is None else services().talking.heard(game, phrases, language or ORIGINAL)
    is_waiting = after >= game.version and not said and source.can_continue(game)
    if wanted[WAIT] and is_waiting and rests(source, f"{after}:{phrases}", wanted[WAIT]):
        return Response()
    people = services().players.people
    page: dict[str, Any] = {}
    digests = [said[-1]["id"].removeprefix("ph_")] if said else []
    if language is not None:
        page |= reader.events(game, viewer, after, wanted[EVENTS_LIMIT])
        digests.append(put_sentences(page["events"], game, people, language))
    plates = nameplates(game, people) if with_view else None
    planned = with_view and services().planning.takes_turn(game, viewer)
    if plates is not None:
        digests.append(plates.digest)
        digests.append("1" if planned else "")

    def shown() -> Response:
        whole = page or {**reader.events(game, viewer, after, wanted[EVENTS_LIMIT])}
        if plates is not None and whole["next"] is None:
            whole["view"] = in_words(representations.view(game, viewer), game, plates, language, planned=planned)
        return answer(whole if said is None else {**whole, "phrases": said})

    return versioned(game, viewer, shown, "".join(digests))
