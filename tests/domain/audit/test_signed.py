"""What a server signed of a game proves what it says, and whatever is forged, replayed or torn in it is named."""

from copy import deepcopy
from dataclasses import replace

import pytest

from domain.audit.bundle import read
from domain.audit.signed import Trust
from domain.audit.verifying import verify
from domain.game.durations import instant, moment
from service.transparency.signatures import is_signed, public_half
from tests.golden.logs import golden_log
from tests.support.bundles import bundle_of, forged, written
from tests.support.random_games import played
from tests.support.signing import Signer, cosigned, key_of

SERVER = Signer()
TRUST = Trust(is_signed, SERVER.keys)
WITNESSES = tuple(public_half(key_of(name)) for name in ("wanda", "walt"))


@pytest.fixture(scope="module")
def honest():
    return SERVER.with_all(bundle_of(played("plateau", 2, 0)), "wanda")


@pytest.fixture
def bundle(honest):
    return deepcopy(honest)


def another_game():
    return bundle_of(played("plateau", 2, 1))


def rewritten(bundle):
    """What the operator makes of a game afterwards: other times, sealed and chained again."""
    other = deepcopy(bundle)
    for event in other.events:
        event["at"] = event["at"].replace("2026", "2027")
    game = played("plateau", 2, 0)[-1].game
    return replace(forged(other, game), signed=bundle.signed)


def rooted(bundle):
    """The note that says from when the first root over the last version is: that of a signer here, at once."""
    last = bundle.events[-1]
    root = f"is of {bundle.signed['root'][0]['at']}"
    return f"the first root in the bundle over version {last['version']}, of {last['at']}, {root}"


def test_an_honest_bundle_says_that_it_verifies_and_from_when_its_root_is(honest):
    report = verify(honest, trust=TRUST)
    assert (report.fault, report.unchecked, report.notes) == (None, (), (rooted(honest),))


def test_a_root_that_is_much_later_than_the_game_is_said_and_no_fault(bundle):
    report = verify(dated(bundle, "2031-05-06T00:00:00.000Z"), trust=TRUST)
    assert report.fault is None
    assert report.notes[-1].endswith(", is of 2031-05-06T00:00:00.000Z")


def test_without_trusted_keys_those_of_the_bundle_are_its_own_claim(honest):
    report = verify(honest, trust=Trust(is_signed))
    assert (report.fault, report.unchecked) == (None, ())
    assert report.notes == (
        "its signatures are those of the keys that it brings itself: compare these with your own copy",
        rooted(honest),
    )
    assert verify(honest).unchecked == ("its signatures were not checked",)


def test_what_is_missing_is_a_warning_to_those_who_trust_a_key():
    bare = bundle_of(played("plateau", 2, 0))
    report = verify(bare, trust=TRUST)
    assert (report.fault, len(report.unchecked), report.notes) == (None, 2, ())
    report = verify(bare, trust=Trust(is_signed))
    assert (report.fault, report.unchecked, len(report.notes)) == (None, (), 2)


def test_a_proof_that_ends_before_the_game_is_said_to_do_so(bundle):
    half = replace(bundle, events=bundle.events[:-5])
    root, inclusion = SERVER.proved(half)
    report = verify(
        replace(bundle, signed={**bundle.signed, "root": [root], "cosignature": [], "inclusion": [inclusion]}),
        trust=TRUST,
    )
    last = len(bundle.events)
    assert (report.fault, report.unchecked) == (
        None,
        (f"the log of heads has the game up to version {last - 5} of {last}",),
    )


def this_game():
    return bundle_of(played("plateau", 2, 0))


def signed_again(kind, line, **changes):
    unsigned = {name: part for name, part in line.items() if name not in {"signature", "key_id"}}
    return SERVER.signed(kind, unsigned | changes)


def receipt(**changes):
    """Sign a receipt of this game with something changed."""
    return signed_again("receipt", SERVER.receipt(this_game()), **changes)


def proved_by(signer, bundle):
    root, inclusion = signer.proved(bundle)
    return {"root": [root], "inclusion": [inclusion], "cosignature": []}


def cosigned_by_server(lines):
    root = lines["root"][0]
    return {"size": root["size"], "witness": SERVER.public, "signature": root["signature"]}


STRANGER = Signer("stranger")
ATTACKS = {
    "a receipt of another game": (lambda _: {"receipt": [SERVER.receipt(another_game())]}, "receipt 1/game"),
    "a receipt of a stranger": (lambda _: {"receipt": [STRANGER.receipt(this_game())]}, "receipt 1/signature"),
    "a stranger under the id of the server": (
        lambda _: {"receipt": [STRANGER.receipt(this_game()) | {"key_id": next(iter(SERVER.keys))}]},
        "receipt 1/signature",
    ),
    "a receipt of a version that there is not": (lambda _: {"receipt": [receipt(version=10_000)]}, "receipt 1/version"),
    "a receipt of version 0": (lambda _: {"receipt": [receipt(version=0)]}, "receipt 1/version"),
    "a receipt of another log": (
        lambda lines: {"receipt": [*lines["receipt"], SERVER.receipt(rewritten(this_game()))]}, "/hash"
    ),
    "a root in place of a receipt": (
        lambda lines: {"receipt": [lines["receipt"][0] | {"signature": lines["root"][0]["signature"]}]},
        "receipt 1/signature",
    ),
    "two roots of one size": (
        lambda lines: {"root": [*lines["root"], signed_again("root", lines["root"][0], root="0" * 64)]}, "root 2/root"
    ),
    "no root": (lambda _: {"root": []}, "inclusion 1/size"),
    "a root signed by a stranger": (lambda _: proved_by(STRANGER, this_game()), "root 1/signature"),
    "a proof of another game": (lambda _: proved_by(SERVER, another_game()), "inclusion 1/version"),
    "a cosignature of another root": (
        lambda lines: {"cosignature": [cosigned("wanda", {**lines["root"][0], "root": "0" * 64})]},
        "cosignature 1/signature",
    ),
    "a cosignature by the server": (
        lambda lines: {"cosignature": [cosigned_by_server(lines)]}, "cosignature 1/signature"
    ),
}  # fmt: skip
"""Each lists other lines in a bundle; and the part at which that is found."""

CHANGES = {
    "a game put into a receipt": ("receipt", lambda line: {"version": 3}, "receipt 1/signature"),
    "a torn signature": ("receipt", lambda line: {"signature": line["signature"][:-1]}, "receipt 1/signature"),
    "a version that is a boolean": ("receipt", lambda line: {"version": True}, "receipt 1/version"),
    "a receipt with something more": ("receipt", lambda line: {"more": 1}, "receipt 1"),
    "another root": ("root", lambda line: {"root": "0" * 64}, "root 1/signature"),
    "a proof with a part left out": ("inclusion", lambda line: {"proof": line["proof"][1:]}, "inclusion 1/proof"),
    "a proof of numbers": ("inclusion", lambda line: {"proof": [1, *line["proof"][1:]]}, "inclusion 1/proof"),
    "a proof for another leaf": ("inclusion", lambda line: {"index": line["index"] - 1}, "inclusion 1/proof"),
    "a proof before the first leaf": ("inclusion", lambda line: {"index": -1}, "inclusion 1/proof"),
    "an earlier version with the last hash": ("inclusion", lambda line: {"version": line["version"] - 1}, "/hash"),
    "a cosignature under another name": (
        "cosignature", lambda line: {"witness": WITNESSES[1]}, "cosignature 1/signature"
    ),
    "a cosignature of no root": ("cosignature", lambda line: {"size": line["size"] + 1}, "cosignature 1/size"),
}  # fmt: skip
"""Each changes the first line of a kind."""


def found(bundle, field):
    fault = verify(bundle, trust=TRUST).fault
    assert fault is not None
    assert fault.field == field
    assert fault.expected != fault.found


@pytest.mark.parametrize(("attack", "field"), ATTACKS.values(), ids=ATTACKS)
def test_other_lines_that_were_signed_are_found(bundle, attack, field):
    found(replace(bundle, signed=bundle.signed | attack(bundle.signed)), field)


@pytest.mark.parametrize(("line", "change", "field"), CHANGES.values(), ids=CHANGES)
def test_a_change_of_what_was_signed_is_found(bundle, line, change, field):
    bundle.signed[line][0] |= change(bundle.signed[line][0])
    found(bundle, field)


@pytest.mark.parametrize(
    "key",
    [{"key_id": "x", "public_key": SERVER.public}, {"key_id": "x", "public_key": "zz"}, {"key_id": "x"}, "key", None],
    ids=str,
)
def test_a_key_that_is_none_is_found_if_the_bundles_own_are_used(bundle, key):
    bundle.signed["keys"][0]["keys"].append(key)
    assert verify(bundle, trust=Trust(is_signed)).fault.field.startswith("keys 1/keys/1")
    assert verify(bundle, trust=TRUST).fault is None, "the keys of a bundle do not matter to those who have their own"


def test_a_rewritten_game_signed_anew_is_caught_by_the_servers_key(bundle):
    other = Signer("stranger").with_all(rewritten(bundle))
    assert verify(other, trust=Trust(is_signed)).fault is None
    assert verify(other, trust=TRUST).fault.field == "receipt 1/signature"


def test_a_receipt_that_somebody_kept_convicts_a_server_that_rewrote_the_game(bundle):
    kept = [SERVER.receipt(another_game()), SERVER.receipt(bundle, 7)]
    report = verify(bundle, trust=replace(TRUST, receipts=kept))
    assert report.fault is None
    assert report.notes == ("the log matches the receipts of it that you have kept: 1", rooted(bundle))
    other = SERVER.with_all(rewritten(bundle))
    assert verify(other, trust=TRUST).fault is None, "all is signed by the server: nothing in the bundle shows it"
    fault = verify(other, trust=replace(TRUST, receipts=kept)).fault
    assert (fault.version, fault.field) == (7, "/hash")
    assert bundle.events[6]["hash"] in fault.expected


def test_a_kept_receipt_counts_only_if_it_is_signed(bundle):
    kept = SERVER.receipt(bundle, 7) | {"hash": "0" * 64}
    assert verify(bundle, trust=replace(TRUST, receipts=[kept])).fault.field == "your receipt 1/signature"


def test_a_kept_receipt_from_beyond_the_log_is_a_fault_once_the_game_is_over():
    steps = played("plateau", 2, 0)
    whole, half = bundle_of(steps), bundle_of(steps[:-4])
    later = SERVER.receipt(whole, len(half.events) + 1)
    report = verify(half, trust=replace(TRUST, receipts=[later]))
    assert report.fault is None
    assert "to which this log does not go" in report.unchecked[0]
    beyond = signed_again("receipt", later, version=len(whole.events) + 1)
    assert verify(whole, trust=replace(TRUST, receipts=[beyond])).fault.field == "your receipt 1/version"


def said_of_witnesses(bundle, *witnesses, least):
    """Return the warnings about witnesses; there is no fault, since nothing contradicts itself."""
    report = verify(bundle, trust=replace(TRUST, witnesses=witnesses, least=least))
    assert report.fault is None
    assert report.unsigned == report.unchecked
    return [said for said in report.unchecked if "witnesses" in said]


def test_too_few_witnesses_are_a_warning(bundle):
    wanda, walt = WITNESSES
    for witnesses, least, is_enough in (((wanda,), 1, True), ((wanda, walt), 1, True), ((wanda, walt), 2, False),
                                        ((walt,), 1, False), ((wanda, wanda), 2, False)):  # fmt: skip
        assert (said_of_witnesses(bundle, *witnesses, least=least) == []) is is_enough
    assert said_of_witnesses(bundle, wanda, walt, least=2) == [
        "witnesses who have co-signed a root that the whole game is under: 1 of your 2, and not 2"
    ]
    bundle.signed["inclusion"].clear()
    assert said_of_witnesses(bundle, wanda, least=1)


def test_witnesses_count_who_have_cosigned_different_roots_over_the_game(bundle):
    later = Signer(leaves=[*SERVER.leaves, bytes(32)])
    root, inclusion = later.proved(bundle)
    assert root["size"] > bundle.signed["root"][0]["size"]
    bundle.signed["root"].append(root)
    bundle.signed["cosignature"].append(cosigned("walt", root))
    assert len(said_of_witnesses(bundle, *WITNESSES, least=2)) == 1, "nothing proves that the game is under that root"
    bundle.signed["inclusion"].append(inclusion)
    assert said_of_witnesses(bundle, *WITNESSES, least=2) == []


def test_witnesses_of_an_earlier_version_do_not_count_for_what_came_after_it(bundle):
    half = replace(bundle, events=bundle.events[:-5])
    later = Signer(leaves=[*SERVER.leaves, bytes(32)])
    (old, proof), (new, whole) = SERVER.proved(half), later.proved(bundle)
    signed = {"root": [old, new], "inclusion": [proof, whole], "cosignature": [cosigned("wanda", old)]}
    (said,) = said_of_witnesses(replace(bundle, signed={**bundle.signed, **signed}), WITNESSES[0], least=1)
    assert said.endswith("0 of your 1, and not 1")


def test_a_receipt_of_an_earlier_version_is_said_to_end_before_the_log(bundle):
    bundle.signed["receipt"] = [SERVER.receipt(bundle, 1)]
    said = f"the log is signed up to version 1 of {len(bundle.events)}"
    report = verify(bundle, trust=TRUST)
    assert (report.fault, report.unchecked) == (None, (said,))
    own = verify(bundle, trust=Trust(is_signed))
    assert (own.unchecked, own.notes[0]) == ((), said)
    bundle.signed["receipt"].append(SERVER.receipt(bundle))
    assert verify(bundle, trust=TRUST).unchecked == ()


def test_a_bundle_is_read_with_what_was_signed():
    game, records = golden_log("plateau/forfeit")
    text = written(game, records) + b'{"receipt": {"game": "gm"}}\n{"root": {"size": 1}}\n{"witness": {}}\n'
    bundle = read(text)
    assert bundle.signed["receipt"] == [{"game": "gm"}]
    assert bundle.signed["root"] == [{"size": 1}]
    assert bundle.others == {"witness": 1}
    assert verify(bundle, trust=TRUST).fault.field == "receipt 1"


def dated(bundle, at):
    """Return the bundle with its root signed for another time."""
    root, inclusion = SERVER.proved(bundle)
    root = SERVER.signed("root", {"at": at, "root": root["root"], "size": root["size"]})
    return replace(bundle, signed={**bundle.signed, "root": [root], "cosignature": [], "inclusion": [inclusion]})


@pytest.mark.parametrize(("seconds", "is_found"), [(-61, True), (-60, False), (61, False)])
def test_a_root_is_not_dated_before_the_last_event_that_it_covers(bundle, seconds, is_found):
    last = instant(bundle.events[-1]["at"])
    fault = verify(dated(bundle, moment(last + 1000 * seconds)), trust=TRUST).fault
    assert (fault is not None and fault.field.endswith("/at")) is is_found


def test_a_root_is_not_dated_before_its_key(bundle):
    at = instant(bundle.events[-1]["at"])
    for later, is_found in ((61_000, True), (60_000, False)):
        since = dict.fromkeys(SERVER.keys, moment(at + later))
        fault = verify(bundle, trust=replace(TRUST, since=since)).fault
        assert (fault is not None and fault.field == "root 1/at") is is_found


def test_a_root_is_not_dated_after_its_key_was_replaced(bundle):
    """Other processes can sign for 60 seconds more, and clocks differ by 60."""
    at = instant(bundle.signed["root"][0]["at"])
    for earlier, is_found in ((120_001, True), (120_000, False)):
        until = dict.fromkeys(SERVER.keys, moment(at - earlier))
        fault = verify(bundle, trust=replace(TRUST, until=until)).fault
        assert (fault is not None and fault.field == "root 1/at") is is_found


def test_a_root_without_a_time_is_named(bundle):
    for at in ("yesterday", "2026-01-01"):
        assert verify(dated(bundle, at), trust=TRUST).fault.field.endswith("/at")
