"""The bots that installed packages offer, by entry points."""

from importlib.metadata import EntryPoint

import pytest

from service.bots import GROUP, outside


def point(name, value="their_package.bots:think"):
    return EntryPoint(name, value, GROUP)


def test_a_bot_of_a_package_plays_the_ruleset_in_its_name():
    bots = outside([point("plute.sharp"), point("le-plateau.bold")])
    assert [*bots] == ["le-plateau.bold", "plute.sharp"]
    bot = bots["plute.sharp"]
    assert (bot.policy, bot.rulesets) == ("their_package.bots:think", {"plute"})
    assert bot.about("en") == "From the package their_package.bots."
    assert bot.version == outside([point("plute.sharp")])["plute.sharp"].version


@pytest.mark.parametrize("name", ["sharp", "plute.", ".sharp", "chess.sharp", "plute.Sharp", "plute.a b", "plute.a.b"])
def test_a_bot_with_another_name_or_for_no_ruleset_is_left_out_and_logged(name, caplog):
    assert outside([point(name)]) == {}
    assert name in caplog.text
