"""The log of heads, as anyone can read and check it.

Witnesses co-sign the roots of the log of heads; what is kept of those whom nobody knows is bounded.
"""

from dataclasses import replace

import pytest

from domain.audit.bundle import read
from domain.audit.signed import Trust
from domain.audit.verifying import verify
from domain.log import merkle
from domain.log.heads import head_leaf
from service.transparency import transparency_log
from service.transparency.signatures import is_signed, public_half, root_in
from service.transparency.transparency_log import TransparencyLog
from tests.support.signing import cosigned, key_of
from tests.support.transparency import begin, log_heads, rewrite

ME, OPEN = {"player": "me"}, {"open": True}


def is_included(answer):
    """Check a proof of inclusion as a client does."""
    leaf = head_leaf(answer["game_id"], answer["version"], answer["hash"])
    proof, root = [bytes.fromhex(part) for part in answer["proof"]], answer["root"]
    return merkle.is_included(leaf, answer["index"], root["size"], proof, bytes.fromhex(root["root"]))


def is_consistent(old, answer):
    """Check a proof of consistency with a root that was kept, as a client does."""
    proof, new = [bytes.fromhex(part) for part in answer["proof"]], answer["to"]
    roots = bytes.fromhex(old["root"]), bytes.fromhex(new["root"])
    return merkle.is_consistent(old["size"], roots[0], new["size"], roots[1], proof)


def code(answer):
    return answer.status_code, answer.json["code"]


def test_the_root_is_signed_and_over_all_leaves(server, ada, stranger, logged):
    ring = log_heads(server)
    root = stranger.get("/v1/heads").json
    assert root["size"] == len(logged)
    assert root_in(root).is_signed(ring.public_keys())
    assert not root_in({**root, "size": 4}).is_signed(ring.public_keys())
    pages = [stranger.get(f"/v1/heads/leaves?after={first}&limit=2").json for first in (0, 2, 4)]
    assert [len(page["leaves"]) for page in pages] == [2, 1, 0]
    leaves = [bytes.fromhex(leaf) for page in pages for leaf in page["leaves"]]
    assert merkle.Frontier().grown(leaves)[0].root().hex() == root["root"]


def test_the_head_of_a_game_is_proved_at_its_version(server, ada, bob, stranger, logged):
    first = stranger.get(f"{logged[0]}/inclusion").json
    assert is_included(first)
    assert not is_included({**first, "hash": "0" * 64})
    assert not is_included({**first, "version": first["version"] + 1})
    bob.post(f"{logged[0]}/seats", {})
    assert stranger.get(f"{logged[0]}/inclusion").json == first, "what came since is not logged yet"
    log_heads(server)
    later = stranger.get(f"{logged[0]}/inclusion").json
    assert is_included(later)
    assert (later["since"]["size"], first["since"]["size"]) == (4, 3)
    again = stranger.get(f"{logged[0]}/inclusion?version={later['version'] - 1}").json
    assert (again["version"], again["hash"]) == (first["version"], first["hash"])
    assert is_included(again)
    assert again["root"]["size"] == 4


def test_a_kept_root_still_proves_its_head_after_the_game_has_gone_on(server, ada, bob, stranger, logged):
    before = stranger.get(f"{logged[0]}/inclusion").json
    bob.post(f"{logged[0]}/seats", {})
    log_heads(server)
    for wanted in ("size=3", "size=3&version=1000"):
        assert stranger.get(f"{logged[0]}/inclusion?{wanted}").json == before
    new = begin(ada)
    log_heads(server)
    assert code(stranger.get(f"{new}/inclusion?size=3")) == (404, "not-logged")


def test_the_log_is_proved_to_have_only_grown(server, ada, stranger, logged):
    old = stranger.get("/v1/heads").json
    begin(ada)
    log_heads(server)
    answer = stranger.get("/v1/heads/consistency?from_size=3").json
    assert is_consistent(old, answer)
    assert not is_consistent({**old, "root": "0" * 64}, answer)
    assert stranger.get("/v1/heads?size=3").json == old
    assert stranger.get("/v1/heads/consistency?from_size=0&size=3").json["proof"] == []


def test_a_game_of_yesterday_that_is_rewritten_has_no_proof(server, ada, stranger, yesterdays):
    before = stranger.get(f"{yesterdays}/inclusion").json
    rewrite(server, ada, "yesterday")
    log_heads(server)
    now = stranger.get(f"{yesterdays}/inclusion").json
    assert (now["version"], now["hash"] == before["hash"]) == (before["version"], False)
    assert is_included(before)
    assert not is_included(now)


def test_a_tree_that_is_built_anew_after_a_rewrite_is_caught(server, ada, stranger, yesterdays):
    kept, before = stranger.get("/v1/heads").json, stranger.get(f"{yesterdays}/inclusion").json
    rewrite(server, ada, "yesterday")
    begin(ada)
    for key in [*server.redis.scan_iter("{heads}:*")]:
        server.redis.delete(key)
    log_heads(server)
    assert is_included(stranger.get(f"{yesterdays}/inclusion").json), "the new tree is in itself sound"
    assert not is_consistent(kept, stranger.get(f"/v1/heads/consistency?from_size={kept['size']}").json)
    assert not is_included({**before, "root": stranger.get("/v1/heads").json})


def test_a_private_game_has_a_leaf_and_a_proof_for_its_players_alone(server, ada, bob, stranger):
    path = begin(ada, visibility="private")
    log_heads(server)
    assert is_included(ada.get(f"{path}/inclusion").json)
    for other in (bob, stranger):
        assert code(other.get(f"{path}/inclusion")) == (404, "no-such-game")
    text = stranger.get("/v1/heads/leaves").text
    assert path.rpartition("/")[2] not in text


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
    for size in (0, root["size"] + 1, 2**64, 10**30):
        answer = cosign(stranger, "wanda", root, size=size)
        assert (answer.status_code, answer.json["code"]) == (404, "no-such-root")
    assert cosign(stranger, "wanda", root, witness="AB" * 32).status_code == 400
    assert names_under(stranger, root) == []


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
    most = transparency_log.MOST_OF_STRANGERS
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
