"""What clients receive of a scene, as types, and how it is written as plain data."""

from typing import Literal, NotRequired, TypedDict

from domain.pictures.scene import Goal, Offer, Row, Scene, SeatLine, SheetLine, Side, Stage, pick


class Viewer(TypedDict):
    """Who a view is for; a null seat is a spectator.

    With ``knowledge``, the view shows everything, and the seat is only where it is seen from.
    """

    seat: int | None
    knowledge: NotRequired[Literal["full"]]


class SceneThingResource(TypedDict):
    """A card or a piece as it lies.

    ``face`` is its code, null if it lies face down, and ``name`` puts it into words. ``pick`` is what it stands for in
    an action: ``card:RH`` is the value ``RH`` of a field whose schema has ``x-pick: card``; null if it stands for none.
    ``note`` stands beside it, and ``seat`` is who played it, null if nobody did; ``winning`` is true for the card that
    takes the trick, as far as it is played. ``covers``: a card lies face down beneath. ``svg`` is its picture,
    null for a card, which its face describes. ``refused`` is why the viewer cannot choose it now; null where they can,
    and where only a dry run shows it.
    """

    pick: str | None
    face: str | None
    name: str
    note: str
    seat: int | None
    winning: bool
    covers: bool
    svg: str | None
    refused: str | None


class SceneRowResource(TypedDict):
    """Things that lie together. ``id`` stays the same from version to version.

    ``seat`` is whose they are, null without one, and ``mine`` whether they are the viewer's. ``pick`` is what the whole
    row stands for in an action, mostly null.
    """

    id: str
    name: str
    seat: int | None
    mine: bool
    pick: str | None
    things: list[SceneThingResource]


class SceneSeatResource(TypedDict):
    """A seat: its side, its player's name, its bid or role, its number of cards, its score.

    ``name`` is null if it is not known; ``cards`` and ``score`` are null in games that count none by seat.
    ``dealer`` is true for who dealt.
    """

    seat: int
    pick: str
    name: str | None
    side: Side | None
    note: str
    cards: int | None
    score: int | None
    to_act: bool
    viewer: bool
    dealer: bool


class SceneGoalResource(TypedDict):
    """How far a side has come: ``done`` of the ``target``, where ``most`` is all that there is.

    ``says`` is the same in words, and ``svg`` a picture of it, null if there is none.
    """

    side: Side | None
    done: int
    target: int
    most: int
    says: str
    reached: bool
    svg: str | None


class SceneOfferResource(TypedDict):
    """How a value of a field is offered, by the path of the field as in ``action_words``, such as ``bid.contract``.

    The offers of a field are in the order of display; a value that cannot be chosen is shown, too.
    ``svg`` is a picture, null if there is none, ``note`` what the value is worth, and ``grave`` asks for a confirmation
    before it is sent.
    """

    path: str
    value: str
    note: str
    svg: str | None
    grave: bool


class SceneStageResource(TypedDict):
    """A board as an SVG without style or ids, with ``data-pick`` on what can be chosen; ``says``: the same in words.

    ``text`` draws it for a terminal, in lines of ASCII: what stands in (…) is on the first side, in […] on the second.
    """

    svg: str
    says: list[str]
    text: list[str]


class SceneSheetLineResource(TypedDict):
    """A finished hand, and what each seat won or lost.

    ``cells`` are what is written down for each seat, and ``steps`` say how it was calculated.
    """

    name: str
    scores: list[int]
    cells: list[str]
    steps: list[str]


class SceneResource(TypedDict):
    """A view in words and drawn, for a client that does not know the game, in reading order.

    ``totals`` stand below the sheet: what each seat has so far. They are empty in a game without a sheet. ``goals``
    are what the sides play for, and ``offers`` say how values are offered that are no things. The next seat sits to the
    left of the one before, or to the right if the game is played ``counterclockwise``.
    """

    game_id: str
    version: int
    viewer: Viewer
    lang: str
    title: str
    lines: list[str]
    stage: SceneStageResource | None
    rows: list[SceneRowResource]
    seats: list[SceneSeatResource]
    sheet: list[SceneSheetLineResource]
    totals: list[str]
    goals: list[SceneGoalResource]
    offers: list[SceneOfferResource]
    counterclockwise: bool


def scene_resource(scene: Scene, game_id: str, version: int, viewer: Viewer, lang: str) -> SceneResource:
    return {
        "game_id": game_id,
        "version": version,
        "viewer": viewer,
        "lang": lang,
        "title": scene.title,
        "lines": [*scene.lines],
        "stage": _stage(scene.stage) if scene.stage else None,
        "rows": [_row(row, is_mine=row.seat is not None and row.seat == scene.viewer) for row in scene.rows],
        "seats": [_seat(line) for line in scene.seats],
        "sheet": [_sheet_line(line) for line in scene.sheet],
        "totals": [*scene.totals],
        "goals": [_goal(goal) for goal in scene.goals],
        "offers": [_offer(offer) for offer in scene.offers],
        "counterclockwise": scene.is_counterclockwise,
    }


def _stage(stage: Stage) -> SceneStageResource:
    return {"svg": stage.svg, "says": [*stage.says], "text": [*stage.text]}


def _goal(goal: Goal) -> SceneGoalResource:
    return {
        "side": goal.side,
        "done": goal.done,
        "target": goal.target,
        "most": goal.most,
        "says": goal.says,
        "reached": goal.is_reached,
        "svg": goal.art,
    }


def _offer(offer: Offer) -> SceneOfferResource:
    return {
        "path": offer.path,
        "value": offer.value,
        "note": offer.note,
        "svg": offer.art,
        "grave": offer.is_grave,
    }


def _sheet_line(line: SheetLine) -> SceneSheetLineResource:
    return {"name": line.name, "scores": [*line.scores], "cells": [*line.cells], "steps": [*line.steps]}


def _row(row: Row, *, is_mine: bool) -> SceneRowResource:
    return {
        "id": row.id,
        "name": row.name,
        "seat": row.seat,
        "mine": is_mine,
        "pick": row.pick,
        "things": [
            {
                "pick": thing.pick,
                "face": thing.face,
                "name": thing.name,
                "note": thing.note,
                "seat": thing.seat,
                "winning": thing.is_winning,
                "covers": thing.covers,
                "svg": thing.art,
                "refused": thing.refused or None,
            }
            for thing in row.things
        ],
    }


def _seat(line: SeatLine) -> SceneSeatResource:
    return {
        "seat": line.seat,
        "pick": pick("seat", line.seat),
        "name": line.name or None,
        "side": line.side,
        "note": line.note,
        "cards": line.cards,
        "score": line.score,
        "to_act": line.is_to_act,
        "viewer": line.is_viewer,
        "dealer": line.is_dealer,
    }
