"""The manual of this version, if the package was built with it: static pages, which ``docs/manual.py`` makes.

Its generator puts small scripts into each page, so the policy of a page names the hash of each of them.
"""

import gzip
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from service.web.site import KINDS, File

MANUAL = Path(__file__).parent / "manual"
_KINDS = {
    **KINDS,
    ".acl": "text/plain; charset=utf-8",
    ".jpg": "image/jpeg",
    ".jsonl": "text/plain; charset=utf-8",
    ".png": "image/png",
}
_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_POLICY = (
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)


class Page(NamedTuple):
    file: File
    policy: str


@cache
def names() -> frozenset[str]:
    return frozenset(
        path.relative_to(MANUAL).as_posix() for path in MANUAL.rglob("*") if path.suffix in _KINDS and path.is_file()
    )


@cache
def page(name: str) -> Page:
    """Return a file of the manual, which must be one of ``names``; it is read and compressed once."""
    content = (MANUAL / name).read_bytes()
    file = File(_KINDS[PurePosixPath(name).suffix], content, gzip.compress(content, mtime=0))
    scripts = [f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in _SCRIPT.findall(content)]
    return Page(file, "; ".join((*_POLICY, " ".join(("script-src 'self'", *scripts)))))
