"""How the web client is served: its page at the root, and its files under a path of their own for each release."""

import gzip
import json
import re

import pytest

from service.web.site import POLICY, site


@pytest.fixture
def files(server):
    """A client that does not hold responses against the published interface, which leaves the files out."""
    return server.app.test_client()


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_the_root_is_the_web_client_for_a_browser_under_a_strict_policy(stranger):
    answer = stranger.get("/", Accept=BROWSER)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert answer.data == site().page.content
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "unsafe" not in POLICY
    assert not {"Set-Cookie"} & {*answer.headers.keys()}


def test_only_the_page_that_shows_a_game_can_be_framed_by_other_sites(files, stranger):
    embedded = files.get("/embed/gm_1")
    assert embedded.data == site().page.content
    assert "frame-ancestors *" in embedded.headers["Content-Security-Policy"].split("; ")
    assert "frame-ancestors 'none'" in stranger.get("/", Accept=BROWSER).headers["Content-Security-Policy"].split("; ")
    assert not {"Set-Cookie", "X-Frame-Options"} & {*embedded.headers.keys()}


@pytest.mark.parametrize("path", ["/", "/embed/gm_1", "/sw.js", f"/web/{site().release}/app.js"])
def test_what_a_browser_opens_ignores_parameters_that_it_does_not_know(files, path):
    plain, shared = (files.get(asked, headers={"Accept": BROWSER}) for asked in (path, f"{path}?fbclid=a&utm_source=b"))
    assert (shared.status_code, shared.data) == (200, plain.data)


def test_the_page_has_an_etag_for_each_form(stranger):
    plain = stranger.get("/", Accept=BROWSER)
    packed = stranger.get("/", Accept=BROWSER, Accept_Encoding="gzip")
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    known = stranger.get("/", Accept=BROWSER, Accept_Encoding="gzip", If_None_Match=packed.headers["ETag"])
    assert (known.status_code, known.data) == (304, b"")
    assert known.headers["Content-Security-Policy"] == POLICY


def test_the_service_worker_is_at_the_root_under_a_policy_of_its_own(files):
    answer = files.get("/sw.js")
    assert (answer.status_code, answer.data) == (200, site().files["sw.js"].content)
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert f'const PLACE = "/web/{site().release}/"' in answer.text
    kept = re.search(r"^const FILES = (.*);$", answer.text, re.MULTILINE)
    assert kept
    assert {*json.loads(kept[1])} == site().files.keys() - {"sw.js"}
    assert files.get("/sw.js", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_a_file_is_kept_for_ever_under_the_path_of_its_release(files):
    for name, file in site().files.items():
        answer = files.get(f"/web/{site().release}/{name}")
        assert (answer.status_code, answer.content_type, answer.data) == (200, file.kind, file.content)
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        if answer.mimetype == "image/svg+xml":
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        if name == "streams.js":
            assert answer.headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'"
        packed = files.get(f"/web/{site().release}/{name}", headers={"Accept-Encoding": "gzip"})
        assert (packed.headers["Content-Encoding"], packed.data) == ("gzip", file.compressed)


def test_a_file_of_another_release_and_one_that_is_not_served_do_not_exist(files):
    for path in ("0" * 16 + "/app.js", site().release + "/nothing.js", site().release + "/vendor/preact.d.mts"):
        assert files.get(f"/web/{path}").status_code == 404, path
