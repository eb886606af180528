"""What the tests need of a machine beyond what pip brings: what is missing here, and the command that installs it.

`python -m scrutable.testing.machine` says it in one line; with `--packages` it gives the names of the Debian packages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial

from scrutable.plugins.machine import CHINESE_FONT, LIBRARIES, WESTERN_FONT, Need, installation, library_in, need_of

#: A command that installs packages, as an error or a reason to skip names it.
_COMMAND = re.compile(r"apt-get install ((?:[a-z0-9][a-z0-9.+-]*[a-z0-9+] ?)+)")
#: Where lines are broken: in a terminal, and in a frame there.
_BREAK = re.compile(r"[\s│]+")


def path_of_root() -> str:
    """Where programs are looked for, those that only root has on the path among them."""
    return f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin"


def has_program(*names: str) -> bool:
    """Whether one of these programs is here."""
    return any(shutil.which(name, path=path_of_root()) for name in names)


def has_font(pattern: str) -> bool:
    """Whether Fontconfig knows a font of a pattern, for example ":lang=zh"."""
    if not has_program("fc-list"):
        return False
    return bool(subprocess.run(["fc-list", pattern], capture_output=True, check=False).stdout.strip())


def _has_libraries(need: Need) -> bool:
    return not need.absent


def _makes_users() -> bool:
    return os.geteuid() != 0 or has_program("useradd")


USERADD = Need(what="useradd, for PostgreSQL in tests that root runs", packages=("passwd",))
#: What tests need, and what tells whether it is here.
NEEDS: dict[Need, Callable[[], bool]] = {
    **{need: partial(_has_libraries, need) for need in LIBRARIES},
    WESTERN_FONT: partial(has_font, ":lang=el"),
    CHINESE_FONT: partial(has_font, ":lang=zh"),
    USERADD: _makes_users,
    Need(what="R", packages=("r-base-core",)): partial(has_program, "Rscript"),
    Need(what="MariaDB", packages=("mariadb-server",)): partial(has_program, "mariadbd"),
    Need(what="SQLite's client", packages=("sqlite3",)): partial(has_program, "sqlite3"),
    Need(what="LibreOffice Calc", packages=("libreoffice-calc-nogui",)): partial(has_program, "soffice", "libreoffice"),
    Need(what="Java, for Spark", packages=("default-jre-headless",)): partial(has_program, "java"),
    Need(what="Java's compiler", packages=("default-jdk-headless",)): partial(has_program, "javac"),
    Need(what="Node.js", packages=("nodejs",)): partial(has_program, "node"),
    Need(what="a C compiler", packages=("gcc", "libc6-dev")): partial(has_program, "cc"),
    Need(what="Chromium", packages=("chromium",)): partial(
        has_program, "chromium", "chromium-browser", "google-chrome"
    ),
    Need(what="Chromium's driver", packages=("chromium-driver",)): partial(has_program, "chromedriver"),
}


@cache
def missing() -> tuple[Need, ...]:
    """What this machine lacks."""
    return tuple(need for need, is_here in NEEDS.items() if not is_here())


def packages(needs: tuple[Need, ...]) -> tuple[str, ...]:
    """Debian's packages that bring what is needed, each once."""
    return tuple(dict.fromkeys(name for need in needs for name in need.packages))


def named_in(text: str) -> tuple[Need, ...]:
    """What a text says is missing: by the command that installs it, or by a loader's message.

    >>> [need.packages for need in named_in("Fix: install it: apt-get install fonts-wqy-zenhei libgomp1.")]
    [('libgomp1',), ('fonts-wqy-zenhei',)]
    """
    flat = _BREAK.sub(" ", text)
    wanted = {name for command in _COMMAND.findall(flat) for name in command.split()}
    library = library_in(flat)
    of_library = need_of(library) if library else None
    return tuple(need for need in NEEDS if need is of_library or wanted & set(need.packages))


def remark() -> str:
    """What this machine lacks, in one line with the command that installs it; empty where it has everything."""
    if not missing():
        return ""
    command = installation(("--no-install-recommends", *packages(missing())))
    return f"Tests will be skipped for want of what pip cannot bring; on Debian or Ubuntu: apt-get update && {command}"


if __name__ == "__main__":
    print(" ".join(packages(missing())) if "--packages" in sys.argv[1:] else remark())
