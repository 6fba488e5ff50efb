"""What a game leaves behind: what it is verified with, and the whole game in one file."""

from hashlib import sha256
from json import loads
from typing import Any

import orjson
from flask import Blueprint, Response, request

from domain.audit import bundle
from domain.game.aggregate import Game
from domain.sentences.message import Text, message
from domain.table import Seat
from service.api.http.endpoint import Operation
from service.api.http.parameters import AS_VIEWER, EXPORT_FORMAT, EXPORT_FORMATS, EXPORT_LANG, IF_NONE_MATCH, Values
from service.api.http.request import address, maybe_caller, query, read_by_anyone, services
from service.api.http.response import answer, in_lines, saved, versioned
from service.api.http.response_headers import RECEIPT
from service.api.resources.receipts import signing_keys
from service.common.errors import Fault, Malformed
from service.games.projections import auditing
from service.games.projections import replay_file as recording
from service.games.projections.auditing import AuditResource, CommitmentsResource
from service.games.repository import head_of
from service.transparency.transparency_log import logged_with_roots
from service.web.one_file import one_file, previewed
from service.web.site import site

blueprint = Blueprint("exports", __name__)


@blueprint.get("/v1/games/<game_id>/audit")
@Operation("play", {200: CommitmentsResource}, "optional", (IF_NONE_MATCH,), problems=(403,), headers={200: RECEIPT})
def show_audit(game_id: str) -> Response:
    """The end of the log, and the inputs of the draws.

    Shows the hash of the last event, which binds the whole log, the commitment to the secret of the draws, and the
    seeds of the players. The secret itself is null until the game is over. Everyone who can see the game gets the same
    response.
    """
    reader, _, caller = read_by_anyone()
    game = reader.show(game_id, caller)
    return versioned(game, "anyone", lambda: answer(auditing.commitments(game)))


@blueprint.get("/v1/games/<game_id>/export")
@Operation(
    "play",
    {200: (AuditResource, "text/plain", "application/jsonl", "text/html")},
    "optional",
    (EXPORT_FORMAT, AS_VIEWER, EXPORT_LANG, IF_NONE_MATCH),
    problems=(403, 422),
    headers={200: RECEIPT},
)
def export(game_id: str) -> Response:
    """The whole game in one file, as your seat sees it.

    `text` is readable, and can be read back to the same game; parts that are hidden from the viewer are `?` until the
    game is over, and a ruleset without text notation gets 422. `audit` lets a program verify the game without knowing
    its rules: it has the whole log, and every draw as data; `bundle` is the same as JSON Lines, for `plateau verify`,
    with the server's signatures. `html` is a page in one file, which replays and verifies the game without a network; a
    game that is too long gets 422. During the game, the page has what your seat knows; once the game is over, it has
    every viewer, or with `as` one of them.
    """
    wanted = query(is_opened=request.args.get("format") == "html")
    if wanted[EXPORT_FORMAT] is None:
        said = message("fault.format-missing", formats=Text(", ".join(EXPORT_FORMATS)))
        raise Malformed([Fault("?format", "missing-parameter", said)])
    reader = services().reader
    game, viewer = reader.open_log(game_id, maybe_caller(), wanted[AS_VIEWER])
    if wanted[EXPORT_FORMAT] == "html":
        return _file(game, viewer, wanted)
    if wanted[EXPORT_FORMAT] == "audit":
        return versioned(game, viewer, lambda: answer(reader.audit(game, viewer)))
    if wanted[EXPORT_FORMAT] == "bundle":
        return _bundle(game, viewer)
    text = "text/plain; charset=utf-8"
    return versioned(game, viewer, lambda: Response(reader.export(game, viewer), content_type=text))


def _bundle(game: Game, viewer: Seat | None) -> Response:
    """Write the bundle of a game: its audit, its receipt, and the proof that it is in the log of heads."""
    log, receipts = services().heads, services().receipts
    logged = logged_with_roots(log, game.id, game.version)

    def written() -> Response:
        audit = services().reader.audit(game, viewer)
        signed: list[Any] = [{"receipt": loads(receipts.of(head_of(game)))}]
        if logged is not None:
            signed += logged.lines(log, audit["events"][logged.version - 1]["hash"])
        return in_lines(bundle.lines(audit, game.rules_version, [*signed, {"keys": signing_keys()}]))

    roots = [] if logged is None else [f"{logged.version} {root.size} {len(kept)}" for root, kept in logged.roots]
    place = [*receipts.ring.public_keys(receipts.ring.key_id)].index(receipts.ring.key_id)
    names = ",".join([str(place), *roots])
    return versioned(game, viewer, written, sha256(names.encode()).hexdigest()[:16])


def _file(game: Game, viewer: Seat | None, wanted: Values) -> Response:
    """Write a game as a page in one file, to be saved: it is never opened as a page of this service."""
    records = services().reader.records(game, 0, game.version)
    lang, eyes = wanted[EXPORT_LANG], recording.eyes_on(game, viewer, alone=wanted[AS_VIEWER] is not None)
    plates = recording.names_in(game, records, services().players.people)

    def written() -> Response:
        services().limiter.pace("files", address())
        fields = previewed(game.ruleset.id)
        recorded, audit = recording.record(game, records, eyes, plates, lang, fields)
        data = {"game": orjson.dumps(recorded), "audit": orjson.dumps(audit)}
        page = one_file(f"{recorded['name']} · {game.id}", game.ruleset.id, lang, data)
        return saved(page, f"{game.ruleset.id}-{game.id}.html")

    return versioned(game, viewer, written, f"{plates.digest}-{site().release}")
