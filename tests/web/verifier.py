"""The second verifier, run by Node.js on many bundles at once."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.web.site import STATIC

VERIFIER = STATIC / "verify_bundle.mjs"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the program."""
    return subprocess.run(["node", VERIFIER, *arguments], capture_output=True, text=True, timeout=240, check=False)


def verdicts(folder: Path, texts: Mapping[str, bytes], *options: str) -> dict[str, dict[str, Any]]:
    """Verify bundles in one process: what is told of each, by name."""
    files = {str(folder / f"{number}.jsonl"): name for number, name in enumerate(texts)}
    for file, name in files.items():
        Path(file).write_bytes(texts[name])
    done = run("--json", *options, *files)
    assert done.stderr == ""
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [files[each["file"]] for each in told] == [*texts]
    assert done.returncode == next(code for code in (1, 2, 3, 0) if code in {each["code"] for each in told})
    return {files[each["file"]]: each for each in told}


def evaluated(code: str, *given: object) -> Any:
    """Return what a function in JavaScript makes of the module of the verifier and of what is given."""
    program = f"""import('{VERIFIER.as_uri()}')
      .then((module) => ({code})(module, ...JSON.parse(require("fs").readFileSync(0, "utf-8"))))
      .then((found) => console.log(JSON.stringify(found)))"""
    done = subprocess.run(
        ["node", "-e", program], input=json.dumps(given), capture_output=True, text=True, timeout=240, check=True
    )
    return json.loads(done.stdout)


def fault_of(told: dict[str, Any]) -> tuple[int | None, str] | None:
    """Return the version and the field that a verdict names."""
    return told["fault"] and (told["fault"]["version"], told["fault"]["field"])
