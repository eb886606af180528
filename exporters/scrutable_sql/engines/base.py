"""What an engine does: run a text on rows that are loaded for it and gone afterwards."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from typing import Any

from scrutable.errors import PluginError
from scrutable_sql.engines.table import Columns, Table


class Engine(ABC):
    """A real engine."""

    @abstractmethod
    def run(self, text: str, table: Table) -> Columns:
        """The columns that a text selects from a table; nothing stays."""

    @abstractmethod
    def version(self) -> str:
        """Its name and version."""


def imported(module: str, package: str) -> Any:
    """A module that may be absent.

    Raises
    ------
    PluginError : it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PluginError("a library it needs is not installed", got=module, fix=f"pip install '{package}'") from error
