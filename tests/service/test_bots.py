"""The bots that installed packages offer, by entry points."""

import json
import sys
from importlib.metadata import EntryPoint

import pytest

from domain.registry import GROUP_OF_BOTS
from service.accounts.names.name_rules import UnfitText, fit_player_name, reserved_looks
from service.bots import BOTS, outside


def point(name, value="their_package.bots:think"):
    return EntryPoint(name, value, GROUP_OF_BOTS)


def test_a_bot_of_a_package_plays_the_ruleset_in_its_name():
    bots = outside([point("plute.sharp"), point("le-plateau.bold")])
    assert [*bots] == ["le-plateau.bold", "plute.sharp"]
    bot = bots["plute.sharp"]
    assert (bot.policy, bot.rulesets) == ("their_package.bots:think", {"plute"})
    assert bot.about("en") == "From the package their_package.bots."
    assert bot.version == outside([point("plute.sharp")])["plute.sharp"].version


def test_a_package_words_its_bots_and_what_a_language_lacks_is_english(tmp_path, monkeypatch):
    (tmp_path / "worded_bots").mkdir()
    words = {
        "en": {"bot.sharp": "Plays to win.", "bot.title.sharp": "Shark"},
        "fr": {"bot.title.sharp": "Requin"},
    }
    (tmp_path / "worded_bots/__init__.py").write_text("")
    for language, said in words.items():
        (tmp_path / f"worded_bots/sentences.{language}.json").write_text(json.dumps(said))
    monkeypatch.syspath_prepend(tmp_path)
    bots = outside([point("plute.sharp", "worded_bots.policies:think"), point("plute.dull", "worded_bots:think")])
    bot, dull = bots["plute.sharp"], bots["plute.dull"]
    assert [(bot.called(each), bot.about(each)) for each in ("en", "fr", "ja")] == [
        ("Shark", "Plays to win."),
        ("Requin", "Plays to win."),
        ("Shark", "Plays to win."),
    ]
    assert (dull.called("fr"), dull.about("fr")) == ("", "From the package worded_bots.")


def in_a_package(tmp_path, monkeypatch, bots_json):
    """Return a function that makes an entry point of a package that has such a file of levels."""
    monkeypatch.delitem(sys.modules, "levelled_bots", raising=False)
    (tmp_path / "levelled_bots").mkdir()
    (tmp_path / "levelled_bots/__init__.py").write_text("")
    (tmp_path / "levelled_bots/bots.json").write_text(bots_json)
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name: point(f"plute.{name}", "levelled_bots:think")


def test_levels_of_a_package_are_listed_from_the_weakest_with_their_playouts(tmp_path, monkeypatch):
    levelled = in_a_package(tmp_path, monkeypatch, '{"novice": 0, "expert": 400, "best": 900}')
    bots = outside([levelled("best"), levelled("expert"), levelled("novice"), levelled("other")])
    assert [(name, bot.playouts) for name, bot in bots.items()] == [
        ("plute.other", 0),
        ("plute.novice", 0),
        ("plute.expert", 400),
        ("plute.best", 900),
    ]


def test_a_level_that_no_entry_point_offers_is_logged(tmp_path, monkeypatch, caplog):
    levelled = in_a_package(tmp_path, monkeypatch, '{"novice": 0, "expret": 400, "best": 900}')
    assert [*outside([levelled("best"), levelled("expert"), levelled("novice")])] == [
        "plute.expert",
        "plute.novice",
        "plute.best",
    ]
    (line,) = caplog.messages
    assert line == "bots.json of levelled_bots lists levels that no usable bot has: expret"


@pytest.mark.parametrize("malformed", ["{", "[1]", '{"novice": "many"}', '{"novice": -1}', '{"novice": true}'])
def test_a_bot_whose_levels_cannot_be_read_is_left_out_and_logged(malformed, tmp_path, monkeypatch, caplog):
    levelled = in_a_package(tmp_path, monkeypatch, malformed)
    assert outside([levelled("novice")]) == {}
    assert "bots.json of levelled_bots" in caplog.text


def test_a_bot_whose_words_cannot_be_read_is_left_out_and_logged(tmp_path, monkeypatch, caplog):
    (tmp_path / "broken_bots").mkdir()
    (tmp_path / "broken_bots/__init__.py").write_text("")
    (tmp_path / "broken_bots/sentences.fr.json").write_text("{")
    monkeypatch.syspath_prepend(tmp_path)
    assert outside([point("plute.sharp", "broken_bots:think")]) == {}
    assert "sentences.fr.json of broken_bots" in caplog.text


def test_a_person_cannot_have_the_title_of_a_bot_of_a_package(tmp_path, monkeypatch):
    (tmp_path / "titled_bots").mkdir()
    (tmp_path / "titled_bots/__init__.py").write_text("")
    (tmp_path / "titled_bots/sentences.en.json").write_text(json.dumps({"bot.title.sharp": "Shark"}))
    monkeypatch.syspath_prepend(tmp_path)
    assert fit_player_name("Shark") == "Shark"
    monkeypatch.setitem(BOTS, "plute.sharp", outside([point("plute.sharp", "titled_bots:think")])["plute.sharp"])
    reserved_looks.cache_clear()
    try:
        with pytest.raises(UnfitText, match="reserved"):
            fit_player_name("Shark")
    finally:
        reserved_looks.cache_clear()


@pytest.mark.parametrize("name", ["sharp", "plute.", ".sharp", "chess.sharp", "plute.Sharp", "plute.a b", "plute.a.b"])
def test_a_bot_with_another_name_or_for_no_ruleset_is_left_out_and_logged(name, caplog):
    assert outside([point(name)]) == {}
    assert name in caplog.text
