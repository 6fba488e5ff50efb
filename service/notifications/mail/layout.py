"""How a mail looks: the same blocks as plain text and as HTML, which loads nothing and in which nothing can run."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import assert_never


@dataclass(frozen=True, slots=True)
class Heading:
    """A line above what follows."""

    words: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that can be broken into lines."""

    words: str


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences, one below the other."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """An address, and the words for it."""

    words: str
    address: str


Block = Heading | Paragraph | Items | Link


def plain(blocks: Iterable[Block]) -> str:
    return "\n\n".join(map(_plain, blocks)) + "\n"


def html(blocks: Iterable[Block], language: str) -> str:
    body = "\n".join(map(_html, blocks))
    return f'<!doctype html>\n<html lang="{escape(language)}">\n<body>\n{body}\n</body>\n</html>\n'


def _plain(block: Block) -> str:
    match block:
        case Heading(words):
            return f"{words}\n{'-' * len(words)}"
        case Paragraph(words):
            return words
        case Items(sentences):
            return "\n".join(f"- {each}" for each in sentences)
        case Link(words, address):
            return f"{words}:\n{address}"
        case _:
            assert_never(block)


def _html(block: Block) -> str:
    match block:
        case Heading(words):
            return f"<h3>{escape(words)}</h3>"
        case Paragraph(words):
            return f"<p>{escape(words)}</p>"
        case Items(sentences):
            return "<ul>" + "".join(f"<li>{escape(each)}</li>" for each in sentences) + "</ul>"
        case Link(words, address):
            return f'<p><a href="{escape(address)}">{escape(words)}</a></p>'
        case _:
            assert_never(block)
