"""Exporters: a model as files for another engine, and that engine run on rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrutable.files import make_folder, write_all
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """Named files, and what is needed to run them.

    Parameters
    ----------
    model : the model that was exported.
    files : content by file name, texts or bytes; the first is the main one.
    settings : what the exporter's `run` has to know, for example the dialect.
    excluded : rows that the engine cannot hold, in words; empty when its input domain is whole.
    """

    model: Model
    files: Mapping[str, str | bytes]
    settings: Mapping[str, Any] = field(default_factory=dict)
    excluded: str = ""

    def __repr__(self) -> str:
        units = {str: "characters", bytes: "bytes"}
        files = (f"{name} of {len(content):,} {units[type(content)]}" for name, content in self.files.items())
        return f"Export({self.model!r} as {', '.join(files)})"

    @property
    def text(self) -> str:
        """The main file, where it is a text."""
        content = next(iter(self.files.values()))
        return content if isinstance(content, str) else content.decode()

    def write(self, folder: str | Path, *, overwrite: bool = False) -> list[Path]:
        """Write every file into a folder, made if need be; nothing is written where one of them must not be."""
        home = make_folder(folder)
        write_all({str(home / name): content for name, content in self.files.items()}, overwrite=overwrite)
        return [home / name for name in self.files]


class Exporter(ABC):
    """Renders models for another engine, exactly or not at all.

    Options are the constructor's keyword arguments; an exporter keeps no state between calls.
    """

    @abstractmethod
    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as files.

        Raises
        ------
        UnsupportedModel : the engine cannot reproduce the model exactly; the error says what and why.
        """

    @abstractmethod
    def run(self, export: Export, X: Any) -> OutputFrame:
        """Run an export in a real engine on n rows.

        Returns
        -------
        the columns of `Evaluation.frame()`, n rows in the order of X.
        """
