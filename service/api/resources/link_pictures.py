"""Links of invitations as pictures for the camera of a phone."""

from io import BytesIO

import segno
from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH
from service.api.http.request import current, query, services
from service.api.http.response import hashed, kept_to_oneself, picture
from service.common.errors import Fault, Malformed

blueprint = Blueprint("link_pictures", __name__)

_LONGEST_HOST = 261
"""The longest name that a host can have, and a port."""


@blueprint.get("/v1/invitations/<secret>/qr.svg")
@Operation(
    "games",
    "A link as a picture, for the camera of a phone",
    {200: "image/svg+xml"},
    (429,),
    parameters=(IF_NONE_MATCH,),
    description=(
        "Draws the address at which the web client shows an open link, as a QR code. The address is below the public "
        "URL of the service if the operator has set it, and otherwise below the address of the request."
    ),
)
def draw_invitation(secret: str) -> Response:
    """Draw the address of an open link; needs no token."""
    query()
    services().inviting.by_link(secret)
    return kept_to_oneself(hashed(picture(_drawn(f"{_site()}/#/join/{secret}"))))


def _site() -> str:
    """Return where players reach the service; the page that shows the picture came from the host of its request."""
    asked = current()
    if services().public_url is None and not 0 < len(asked.host) <= _LONGEST_HOST:
        raise Malformed([Fault("Host", "invalid-header", f"Host must have 1 to {_LONGEST_HOST} characters")])
    return services().public_url or f"{asked.scheme}://{asked.host}"


def _drawn(address: str) -> str:
    """Draw an address as an SVG: black on white also in the dark, with the quiet zone that cameras need."""
    out = BytesIO()
    code = segno.make_qr(address)
    code.save(out, kind="svg", xmldecl=False, omitsize=True, border=4, dark="#000", light="#fff", nl=False)
    return out.getvalue().decode()
