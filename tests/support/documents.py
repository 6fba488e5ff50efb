"""Examples in the pages of the documentation, by name."""

import re

from tests.support.server import ROOT


def examples(page: str, name: str, language: str = "sh") -> str:
    """Join the blocks of a page that are marked as one test."""
    text = (ROOT / page).read_text()
    blocks = re.findall(rf"<!-- test: {name} -->\n```{language}\n(.*?)```", text, re.DOTALL)
    assert blocks, f"{page} has no example {name}"
    return "\n".join(blocks)
