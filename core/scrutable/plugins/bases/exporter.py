"""Exporters: a model as files for another engine, and that engine run on rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import PluginError
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.plugins.bases.capable import such_as
from scrutable.plugins.registry import registry
from scrutable.writing.files import make_folder, write_all
from scrutable.writing.shortlist import shortlist

#: Yields items on as they are made; it is given how many there will be.
Progress = Callable[[Iterable[Any], int], Iterable[Any]]

_NAMED = 5  # files that a repr names


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """Named files, and what is needed to run them.

    Parameters
    ----------
    model : the model that was exported.
    files : content by file name, texts or bytes; the first is the main one.
    settings : what the exporter's `run` has to know, for example the dialect.
    excluded : rows that the engine cannot hold, in words; empty when its input domain is whole.
    results : the columns that `run` returns, where options leave some of the evaluator's out.
    """

    model: Model
    files: Mapping[str, str | bytes]
    settings: Mapping[str, Any] = field(default_factory=dict)
    excluded: str = ""
    results: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        units = {str: "characters", bytes: "bytes"}
        files = [f"{name} of {len(content):,} {units[type(content)]}" for name, content in self.files.items()]
        return f"Export({self.model!r} as {shortlist(files, _NAMED)})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: the texts of the files by name, None for one of bytes, and what is left out."""
        files = {name: content if isinstance(content, str) else None for name, content in self.files.items()}
        return {"files": files, "excluded": self.excluded}

    def frame(self) -> Any:
        """A row for each file: its name, and how many characters or bytes it has."""
        from scrutable.data.frames.same_kind import rows_like

        return rows_like({"file": name, "size": len(content)} for name, content in self.files.items())

    @property
    def text(self) -> str:
        """The main file, where it is a text."""
        content = next(iter(self.files.values()))
        return content if isinstance(content, str) else content.decode()

    def placed(self, folder: str | Path) -> dict[str, str | bytes]:
        """Content by path in a folder; it, and folders that names like "R/score.R" ask for, are made if need be."""
        home = make_folder(folder)
        for name in self.files:
            for parent in reversed(PurePosixPath(name).parents):
                make_folder(home / parent)
        return {str(home / name): content for name, content in self.files.items()}

    def write(self, folder: str | Path, *, overwrite: bool = False) -> list[Path]:
        """Write every file into a folder, made if need be; nothing is written where one of them must not be."""
        contents = self.placed(folder)
        write_all(contents, overwrite=overwrite)
        return list(map(Path, contents))


class Exporter(ABC):
    """Renders models for another engine, exactly or not at all.

    Options are the constructor's keyword arguments; an exporter keeps no state between calls.
    """

    @classmethod
    def at(cls, engine: str, **options: Any) -> Self:
        """The exporter whose `run` starts an engine.

        Parameters
        ----------
        engine : one of the component's `engines`, or an URL that begins with one.
        """
        return cls(**options)

    @abstractmethod
    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as files.

        Raises
        ------
        UnsupportedModel : the engine cannot reproduce the model exactly; the error says what and why.
        """

    def export_followed(self, model: Model, *, evidence: Evidence | None = None, progress: Progress) -> Export:
        """The files of `export`, for somebody who follows how far it is; where that cannot be told, nothing is.

        Parameters
        ----------
        progress : how to follow what is made one after another.
        """
        return self.export(model, evidence=evidence)

    @classmethod
    def example_files(cls) -> Mapping[str, str]:
        """Files to begin with, by the option that takes each; none by default."""
        return {}

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Run an export in a real engine on n rows.

        Returns
        -------
        the columns of `Evaluation.frame()`, n rows in the order of X.

        Raises
        ------
        PluginError : the files are documents, which people read and nothing runs.
        """
        raise _read_only(self)

    def engine(self) -> str:
        """Name and version of the engine that `run` starts, for example "DuckDB 1.4.1".

        Raises
        ------
        PluginError : the engine is not there, or there is none since the files are documents.
        """
        raise _read_only(self)

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows that the engine can hold, those outside of what `Export.excluded` says; all, unless overridden."""
        _, n_rows = read_inputs(export.model, X)
        return np.ones(n_rows, dtype=bool)


def _read_only(exporter: Exporter) -> PluginError:
    engines = [each.name for each in registry().listings("exporter") if each.component.engines]
    return PluginError(
        "its files are documents, which nothing runs",
        where=type(exporter).__name__,
        fix=f"verify an export that runs{such_as(engines)}",
    )
