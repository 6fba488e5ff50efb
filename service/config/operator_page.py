"""What the operator tells players at ``/about``: terms, conduct, privacy, imprint, in a file in the data folder.

The text has headings, lists and paragraphs, as the template ``docs/operations/about.md`` has. It can name some settings
in braces.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from service.config.settings import Settings

_MOST_CHARACTERS = 100_000
_GAP = re.compile(r"\[[^][]{1,200}\](?!\()|\{PLATEAU_[A-Z_]{1,40}\}")
_HEADINGS = {"#": "h1", "##": "h2", "###": "h3"}


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
        try:
            text = self._text()
        except FileNotFoundError:
            return (
                f"/about has no terms and no privacy notice: write {self.path} (docs/operations/about.md is a template)"
            )
        except OSError as error:
            return f"/about has no text: {self.path} cannot be read ({error.strerror})"
        gaps = _GAP.findall(text)
        return f"{self.path} has gaps, which players see at /about: {', '.join(gaps)}" if gaps else None

    def blocks(self) -> Sequence[Block]:
        """Return the parts of the text, each with the element of HTML that it becomes."""
        try:
            text = self._text()
        except OSError:
            return ()
        blocks, goes_on = list[Block](), False
        for line in map(str.strip, text.splitlines()):
            mark, _, rest = line.partition(" ")
            if mark in _HEADINGS:
                blocks.append(Block(_HEADINGS[mark], [rest]))
            elif mark == "-" and goes_on and blocks[-1].tag == "ul":
                blocks[-1].lines.append(rest)
            elif mark == "-":
                blocks.append(Block("ul", [rest]))
            elif line and goes_on:
                blocks[-1].lines[-1] += f" {line}"
            elif line:
                blocks.append(Block("p", [line]))
            goes_on = bool(line) and mark not in _HEADINGS
        return blocks

    def _text(self) -> str:
        with self.path.open(encoding="utf-8-sig", errors="replace") as file:
            text = file.read(_MOST_CHARACTERS)
        given = self.settings
        values = {
            "MAIL_FROM": given.contact,
            "PUBLIC_URL": given.public_url,
            "ANSWER_HOURS": given.answer_hours,
            "SANDBOX_DAYS": given.sandbox_days or None,  # 0 means that sandboxes stay, which the operator must say
        }
        for name, value in values.items():
            if value is not None:
                text = text.replace(f"{{PLATEAU_{name}}}", str(value))
        return text
