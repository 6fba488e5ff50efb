"""The mails that the service writes: one that asks for confirmation, and one with the news of a player's games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from domain.sentences.catalogue import Catalogue
from service.games.projections.naming import People
from service.notifications.content.news import GameNews, address_of
from service.notifications.mail.letters import Block, Letter, heading, items, link, paragraph
from service.notifications.mail.links import MailLinks
from service.notifications.mail.mail_destination import MailDestination

MOST_GAMES = 50
"""The most games that one mail names; the subject counts all of them."""


@dataclass(frozen=True, slots=True)
class About:
    """Whom a mail is for, in which words and time zone; ``batch`` names the notices in it; ``names`` are those of the
    players at the tables, and ``look_up`` finds others.
    """

    player: str
    batch: str
    names: Mapping[str, str]
    look_up: People
    words: Catalogue
    zone: str | None


@dataclass(eq=False)
class Writer:
    _links: MailLinks

    def asking(self, player: str, destination: MailDestination, words: Catalogue) -> Letter:
        """Ask for confirmation. Nothing that the player wrote is in the mail, since its reader can be anybody."""
        blocks: list[Block] = [
            paragraph(words.say("confirm.what", site=self._links.site)),
            paragraph(words.say("confirm.how")),
            link(words.say("confirm.link"), self._links.to_confirm(player, destination.id)),
            paragraph(words.say("confirm.else")),
        ]
        return _letter(f"confirm {destination.asking}", words.say("confirm.subject"), blocks, words, {})

    def telling(self, about: About, destination: MailDestination, news: Sequence[GameNews]) -> Letter:
        """Tell the news of a player's games; one click ends such mails (RFC 8058)."""
        stop, words = self._links.to_unsubscribe(about.player, destination.id), about.words
        blocks: list[Block] = []
        for each in news[:MOST_GAMES]:
            blocks.append(heading(each.title(words, about.names)))
            blocks += [paragraph(sentence) for sentence in each.sentences(words, about.names, about.zone)]
            blocks += _story(each, about)
            blocks.append(link(words.say("mail.open_game"), address_of(each.game, self._links.site)))
        blocks += [
            paragraph(words.say("mail.why", site=self._links.site)),
            link(words.say("mail.unsubscribe"), stop),
        ]
        headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        return _letter(f"news {about.batch}", _subject(news, words), blocks, words, headers)


def _story(news: GameNews, about: About) -> list[Block]:
    told, earlier = news.story(about.look_up, about.words.language)
    if not told:
        return []
    since = about.words.say("mail.earlier", count=earlier) if earlier else about.words.say("mail.since")
    return [paragraph(since), items(told)]


def _subject(news: Sequence[GameNews], words: Catalogue) -> str:
    kinds = {each.kind for each in news}
    kind = next((kind for kind in ("your_turn", "deadline_near") if kinds == {kind}), "news")
    return words.say(f"subject.{kind}", count=len(news), ruleset=news[0].game.ruleset.name)


def _letter(sense: str, subject: str, blocks: Sequence[Block], words: Catalogue, headers: Mapping[str, str]) -> Letter:
    body = "\n".join(block.html for block in blocks)
    html = f'<!doctype html>\n<html lang="{escape(words.language)}">\n<body>\n{body}\n</body>\n</html>\n'
    return Letter(sense, subject, "\n\n".join(block.text for block in blocks) + "\n", html, headers)
