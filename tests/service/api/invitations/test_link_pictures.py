"""Links as pictures for the camera of a phone, read back by what the picture encodes."""

import re
from dataclasses import replace
from io import BytesIO

import segno

from tests.service.api.invitations.asking import linked


def lines(address: str) -> str:
    """Return the path that draws an address."""
    drawn = BytesIO()
    segno.make_qr(address).save(drawn, kind="svg", omitsize=True, dark="#000", light="#fff")
    (path,) = re.findall(r'stroke="#000" d="([^"]+)"', drawn.getvalue().decode())
    return path


def test_a_link_is_drawn_at_the_address_where_it_was_asked_for(ada, game, stranger):
    link = linked(ada, game)
    answer = stranger.get(f"{link}/qr.svg", Host="192.168.1.5:8000")
    assert (answer.status_code, answer.content_type) == (200, "image/svg+xml; charset=utf-8")
    assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert lines(f"http://192.168.1.5:8000/#/join/{link.rpartition('/')[2]}") in answer.text
    assert 'xmlns="http://www.w3.org/2000/svg"' in answer.text
    assert len(answer.data) < 4096


def test_the_address_that_the_operator_has_set_comes_before_that_of_the_request(ada, game, server):
    services = server.app.extensions["plateau"]
    server.app.extensions["plateau"] = replace(services, public_url="https://play.example")
    link = linked(ada, game)
    assert lines(f"https://play.example/#/join/{link.rpartition('/')[2]}") in ada.get(f"{link}/qr.svg").text


def test_what_is_no_address_is_not_drawn(ada, game, stranger):
    link = linked(ada, game)
    for host in ("a" * 300, "a b", ""):
        answer = stranger.get(f"{link}/qr.svg", Host=host)
        assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, "Host")
