"""The tables of tensors: ``python -m tests.docs.research_tables`` writes them into docs/research.md, from the code."""

import re

from domain.registry import BUILT_IN
from tests.support.server import ROOT
from workers.research.observations import blocks

DOCUMENT = ROOT / "docs/research.md"
BEGIN, END = "<!-- tensors: begin -->", "<!-- tensors: end -->"


def tables() -> str:
    """Write the blocks of every ruleset's tensors."""
    parts = []
    for ruleset in BUILT_IN:
        rows = [f"| `{block.name}` | {block.written_shape} | {block.text} |" for block in blocks(ruleset.id)]
        parts.append(
            "\n".join([f"### {ruleset.name}", "", "| block | shape | 1 (or a number) for |", "|---|---|---|", *rows])
        )
    return "\n\n".join(parts)


def page() -> str:
    """Return the page with the tables as the code says."""
    text = DOCUMENT.read_text()
    return re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n\n{tables()}\n\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    DOCUMENT.write_text(page())
