"""The bots that a package brings for its game have words, so that people read who sits down."""

from importlib.metadata import entry_points

from domain.laws.law import of_a_ruleset
from domain.laws.play import Table
from domain.registry import GROUP_OF_BOTS
from domain.sentences.catalogue import catalogue, home_of
from domain.sentences.message import Message


@of_a_ruleset
def each_bot_of_a_package_has_a_title_and_a_sentence(table: Table) -> None:
    """In the package of its policy; no two of a game have the same title."""
    titles = set[str]()
    for point in entry_points(group=GROUP_OF_BOTS):
        ruleset, _, name = point.name.partition(".")
        if ruleset == table.ruleset.id:
            home = home_of(point.module)
            assert home is not None, f"{point.name}: there is no package {point.module}"
            for message_id in (f"bot.{name}", f"bot.title.{name}"):
                assert message_id in catalogue(home), f"no words for {message_id} in {home}"
            title = catalogue(home).sentence(Message(f"bot.title.{name}"))
            assert title not in titles, f"two bots have the title {title}"
            titles.add(title)
