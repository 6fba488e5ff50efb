"""The log of heads, as anyone can read and check it."""

from domain.log import merkle
from domain.log.heads import head_leaf
from service.transparency.statements import root_in
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
    pages = [stranger.get(f"/v1/heads/leaves?from={first}&limit=2").json for first in (0, 2, 4)]
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
    answer = stranger.get("/v1/heads/consistency?from=3").json
    assert is_consistent(old, answer)
    assert not is_consistent({**old, "root": "0" * 64}, answer)
    assert stranger.get("/v1/heads?size=3").json == old
    assert stranger.get("/v1/heads/consistency?from=0&size=3").json["proof"] == []


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
    assert not is_consistent(kept, stranger.get(f"/v1/heads/consistency?from={kept['size']}").json)
    assert not is_included({**before, "root": stranger.get("/v1/heads").json})


def test_a_private_game_has_a_leaf_and_a_proof_for_its_players_alone(server, ada, bob, stranger):
    path = begin(ada, visibility="private")
    log_heads(server)
    assert is_included(ada.get(f"{path}/inclusion").json)
    for other in (bob, stranger):
        assert code(other.get(f"{path}/inclusion")) == (404, "no-such-game")
    text = stranger.get("/v1/heads/leaves").text
    assert path.rpartition("/")[2] not in text
