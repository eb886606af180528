"""Libraries that may be absent: who lacks one is told what installs it, be it of an index or of the machine."""

from __future__ import annotations

import functools
import importlib
from importlib import metadata
from typing import Any

from scrutable.errors import PluginError
from scrutable.plugins.machine import missing_library


def library(module: str, package: str, where: str | None = None) -> Any:
    """A module of a library that not everybody has.

    Parameters
    ----------
    module : its import name.
    package : what pip installs it by, for example "scrutable[plots]".
    where : what needs it, as the error calls it.

    Raises
    ------
    PluginError : it is not installed, the machine lacks a library that it needs, or it cannot be imported.

    Examples
    --------
    >>> library("json", "json").dumps([])
    '[]'
    >>> library("no_such_library", "scrutable[plots]", "pictures")
    Traceback (most recent call last):
    ...
    scrutable.errors.PluginError: pictures: a library it needs is not installed; got 'no_such_library'. Fix: pip ...
    """
    try:
        return importlib.import_module(module)
    except (ImportError, OSError) as error:
        if (lacking := missing_library(error, where)) is not None:
            raise lacking from error
        if isinstance(error, ModuleNotFoundError):
            what, got, command = "a library it needs is not installed", error.name or module, "pip install"
        else:
            what, got = "a library it needs cannot be imported", f"{module}: {error}"
            command = "pip install --force-reinstall"
        raise PluginError(what, where=where, got=got, fix=f"{command} '{package}'") from error


@functools.cache
def version_of(distribution: str) -> str:
    """The installed version of a distribution; its metadata, which take longer than many a fit, are read once.

    >>> version_of("numpy").count(".")
    2
    """
    return metadata.version(distribution)
