"""`plateau verify` on files: its exit codes, and the one line that names what is wrong."""

import json

import pytest

from domain.laws.play import log_of
from service.cli import many
from tests.support.bundles import bundle_of, written
from tests.support.commands import plateau
from tests.support.random_games import played
from tests.support.signing import Signer


@pytest.fixture(scope="module")
def steps():
    return played("plateau", 2, 0)


@pytest.fixture
def file(tmp_path, steps):
    """Save the bundle of a finished game."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(written(steps[-1].game, log_of(steps)))
    return path


def verify(*arguments):
    return plateau("verify", *arguments)


def test_a_verified_file_is_said_to_be_so(file, steps):
    ran = verify(file)
    assert (ran.exit_code, ran.stderr) == (0, "")
    name = f"{file}: {steps[-1].game.id}"
    assert ran.stdout.splitlines() == [
        f"{name}: verified, {steps[-1].game.version} events",
        f"{name}: note: the bundle has no receipt: nobody has signed this log",
        f"{name}: note: the bundle has no proof that the game is in the log of heads",
    ]


def test_one_line_names_what_is_wrong(file, steps):
    file.write_text(file.read_text().replace('"seat": 1', '"seat": 0', 1))
    ran = verify(file)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"{file}: {steps[-1].game.id}: WRONG: version 3, /hash: expected ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"{}\n", b"\xff\n", b'{"bundle": {"format": 2}}\n', b"[" * 99999 + b"\n"]
)
def test_a_file_that_is_no_bundle_cannot_be_read(file, content):
    file.write_bytes(content)
    ran = verify(file)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "unreadable" in ran.stderr


def test_a_file_that_is_not_there_cannot_be_read(tmp_path):
    for path in (tmp_path / "nothing.jsonl", tmp_path):
        assert verify(path).exit_code == 2


def test_what_was_not_checked_is_said(file, steps):
    file.write_bytes(written(steps[-2].game, log_of(steps[:-1])))
    ran = verify(file)
    assert (ran.exit_code, "warning: the game is not over" in ran.stdout) == (3, True)


KNOWN = {
    "--mine|0=seed 0|--joined-after|1:HASH|--seen|1:HASH": 0,
    "--opened-after|2:HASH": 1,
    "--mine|0=seed 1": 1,
    "--seen|2:HASH": 1,
    "--mine|0=seed 0|--joined-after|1:OTHER": 1,
    "--mine|7=x": 1,
    "--mine|seed": 2,
    "--seen|x:1": 2,
    "--joined-after|1:HASH": 2,
    "--mine|0=seed 0": 3,
}
"""What somebody knows of a game, and the exit code; HASH is the head at version 1."""


@pytest.mark.parametrize(("known", "code"), KNOWN.items(), ids=KNOWN)
def test_own_seed_and_own_heads_are_looked_for(file, known, code):
    head = json.loads(file.read_text().split("\n")[1])["event"]["hash"]
    assert verify(file, *known.replace("HASH", head).replace("OTHER", head[::-1]).split("|")).exit_code == code


def test_what_is_known_of_one_game_is_not_asked_of_several(file):
    (file.parent / "other.jsonl").write_bytes(file.read_bytes())
    for known in (["--mine", "0=seed 0"], ["--seen", "1:ab"]):
        for files in ([file, file.parent / "other.jsonl"], [file.parent]):
            ran = verify(*files, *known)
            assert (ran.exit_code, "name its file alone" in ran.stderr) == (2, True)


def test_many_files_of_a_folder_are_verified_and_the_worst_decides(file, monkeypatch):
    monkeypatch.setattr(many, "MANY", 3)
    for number in range(3):
        (file.parent / f"{number}.jsonl").write_bytes(file.read_bytes())
    assert verify(file.parent).exit_code == 0
    (file.parent / "1.jsonl").write_bytes(b"torn")
    ran = verify(file.parent)
    assert (ran.exit_code, ran.stdout.count("verified"), ran.stderr.count("unreadable")) == (2, 3, 1)
    (file.parent / "2.jsonl").write_text(file.read_text().replace('"seat": 1', '"seat": 0', 1))
    assert verify(file.parent).exit_code == 1


@pytest.fixture
def kept(tmp_path, file, steps):
    """Sign the bundle of the file, and keep the keys of the server and a receipt of it."""
    server = Signer()
    signed = server.with_all(bundle_of(steps), "wanda").signed
    with file.open("ab") as bundle:
        bundle.writelines(json.dumps({kind: line}).encode() + b"\n" for kind, lines in signed.items() for line in lines)
    keys, receipts = tmp_path / "keys.json", tmp_path / "receipts"
    keys.write_text(json.dumps(server.listed()))
    receipts.write_text(json.dumps(server.receipt(bundle_of(steps), 5)) + "\n\n")
    return keys, receipts, signed["cosignature"][0]["witness"]


def test_signatures_are_checked_with_the_keys_that_are_trusted(file, kept):
    keys, receipts, witness = kept
    ran = verify(file)
    assert (ran.exit_code, ran.stdout.count("\n"), "that it brings itself" in ran.stdout) == (0, 3, True)
    ran = verify(file, "--keys", keys, "--receipts", receipts, "--witness", witness.upper())
    assert (ran.exit_code, ran.stderr) == (0, "")
    notes = [line.split(": ", 2)[2] for line in ran.stdout.splitlines()[1:]]
    assert notes[0] == "note: the log matches the receipts of it that you have kept: 1"
    assert [note.split(" over ")[0] for note in notes[1:]] == ["note: the first root in the bundle"]


def test_a_root_that_is_dated_after_its_key_was_replaced_is_found(file, kept):
    keys, _, _ = kept
    for until, code in ((None, 0), ("2020-01-01T00:00:00.000Z", 1)):
        listed = json.loads(keys.read_text())
        keys.write_text(json.dumps({"keys": [key | {"until": until} for key in listed["keys"]]}))
        ran = verify(file, "--keys", keys)
        assert ran.exit_code == code
    assert "when its key was replaced" in ran.stderr


def test_a_witness_who_has_not_signed_is_missed(file, kept):
    keys, _, witness = kept
    for options, code in ((["--witness", "ab" * 32], 3), (["--witness", "ab" * 32, "--witness", witness], 3),
                          (["--witness", "ab" * 32, "--witness", witness, "--witnesses", 1], 0)):  # fmt: skip
        assert verify(file, "--keys", keys, *options).exit_code == code


def test_keys_receipts_and_witnesses_that_are_none_are_wrong_usage(file, kept, tmp_path):
    keys, receipts, witness = kept
    for options in (["--keys", receipts], ["--keys", tmp_path / "nothing"], ["--receipts", keys], ["--witness", "abc"],
                    ["--witnesses", 1], ["--witness", witness, "--witnesses", 2]):  # fmt: skip
        assert verify(file, *options).exit_code == 2
