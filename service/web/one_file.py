"""A page in one file, which opens from a disk without a network: modules, style and data are all in it.

All of them are blocks that are compressed and end with a checksum, so a damaged one is noticed. The policy of the page
names the hashes of the script that unpacks them, of the modules and of the style, so nothing changed in these runs.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from itertools import starmap
from urllib.parse import quote

from service.web.site import modules, resolved, site

START = "file_start.js"
ENTRIES = ("file.js", "verify_bundle.mjs")

SAID = ("file.waits", "file.damaged")
"""What the page says before its scripts run, and if its data is damaged."""

_STYLES = ("app.css", "game.css", "beside.css")
_ICON = "icon.svg"
_PREFIX = "plateau/"
_SPECIFIER = re.compile(r"""(\bfrom ?|\bimport ?\(?)"(\.[^"]+)\"""")
_PREVIEWED = re.compile(r"^export const previewed = (\[.*\]);$", re.MULTILINE)
_AS_IT_IS = " !$&'()*,-./:;=?@[]^_`{|}~"
"""What can stand in an address of data, beside letters and digits."""


def previewed(ruleset: str) -> Sequence[str]:
    """Return the fields of the state in a view from which the refinement of a ruleset makes a preview."""
    file = site().files.get(f"refine/{ruleset}.js")
    found = _PREVIEWED.search(file.content.decode()) if file else None
    return json.loads(found[1]) if found else ()


def one_file(title: str, ruleset: str, lang: str, data: Mapping[str, bytes]) -> bytes:
    """Return the page of a game of this ruleset, with blocks of data by name, each of them JSON."""
    words = json.loads(site().files[f"words/{lang}.json"].content)
    waits, damaged = (escape(words[each]) for each in SAID)
    policy, shared = _frame(ruleset, lang)
    blocks = "\n".join([*shared, *starmap(_block, data.items())])
    page = f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="{escape(_address("image/svg+xml", _text(_ICON)))}">
</head>
<body>
<div id="app"><p class="page">{waits}</p><p class="trouble" role="alert" hidden>{damaged}</p></div>
{blocks}
<script>{_text(START)}</script>
</body>
</html>
"""
    return page.encode()


@cache
def _frame(ruleset: str, lang: str) -> tuple[str, list[str]]:
    """Write what all pages of a ruleset in a language share: the policy, and the blocks that are not of one game."""
    imports, style = _imports(ruleset), "".join(map(_text, _STYLES))
    words = site().files[f"words/{lang}.json"].content
    blocks = {"style": style.encode(), "imports": imports.encode(), "words": words}
    return _policy((_text(START), imports), style), [*starmap(_block, blocks.items())]


def _block(name: str, content: bytes) -> str:
    return f'<script type="application/zlib" id="{name}">{b64encode(zlib.compress(content, 9)).decode()}</script>'


def _policy(scripts: Sequence[str], style: str) -> str:
    hashes = " ".join(map(_hash, scripts))
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {hashes} data:",
            f"style-src {_hash(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types plateau start",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _imports(ruleset: str) -> str:
    """Write the addresses of the modules that the page needs, which hold the modules themselves, as an import map."""
    contents = {name: file.content for name, file in site().files.items()}
    refinement = f"refine/{ruleset}.js"
    first = [*ENTRIES, *([refinement] if refinement in contents else [])]
    needed = dict.fromkeys(name for each in first for name in modules(contents, each))
    addresses = {_PREFIX + name: _address("text/javascript", _with_names(name)) for name in needed}
    return json.dumps({"imports": addresses}, ensure_ascii=False, separators=(",", ":"))


def _with_names(importer: str) -> str:
    """Return a module that names others by their paths from the top, for data has no place to begin a path from."""
    return _SPECIFIER.sub(lambda found: f'{found[1]}"{_PREFIX}{resolved(importer, found[2])}"', _text(importer))


def _address(kind: str, text: str) -> str:
    return f"data:{kind};charset=utf-8,{quote(text, safe=_AS_IT_IS)}"


def _text(name: str) -> str:
    return site().files[name].content.decode()
