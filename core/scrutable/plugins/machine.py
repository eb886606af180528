"""What pip cannot bring: libraries of the machine, found missing in the error of whoever loads them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from scrutable.errors import PluginError

#: A library that a loader did not find: of glibc, of musl, of cffi and of macOS.
_NOT_FOUND = re.compile(
    r"""(?<![/\w.+-])(lib[\w.+-]+):\ cannot\ open\ shared\ object\ file
    | Error\ loading\ shared\ library\ (lib[\w.+-]+):
    | cannot\ load\ library\ '([\w.+-]+)'
    | Library\ not\ loaded:\ \S*?(lib[\w.+-]+)(?!\S)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Something of the machine that a package from an index needs and does not hold.

    Parameters
    ----------
    what : what it is, and for whom.
    packages : Debian's packages that bring it.
    libraries : file names of its shared libraries on Linux; none where it is something else.
    distribution : the one that loads them.

    Examples
    --------
    >>> Need(what="OpenMP's runtime, for LightGBM", packages=("libgomp1",)).command
    'apt-get install libgomp1'
    """

    what: str
    packages: tuple[str, ...]
    libraries: tuple[str, ...] = ()
    distribution: str = ""

    @property
    def command(self) -> str:
        """What installs it on Debian or Ubuntu."""
        return installation(self.packages)

    @property
    def absent(self) -> tuple[str, ...]:
        """Its libraries that are not here."""
        return tuple(name for name in self.libraries if not _is_here(name))


OPENMP = Need(
    what="OpenMP's runtime, for LightGBM",
    packages=("libgomp1",),
    libraries=("libgomp.so.1",),
    distribution="lightgbm",
)
PANGO = Need(
    what="Pango with HarfBuzz, for PDF",
    packages=("libpangoft2-1.0-0", "libharfbuzz-subset0"),
    libraries=(
        "libgobject-2.0.so.0",
        "libpango-1.0.so.0",
        "libpangoft2-1.0.so.0",
        "libharfbuzz.so.0",
        "libharfbuzz-subset.so.0",
        "libfontconfig.so.1",
    ),
    distribution="weasyprint",
)
#: Libraries that what Scrutable's extras install looks for on the machine.
LIBRARIES = (OPENMP, PANGO)

CHINESE_FONT = Need(what="a Chinese font, for PDF", packages=("fonts-wqy-zenhei",))
WESTERN_FONT = Need(what="a font of Latin, Greek and Cyrillic letters, for PDF", packages=("fonts-dejavu-core",))
_LETTERS = ((WESTERN_FONT, re.compile("[\\x20-\u052f]")), (CHINESE_FONT, re.compile("[\u3000-\u303f\u4e00-\u9fff]")))


def fonts_for(letters: str) -> tuple[str, ...]:
    """Debian's packages of fonts for letters; none where no single one is known.

    >>> fonts_for("ß中"), fonts_for("A☃"), fonts_for("☃")
    (('fonts-dejavu-core', 'fonts-wqy-zenhei'), ('fonts-dejavu-core',), ())
    """
    return tuple(name for font, has in _LETTERS if has.search(letters) for name in font.packages)


def installation(packages: Iterable[str]) -> str:
    """The command that installs Debian's packages."""
    return f"apt-get install {' '.join(packages)}"


@contextmanager
def machine_libraries(where: str) -> Iterator[None]:
    """Load within this block what needs libraries of the machine; who lacks one is told which, and what brings it.

    Parameters
    ----------
    where : what needs them, as the error calls it.

    Raises
    ------
    PluginError : a library is missing.

    Examples
    --------
    >>> with machine_libraries("learner 'x'"):
    ...     raise OSError("libgomp.so.1: cannot open shared object file: No such file or directory")
    Traceback (most recent call last):
    scrutable.errors.PluginError: learner 'x': a library of the machine is missing, which pip cannot bring; got \
'libgomp.so.1'. Fix: install it, on Debian or Ubuntu: apt-get install libgomp1.
    """
    try:
        yield
    except Exception as error:
        lacking = missing_library(error, where)
        if lacking is None:
            raise
        raise lacking from error


def missing_library(error: BaseException, where: str | None = None) -> PluginError | None:
    """What an error says of a missing library of the machine; None where it, and what led to it, is another one."""
    library = next(filter(None, (library_in(str(each)) for each in chain(error))), None)
    if library is None:
        return None
    need = need_of(library)
    return PluginError(
        "a library of the machine is missing, which pip cannot bring",
        where=where,
        got=library,
        fix=f"install it, on Debian or Ubuntu: {need.command}"
        if need
        else "install the package of your system with it",
    )


def chain(error: BaseException) -> Iterator[BaseException]:
    """An error, and what led to it."""
    known: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in known:
        known.append(cause)
        yield cause
        cause = cause.__cause__ or cause.__context__


def library_in(text: str) -> str | None:
    """The library that a loader's message calls missing.

    >>> library_in("OSError: libgomp.so.1: cannot open shared object file: No such file or directory")
    'libgomp.so.1'
    """
    match = _NOT_FOUND.search(text)
    return match and next(filter(None, match.groups()))


def need_of(library: str) -> Need | None:
    """The need that a library belongs to, under whichever name a system calls it.

    >>> need_of("libgobject-2.0-0") is need_of("libpango-1.0.dylib") is PANGO
    True
    """
    return next((need for need in LIBRARIES if _stem(library) in map(_stem, need.libraries)), None)


def _is_here(library: str) -> bool:
    """Whether a library is on a Linux; other systems call it otherwise, and their packages bring it along."""
    if sys.platform != "linux":
        return True
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _stem(library: str) -> str:
    """The name of a library without its ending and the number of its interface.

    >>> _stem("libgobject-2.0-0"), _stem("libgobject-2.0.so.0"), _stem("libgomp-1.dll"), _stem("libgomp.so.1.0.0")
    ('libgobject-2.0', 'libgobject-2.0', 'libgomp', 'libgomp')
    """
    return re.sub(r"(\.so(\.[\d.]+)?|\.dylib|(-\d+)?(\.dll)?)$", "", library)
