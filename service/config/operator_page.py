"""What the operator tells players at ``/about``: terms, conduct, privacy, imprint, in a file in the data folder.

The text has headings, lists and paragraphs, as the template ``docs/operations/about.md`` has. It can name some settings
in braces.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from service.config.settings import Settings

_MOST_CHARACTERS = 100_000
_GAP = re.compile(r"\[[^\]]+\]|\{PLATEAU_\w+\}")


class Block(NamedTuple):
    tag: str
    lines: list[str]


@dataclass(frozen=True)
class OperatorPage:
    settings: Settings

    @property
    def path(self) -> Path:
        return self.settings.data / "about.md"

    def fault(self) -> str | None:
        """Name what players cannot read yet; None if nothing is missing."""
        text = self._text()
        if not text:
            return (
                f"/about has no terms and no privacy notice: write {self.path} (docs/operations/about.md is a template)"
            )
        gaps = _GAP.findall(text)
        return f"{self.path} has gaps, which players see at /about: {', '.join(gaps)}" if gaps else None

    def blocks(self) -> Iterator[Block]:
        """Return the parts of the text, each with the element of HTML that it becomes."""
        apart = re.sub(r"^(#{1,3} .*)$", r"\n\1\n", self._text(), flags=re.MULTILINE)
        for part in re.split(r"\n\s*\n", apart):
            lines = part.strip().splitlines()
            if lines and (heading := re.match(r"(#{1,3}) ", lines[0])):
                yield Block(f"h{len(heading[1])}", [lines[0][heading.end() :]])
            elif lines and lines[0].startswith("- "):
                yield Block("ul", re.split(r"\s*^- ", "\n".join(lines), flags=re.MULTILINE)[1:])
            elif lines:
                yield Block("p", [" ".join(lines)])

    def _text(self) -> str:
        try:
            with self.path.open(errors="replace") as file:
                text = file.read(_MOST_CHARACTERS)
        except OSError:
            return ""
        given = self.settings
        values = {
            "MAIL_FROM": given.contact,
            "PUBLIC_URL": given.public_url,
            "ANSWER_HOURS": given.answer_hours,
            "SANDBOX_DAYS": given.sandbox_days,
        }
        for name, value in values.items():
            if value is not None:
                text = text.replace(f"{{PLATEAU_{name}}}", str(value))
        return text
