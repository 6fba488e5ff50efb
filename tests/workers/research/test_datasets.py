"""Data sets: games can be played again from their rows, and only labels have what a seat may not know."""

import gzip
import sys
from dataclasses import fields
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from domain.game import aggregate, history, seating
from domain.game.seating import NewGame
from domain.log.record import visible
from domain.registry import BUILT_IN
from domain.serialization import from_plain
from domain.table import EVERYTHING
from service.cli.main import main
from service.input.forms import action_of
from tests.support.server import ROOT
from tests.workers.extras import needed
from workers.bots.policy import Estimate, Thought
from workers.research import files
from workers.research.columns import COLUMNS
from workers.research.tables import GAME_ID

SHORT = {"plateau": ("--option", "max_plies=12")}
FAILING = "tests.workers.failing_policies"
AT = "2026-01-01T00:00:00.000Z"


def generate(out, *arguments):
    return CliRunner().invoke(main, ["generate", "--out", str(out), *map(str, arguments)], catch_exceptions=False)


def lines(path):
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def written(path, *arguments):
    done = generate(path, *arguments)
    assert done.exit_code == 0, done.output
    return lines(path)


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.id)
def test_a_game_can_be_played_again_from_its_row(tmp_path, ruleset):
    switches = ["--ruleset", ruleset.id, "--bots", "random", "--games", 2, "--processes", 1, *SHORT.get(ruleset.id, ())]
    rows = written(tmp_path / "games.jsonl", *switches, "--rows", "games")
    decisions = written(tmp_path / "decisions.jsonl", *switches)
    assert [sorted(row) for row in rows] == [sorted(column.name for column in COLUMNS["games"])] * 2
    assert {tuple(sorted(row)) for row in decisions} == {tuple(sorted(column.name for column in COLUMNS["decisions"]))}
    for row, (_, of_game) in zip(rows, groupby(decisions, itemgetter("game")), strict=True):
        again(ruleset, row, [*of_game])


def again(ruleset, row, decisions):
    """Play a game by its row as the service does, and compare what happened, and what each seat saw before deciding."""
    options = from_plain(ruleset.options.shape, row["options"])
    bots = tuple(enumerate(row["bots"]))
    open_seats = (None,) * row["seats"]
    new = NewGame(GAME_ID, ruleset, options, "public", False, "pl_1", open_seats, bots, by_deal=False)  # noqa: FBT003
    records, game = history.record(None, seating.create(new, bytes.fromhex(row["secret"])), AT, "r")
    log, seen = [*records], [0] * row["seats"]
    for decided, moved in zip(decisions, row["decisions"], strict=True):
        seat = moved["seat"]
        assert (decided["seat"], decided["action"], decided["playouts"]) == (seat, moved["action"], moved["playouts"])
        assert decided["events"] == told(ruleset, game, log[seen[seat] :], seat)
        assert decided["view"] == plain(ruleset.project(game.state, seat))
        assert decided["truth"] == plain(ruleset.project(game.state, EVERYTHING))
        assert decided["legal_count"] == len(ruleset.legal_actions(game.state, seat))
        assert decided["legal"] is None or decided["action"] in decided["legal"]
        assert (decided["score"], decided["scores"]) == (row["scores"][seat], row["scores"])
        assert decided["won"] == (decided["score"] == max(row["scores"]))
        seen[seat] = len(log)
        records, game = history.record(game, aggregate.act(game, seat, action_of(ruleset, moved["action"])[0]), AT, "r")
        log += records
    # A hand that is not the last is followed by a deal in the service; the row ends before it.
    everything = told(ruleset, game, log, None)
    assert row["events"] == everything[: len(row["events"])]
    assert len(row["events"]) == len(everything) or not game.is_over


def told(ruleset, game, log, seat):
    shown = [
        visible(record, game.secrets, seat, everything=seat is None) for record in log if record.type in ruleset.events
    ]
    return [{"type": each["type"], "seat": each["seat"], "data": each["data"]} for each in shown]


def plain(view):
    return orjson.loads(orjson.dumps(view))


def test_the_same_switches_write_the_same_bytes(tmp_path):
    switches = ["--ruleset", "plute", "--bots", "greedy,random", "--seed", 7]
    one, two, rest, other = (tmp_path / f"{name}.jsonl" for name in ("one", "two", "rest", "other"))
    written(one, *switches, "--games", 5, "--processes", 1)
    rows = written(two, *switches, "--games", 5, "--processes", 2)
    assert one.read_bytes() == two.read_bytes()
    assert written(rest, *switches, "--games", 3, "--first", 2) == [row for row in rows if row["game"] >= 2]
    assert written(other, "--ruleset", "plute", "--bots", "greedy,random", "--seed", 8, "--games", 5) != rows
    packed = [tmp_path / f"{name}.jsonl.gz" for name in ("packed", "again")]
    assert [generate(path, *switches, "--games", 5).exit_code for path in packed] == [0, 0]
    assert packed[0].read_bytes() == packed[1].read_bytes()
    assert gzip.decompress(packed[0].read_bytes()) == one.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        path.name for path in (one, two, rest, other, *packed)
    )


def test_bots_move_on_by_a_seat_from_game_to_game(tmp_path):
    rows = written(
        tmp_path / "games.jsonl", "--ruleset", "le-plateau", "--bots", "random,greedy", "--games", 2, "--rows", "games"
    )
    assert [row["bots"] for row in rows] == [["random", "greedy"], ["greedy", "random"]]


def test_a_search_says_what_it_expected_and_how_many_playouts_it_made(tmp_path):
    rows = written(tmp_path / "rows.jsonl", "--ruleset", "plute", "--bots", "searcher@20", "--games", 1)
    searched = [row for row in rows if row["playouts"]]
    assert searched
    assert {row["bot"] for row in rows} == {"searcher@20"}
    for row in searched:
        assert row["action"] in [each["action"] for each in row["estimates"]]
        assert row["legal_count"] > 1
        assert {*row["estimates"][0]} == {field.name for field in fields(Estimate)}
    assert {row["measure"] for row in searched} == {"bid", "win"}


def test_parquet_has_the_same_rows_as_json_lines_and_the_same_bytes_again(tmp_path):
    parquet = needed("pyarrow.parquet")
    for kind in COLUMNS:
        switches = ["--ruleset", "plute", "--bots", "random", "--games", 3, "--rows", kind]
        first, again = tmp_path / "first.parquet", tmp_path / "again.parquet"
        assert [generate(path, *switches).exit_code for path in (first, again)] == [0, 0]
        assert first.read_bytes() == again.read_bytes()
        table = parquet.read_table(first)
        assert table.schema.names == [column.name for column in COLUMNS[kind]]
        texts = {column.name for column in COLUMNS[kind] if column.kind == "json"}
        rows = [
            {name: orjson.loads(value) if name in texts else value for name, value in row.items()}
            for row in table.to_pylist()
        ]
        assert rows == written(tmp_path / "rows.jsonl", *switches)


def test_a_file_of_parquet_is_written_in_groups(tmp_path, monkeypatch):
    parquet = needed("pyarrow.parquet")
    monkeypatch.setattr(files, "ROWS_IN_GROUP", 50)
    path = tmp_path / "rows.parquet"
    generate(path, "--ruleset", "plute", "--bots", "random", "--games", 4)
    about = parquet.ParquetFile(path).metadata
    sizes = [about.row_group(number).num_rows for number in range(about.num_row_groups)]
    assert sizes[:-1] == [50] * (len(sizes) - 1)
    assert sum(sizes) > 100


def cheating(_asked):
    return Thought({"type": "play", "card": "RH"})


def opening(_asked):
    return Thought(orjson.loads(Path("no weights").read_bytes()))


def guessing(asked):
    return Thought(asked.view["legal_actions"]["actions"][0], playouts=object())


@pytest.mark.parametrize(
    ("switches", "code", "said"),
    [
        (["--out", "rows.csv"], 2, ".jsonl, .jsonl.gz, .parquet"),
        (["--bots", "nobody"], 2, "there is no bot nobody"),
        (["--seats", "7"], 2, "6 players, not 7"),
        (["--option", "hands=none"], 2, "hands"),
        (["--out", "nowhere/rows.jsonl"], 2, "nowhere"),
        (["--bots", ":think"], 2, "no policy :think can be imported: ValueError"),
        (["--bots", "..own:think"], 2, "no policy ..own:think can be imported: TypeError"),
        (["--bots", f"{__name__}:cheating"], 1, "is not legal, in game 0"),
        (["--bots", f"{__name__}:opening"], 1, "opening failed, in game 0: FileNotFoundError"),
        (["--bots", f"{FAILING}:raises"], 1, "failing_policies.py"),
        (["--bots", f"{FAILING}:leaves"], 1, "leaves failed, in game 0: SystemExit"),
        (["--bots", f"{FAILING}:answers_nothing"], 1, "a policy returns a Thought"),
        (["--bots", f"{FAILING}:answers_what_cannot_be_sent"], 1, "a policy returns a Thought"),
        (["--bots", f"{__name__}:guessing"], 1, "not JSON serializable"),
        (["--bots", f"{FAILING}:dies"], 1, "a process in which bots play"),
    ],
)
def test_what_cannot_be_made_leaves_what_was_there(tmp_path, monkeypatch, switches, code, said):
    monkeypatch.chdir(tmp_path)
    earlier = tmp_path / "rows.jsonl"
    earlier.write_text("earlier")
    done = generate("rows.jsonl", "--ruleset", "le-plateau", "--bots", "random", "--processes", 1, *switches)
    assert (done.exit_code, said in done.output) == (code, True), done.output
    assert ([path.name for path in tmp_path.iterdir()], earlier.read_text()) == (["rows.jsonl"], "earlier")


def test_a_policy_can_be_a_module_of_the_current_folder(tmp_path, monkeypatch):
    policy = "from workers.bots.policy import Thought\ndef think(asked):\n"
    policy += "    return Thought(asked.view['legal_actions']['actions'][-1])\n"
    (tmp_path / "policy_of_this_folder.py").write_text(policy)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    bots = ["--bots", "policy_of_this_folder:think"]
    assert written(tmp_path / "rows.jsonl", "--ruleset", "plute", *bots, "--games", 1)
    del sys.modules["policy_of_this_folder"]


def test_without_pyarrow_parquet_is_refused_with_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "find_spec", lambda _name: None)
    done = generate(tmp_path / "rows.parquet", "--ruleset", "plute")
    assert done.exit_code == 2
    assert "pip install 'plateau-server[research]'" in done.output


def test_the_page_lists_all_columns():
    page = (ROOT / "docs/research-openspiel.md").read_text()
    for kind, columns in COLUMNS.items():
        table = page.partition(f"<!-- columns: {kind} -->\n")[2].partition("\n\n")[0].splitlines()[2:]
        assert table == [f"| `{column.name}` | {column.kind} | {column.about} |" for column in columns]
