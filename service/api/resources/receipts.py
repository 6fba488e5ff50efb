"""Receipts: the keys that sign them, and whether one is ours and true."""

from typing import Literal, TypedDict

from flask import Blueprint, Response

from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH
from service.api.http.request import body, maybe_caller, query, services
from service.api.http.response import answer, hashed
from service.api.resources.bodies import ReceiptSchema
from service.common.errors import Forbidden, NotFound
from service.transparency.key_ring import InLog, Period, Receipt

blueprint = Blueprint("receipts", __name__)

_RECEIPT = ReceiptSchema()

SigningKey = TypedDict(
    "SigningKey", {"key_id": str, "algorithm": Literal["Ed25519"], "public_key": str, "from": str, "until": str | None}
)
SigningKey.__doc__ = "A public key (hex), and the time in which it signed; ``until`` is null for the key of now."


class SigningKeys(TypedDict):
    """All keys that have signed receipts here, the oldest first."""

    keys: list[SigningKey]


class VerifiedReceipt(TypedDict):
    """Whether this server signed a receipt, and whether the log of its game has that hash at that version.

    ``log`` is unknown if the receipt is not signed, or the caller cannot see such a game.
    """

    signed: bool
    log: InLog


@blueprint.get("/.well-known/plateau-keys.json")
@Operation("operations", {200: SigningKeys}, parameters=(IF_NONE_MATCH,))
def show_signing_keys() -> Response:
    """The public keys of receipts.

    Keep a copy: anyone who has the keys can verify receipts without this server. A replaced key stays in the list,
    because its signatures stay valid. All processes use a new key within a minute.
    """
    query()
    return hashed(answer(signing_keys()))


def signing_keys() -> SigningKeys:
    return {"keys": [_shown(each) for each in services().receipts.ring.periods()]}


def _shown(period: Period) -> SigningKey:
    return {
        "key_id": period.key_id,
        "algorithm": "Ed25519",
        "public_key": period.public_key,
        "from": period.since,
        "until": period.until,
    }


@blueprint.post("/v1/verify-receipt")
@Operation("play", {200: VerifiedReceipt}, "optional", body=_RECEIPT, confirms=False, repeats=True)
def verify_receipt() -> Response:
    """Verify a receipt.

    Returns whether this server signed a receipt, and whether the game's log has that hash at that version.
    `contradicts` means that the log is not the one that was signed: keep the receipt, and a copy of the current log.
    For a game that you cannot see, `log` is `unknown`, as for one that does not exist. The service does not store the
    receipt.
    """
    me = maybe_caller()
    query()
    receipt = Receipt(**body(_RECEIPT))
    is_signed = receipt.is_signed_by(services().receipts.ring.public_keys(receipt.key_id))
    shown: VerifiedReceipt = {"signed": is_signed, "log": _in_log(receipt, me) if is_signed else "unknown"}
    return answer(shown)


def _in_log(receipt: Receipt, me: Caller | None) -> InLog:
    """Compare a signed receipt with the log; a version that the log no longer has contradicts it, too."""
    try:
        game = services().reader.show(receipt.game, me)
    except (Forbidden, NotFound):
        return "unknown"
    found = [(each.hash, each.at) for each in services().reader.records(game, receipt.version - 1, 1)]
    return "matches" if found == [(receipt.hash, receipt.at)] else "contradicts"
