"""What an engine does: run a text on rows that are loaded for it and gone afterwards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Any

from scrutable_sql.engines.table import Columns, Table


class Engine(ABC):
    """A real engine."""

    @abstractmethod
    def run(self, text: str, table: Table) -> Columns:
        """The columns that a text selects from a table; nothing stays."""

    @abstractmethod
    def connected(self) -> AbstractContextManager[Any]:
        """A connection, as the engine's own library gives it, that is closed in the end.

        Raises
        ------
        PluginError : the library is not installed, or the engine cannot be connected to.
        """

    @abstractmethod
    def version(self) -> str:
        """Its name and version."""
