"""Mails to the caller: where they go and what they carry; and the pages that links in mails lead to."""

from typing import TypedDict

from flask import Blueprint, Response, render_template

from domain.game.durations import lasting
from domain.sentences.message import Message
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.errors import respond
from service.api.http.parameters import IF_NONE_MATCH
from service.api.http.request import address, body, caller, current, preferred_language, query, services
from service.api.http.response import answer, hashed, kept_to_oneself, no_content, page
from service.api.resources.destination_bodies import MailSetUpSchema, choices_in
from service.common.errors import NotFound, Unprocessable, refusal
from service.games.access import check_owns_account
from service.inbox.notices import Kind
from service.notifications.content.choices import QuietHours
from service.notifications.content.news import words_for
from service.notifications.mail.mail_destination import MailDestination, Status, mailbox
from service.notifications.mail.mail_service import MailService

blueprint = Blueprint("mail", __name__, template_folder="templates")

_MAIL = MailSetUpSchema()
_ASKING = ("confirm", "unsubscribe")
"""The pages with a button."""


class QuietHoursResource(TypedDict):
    """Hours of each day in which nothing is sent, in your time zone, or UTC without one."""

    start: str
    end: str


class Mail(TypedDict):
    """Your mail address, whether you have confirmed it, and the content of mails.

    ``reason`` says why the mail server rejected the address.
    """

    address: str
    status: Status
    reason: str | None
    types: list[Kind]
    quiet_hours: QuietHoursResource | None
    interval: str


@blueprint.get("/v1/me/mail")
@Operation("notices", {200: Mail}, "required", (IF_NONE_MATCH,), problems=(404, 422))
def show_mail() -> Response:
    """Your mail address.

    Shows the address, its status, and your choices; 404 if you get no mails. An address is `unconfirmed` until its
    reader follows the link that was sent to it, and `rejected` if the mail server does not accept it. The token needs
    all the scopes that a guest has (403).
    """
    me = _owner()
    query()
    return hashed(answer(mail_resource(_mailing().find(me.player))))


@blueprint.put("/v1/me/mail")
@Operation("notices", {200: Mail}, "required", problems=(404, 422), body=_MAIL)
def set_up_mail() -> Response:
    """Get mails, or change which.

    Sends a mail with a link to confirm the address, and no other mails before the confirmation; repeat the request to
    get another link. A confirmed address stays confirmed when only the choices change. One mail carries the notices of
    all games from one `interval`, except those that no longer matter, such as a turn that you have played. A service
    without a mail server returns 422.
    """
    me = _owner()
    query()
    mailing, wanted = _mailing(), body(_MAIL)
    limiter = services().limiter

    def count() -> None:
        limiter.count("confirmations", me.player)
        limiter.count("confirmations-from-address", address())
        limiter.count("confirmations-to-mailbox", mailbox(wanted["address"]))

    made = mailing.set_up(me.player, wanted["address"], choices_in(wanted), wanted["interval"], count)
    return answer(mail_resource(made))


@blueprint.delete("/v1/me/mail")
@Operation("notices", {204: None}, "required", problems=(422,))
def end_mail() -> Response:
    """Get no more mails.

    Deletes the address and the choices. It has no effect without an address.
    """
    me = _owner()
    query()
    _mailing().end(me.player)
    return no_content()


@blueprint.get("/v1/mail/confirm/<ticket>")
@Operation("notices", {200: "text/html", 404: "text/html"}, problems=(422,))
def show_confirmation(ticket: str) -> Response:
    """The page to confirm a mail address.

    The link in the confirmation mail leads here. The page has a button, because programs that scan mails follow links:
    only the button confirms. A link is valid for two days; after that, a browser gets a page with an explanation, and a
    program a problem (404).
    """
    query()
    is_done = _mailing().to_confirm(ticket).status != "unconfirmed"
    return _page("confirmed" if is_done else "confirm")


@blueprint.post("/v1/mail/confirm/<ticket>")
@Operation("notices", {200: "text/html", 404: "text/html"}, problems=(422,), ignores_body=True, repeats=True)
def confirm_mail(ticket: str) -> Response:
    """Confirm a mail address.

    The button of the page sends this. From now on, mails are sent to the address. It needs no token, and a body is
    ignored. A repetition has no effect; a link to a replaced address is 404.
    """
    query()
    _mailing().confirm(ticket)
    return _page("confirmed")


@blueprint.get("/v1/mail/unsubscribe/<ticket>")
@Operation("notices", {200: "text/html", 404: "text/html"}, problems=(422,))
def show_unsubscription(ticket: str) -> Response:
    """The page to end mails.

    A link in every mail leads here. The page has a button; nothing changes until it is pressed.
    """
    query()
    _mailing().check_unsubscribing(ticket)
    return _page("unsubscribe")


@blueprint.post("/v1/mail/unsubscribe/<ticket>")
@Operation("notices", {200: "text/html", 404: "text/html"}, problems=(422,), ignores_body=True, repeats=True)
def unsubscribe(ticket: str) -> Response:
    """End mails.

    The button of the page sends this, and so do mail programs (one-click unsubscription, RFC 8058). It deletes the
    address to which the mail was sent. It needs no token, and a body is ignored.
    """
    query()
    _mailing().unsubscribe(ticket)
    return _page("unsubscribed")


@blueprint.errorhandler(NotFound)
def show_invalid_link(error: NotFound) -> Response:
    """Show that a link is not valid: to a browser as a page, and to a program as a problem."""
    preferred = current().accept_mimetypes.best_match(("application/problem+json", "application/json", "text/html"))
    is_page = error.code == "no-such-link" and preferred == "text/html"
    if not is_page:
        return respond(error)
    invalid = _page("invalid", 404)
    invalid.headers["Content-Language"] = preferred_language()
    return invalid


def quiet_hours_resource(quiet: QuietHours | None) -> QuietHoursResource | None:
    return None if quiet is None else {"start": _clock(quiet.start), "end": _clock(quiet.end)}


def mail_resource(destination: MailDestination) -> Mail:
    return {
        "address": destination.address,
        "status": destination.status,
        "reason": destination.reason,
        "types": [*destination.choices.types],
        "quiet_hours": quiet_hours_resource(destination.choices.quiet),
        "interval": lasting(destination.every),
    }


def _owner() -> Caller:
    me = caller()
    check_owns_account(me)
    return me


def _mailing() -> MailService:
    mailing = services().mailing
    if mailing is None:
        raise Unprocessable("unsupported", refusal("unsupported.mail"))
    return mailing


def _page(name: str, status: int = 200) -> Response:
    language = preferred_language()
    words = words_for(language)
    title, text = (words.sentence(Message(f"page.{name}{part}")) for part in ("", ".text"))
    button = words.sentence(Message(f"page.{name}.button")) if name in _ASKING else None
    shown = render_template("mail.html", language=language, title=title, text=text, button=button)
    return kept_to_oneself(page(shown, status))


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
