"""Witnesses co-sign the roots of the log of heads; what is kept of those whom nobody knows is bounded."""

from dataclasses import replace

import pytest

from domain.audit.bundle import read
from domain.audit.signed import Trust
from domain.audit.verifying import verify
from service.transparency import cosignatures
from service.transparency.signatures import is_signed, public_half
from service.transparency.transparency_log import TransparencyLog
from tests.support.signing import cosigned, key_of
from tests.support.transparency import begin, log_heads


@pytest.fixture
def root(server, ada):
    """The latest root."""
    begin(ada)
    log_heads(server)
    return ada.get("/v1/heads").json


def cosign(person, name, root, **more):
    one = cosigned(name, root) | more
    return person.post(f"/v1/heads/{one.pop('size')}/signatures", one)


def names_under(person, root):
    """Return the witnesses who have co-signed a root, in the order in which they are shown."""
    shown = person.get(f"/v1/heads?size={root['size']}").json["cosignatures"]
    keys = {public_half(key_of(name)): name for name in ("wanda", "walt", "other", *map(str, range(20)))}
    return [(keys[each["witness"]], each["listed"]) for each in shown]


def list_witnesses(server, *names):
    log = TransparencyLog(server.redis, [public_half(key_of(name)) for name in names])
    object.__setattr__(server.app.extensions["plateau"], "heads", log)


def test_anyone_cosigns_the_latest_root_and_everybody_sees_it(stranger, root):
    assert root["cosignatures"] == []
    made = cosign(stranger, "wanda", root)
    assert made.status_code == 201
    again = cosign(stranger, "wanda", root)
    assert (again.status_code, again.json) == (201, made.json)
    assert stranger.get("/v1/heads").json["cosignatures"] == [made.json]
    assert names_under(stranger, root) == [("wanda", False)]


def test_what_is_not_signed_by_the_witness_is_refused(stranger, root):
    other = {**root, "root": "0" * 64}
    for answer in (
        cosign(stranger, "wanda", root, witness=public_half(key_of("walt"))),
        cosign(stranger, "wanda", other),
        cosign(stranger, "wanda", root, signature=root["signature"]),
        cosign(stranger, "wanda", root, witness="00" * 32),
    ):
        assert (answer.status_code, answer.json["code"]) == (422, "not-signed")
    assert cosign(stranger, "wanda", root, size=root["size"] + 1).status_code == 404
    assert cosign(stranger, "wanda", root, witness="AB" * 32).status_code == 400
    assert names_under(stranger, root) == []


@pytest.mark.parametrize("size", [0, 10**9 + 1, 2**64, 10**30])
def test_a_root_of_a_size_that_no_log_has_is_not_there(stranger, root, size):
    answer = cosign(stranger, "wanda", root, size=size)
    assert (answer.status_code, answer.json["code"]) == (404, "no-such-root")


def test_strangers_cosign_only_the_latest_root_and_listed_witnesses_any(server, ada, stranger, root):
    begin(ada)
    log_heads(server)
    refused = cosign(stranger, "wanda", root)
    assert (refused.status_code, refused.json["code"]) == (422, "not-the-latest-root")
    list_witnesses(server, "walt")
    assert cosign(stranger, "walt", root).status_code == 201
    assert names_under(stranger, root) == [("walt", True)]


def test_strangers_cannot_crowd_out_a_listed_witness(server, stranger, root):
    list_witnesses(server, "wanda", "walt")
    assert cosign(stranger, "walt", root).status_code == 201
    codes = [cosign(stranger, str(number), root).status_code for number in range(10)]
    most = cosignatures.MOST_OF_STRANGERS
    assert codes == [201] * most + [422] * (10 - most)
    assert cosign(stranger, "other", root).json["code"] == "enough-witnesses"
    assert cosign(stranger, "0", root).status_code == 201, "it is there already"
    assert cosign(stranger, "wanda", root).status_code == 201
    shown = names_under(stranger, root)
    assert {name for name, listed in shown[:2] if listed} == {"wanda", "walt"}
    assert len(shown) == most + 2


def test_an_address_has_a_limit_which_listed_witnesses_do_not_count_against(server, stranger, root):
    server.keep_limits(cosignatures_from_address=2)
    list_witnesses(server, "wanda")
    codes = [cosign(stranger, name, root).status_code for name in ("0", "1", "2", "wanda")]
    assert codes == [201, 201, 429, 201]


def test_a_game_is_proved_for_the_first_root_that_was_cosigned(server, ada, stranger, root):
    path = begin(ada)
    log_heads(server)
    log_heads(server)
    first = stranger.get("/v1/heads").json
    begin(ada)
    log_heads(server)
    later = stranger.get("/v1/heads").json
    assert proved_for(stranger, path) == [first["size"]]
    assert cosign(stranger, "wanda", later).status_code == 201
    assert proved_for(stranger, path) == [later["size"]]
    list_witnesses(server, "walt")
    assert cosign(stranger, "walt", first).status_code == 201
    assert proved_for(stranger, path) == [first["size"]]


def test_a_game_is_proved_for_the_first_root_of_each_listed_witness(server, ada, stranger, root):
    path, roots = begin(ada), []
    for name in ("0", "wanda", "1", "walt", "wanda"):
        log_heads(server)
        roots.append(stranger.get("/v1/heads").json)
        list_witnesses(server, "wanda", "walt", "other")
        assert cosign(stranger, name, roots[-1]).status_code == 201
        begin(ada)
    assert proved_for(stranger, path) == [roots[1]["size"], roots[3]["size"]]
    bundle, keys = read(stranger.get(f"{path}/export?format=bundle").data), log_heads(server).public_keys()
    trust = Trust(is_signed, keys, witnesses=[public_half(key_of(name)) for name in ("wanda", "walt")], least=2)
    report = verify(bundle, trust=trust)
    assert (report.fault, report.unsigned) == (None, ())
    assert verify(bundle, trust=replace(trust, witnesses=[public_half(key_of("other"))], least=1)).unsigned


def test_the_etag_of_a_bundle_changes_when_a_witness_or_a_new_key_signs(server, ada, stranger, root):
    path = begin(ada)
    tags = [tag_of(stranger, path)]
    log_heads(server)
    tags.append(tag_of(stranger, path))
    assert cosign(stranger, "wanda", stranger.get("/v1/heads").json).status_code == 201
    tags.append(tag_of(stranger, path))
    server.receipts.ring.rotate()
    tags.append(tag_of(stranger, path))
    assert len({*tags}) == len(tags)
    assert stranger.get(f"{path}/export?format=bundle", If_None_Match=tags[-1]).status_code == 304


def tag_of(person, path):
    return person.get(f"{path}/export?format=bundle").headers["ETag"]


def proved_for(person, path):
    """Return the sizes of the roots that the bundle of a game has, each with its proof."""
    signed = read(person.get(f"{path}/export?format=bundle").data).signed
    sizes = [inclusion["size"] for inclusion in signed["inclusion"]]
    assert sizes == [root["size"] for root in signed["root"]]
    return sizes
