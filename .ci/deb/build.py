"""Build the Debian package: ``python .ci/deb/build.py [VERSION]`` writes it into dist/.

All libraries are in the package, from the lock file with its hashes. So it needs nothing of Debian's but Python, and
touches no library of another program.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from service.config.settings import documented

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
_OF_LATER_PYTHON = re.compile(r" ; python_full_version < '3\.11\.\d+'")
"""The Python of Debian can be an earlier 3.11 than the one that builds, and need what the latter does not."""
UNITS = ("plateau.service", "plateau-backup.service", "plateau-backup.timer")


def configuration() -> str:
    """Return the configuration file: every setting with what it means, and none of them set."""
    settings = [f"# {meaning}\n#{variable}=\n" for variable, meaning in documented() if variable != "PLATEAU_DATA"]
    head = "# The settings of Plateau. Remove the # before a name to set it; then: systemctl restart plateau\n\n"
    return head + "\n".join(settings)


def for_any_patch(lock: str) -> str:
    """Return a lock that installs the same whatever the third number of the Python is."""
    return _OF_LATER_PYTHON.sub("", lock)


def build(version: str | None = None) -> Path:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = version or project["version"]
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    target = ROOT / f"dist/plateau-server_{version}_{architecture}.deb"
    target.parent.mkdir(exist_ok=True)
    environ = {**os.environ, "SOURCE_DATE_EPOCH": committed("%ct")}
    with TemporaryDirectory() as work:
        library = Path(work, "lib")
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--quiet",
            "install",
            "--no-compile",
            "--target",
            str(library),
        ]
        Path(work, "lock").write_text(for_any_patch((ROOT / "requirements.lock").read_text()))
        subprocess.run([*pip, "--require-hashes", "--requirement", f"{work}/lock"], check=True)
        wheel = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", work]
        subprocess.run(wheel, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, check=True)
        subprocess.run([*pip, "--no-deps", "--no-index", "--find-links", work, project["name"]], check=True)
        manual = [sys.executable, str(ROOT / "docs/manual.py"), str(library / "service/web/manual")]
        subprocess.run(manual, stdout=subprocess.DEVNULL, check=True)
        _forget_programs(library)
        (Path(work) / "sbom.cdx.json").write_text(_bill())
        for path in (library, *library.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            os.utime(path, 2 * (int(environ["SOURCE_DATE_EPOCH"]),))
        Path(work, "plateau.conf").write_text(configuration())
        Path(work, "nfpm.yaml").write_text(yaml.dump(_package(project, version, architecture, Path(work))))
        subprocess.run(
            ["nfpm", "package", "--config", f"{work}/nfpm.yaml", "--packager", "deb", "--target", str(target)],
            env=environ,
            check=True,
        )
    return target


def _bill() -> str:
    words = [sys.executable, str(ROOT / ".ci/release/sbom.py")]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def _forget_programs(library: Path) -> None:
    """Remove the programs of libraries, which name the Python of the one who builds, from the disk and the lists."""
    shutil.rmtree(library / "bin")
    for record in library.glob("*.dist-info/RECORD"):
        lines = record.read_text().splitlines(keepends=True)
        record.write_text("".join(line for line in lines if not line.startswith("../../bin/")))


def _package(project: dict[str, str], version: str, architecture: str, work: Path) -> dict[str, object]:
    files = {
        **{HERE / unit: f"/usr/lib/systemd/system/{unit}" for unit in UNITS},
        ROOT / "LICENSE": "/usr/share/doc/plateau-server/copyright",
        ROOT / "docs/operations/about.md": "/usr/share/doc/plateau-server/about.md",
        work / "sbom.cdx.json": "/usr/share/doc/plateau-server/sbom.cdx.json",
    }
    return {
        "name": project["name"],
        "version": version,
        "arch": architecture,
        "maintainer": "The authors of Plateau <plateau@localhost>",
        "description": project["description"],
        "license": project["license"],
        "section": "games",
        "depends": ["python3.11", "passwd", "ca-certificates"],
        "mtime": committed("%cI"),
        "contents": [
            {"src": str(work / "lib"), "dst": "/usr/lib/plateau", "type": "tree"},
            {"src": str(HERE / "plateau"), "dst": "/usr/bin/plateau", "file_info": {"mode": 0o755}},
            {
                "src": str(work / "plateau.conf"),
                "dst": "/etc/plateau/plateau.conf",
                "type": "config|noreplace",
                "file_info": {"mode": 0o640},
            },
            *({"src": str(file), "dst": place, "file_info": {"mode": 0o644}} for file, place in files.items()),
        ],
        "scripts": {name: str(HERE / f"{name}.sh") for name in ("postinstall", "preremove", "postremove")},
    }


def committed(form: str) -> str:
    """Return the time of the commit that is packaged, so that two builds are alike."""
    words = ["git", "log", "-1", f"--format={form}"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    print(build(*sys.argv[1:]))
