"""`scrutable monitor --sql`: the figures as statements that read a table where it lies."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from scrutable.cli import console, emit, emit_json, refuse_dotted, table_name, tracked, working
from scrutable.cli.options import Panel
from scrutable.errors import InputError
from scrutable.plugins import Choice, parse_pairs
from scrutable.writing import check_targets, make_folder, write_all

if TYPE_CHECKING:
    from scrutable.plugins.bases import Export
    from scrutable_lifecycle.monitoring import Columns

_SQL = Panel("As SQL")
#: How the names of the two files end that are written of an export: the figures, and their alerts.
_FIGURES, _ALERTS = "_monitoring.sql", "_monitoring_alerts.sql"


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A statement in place of a comparison of files."""

    sql: Annotated[
        str | None,
        _SQL.option(metavar="DIALECT", help="Write a statement for it, such as postgres, that reads a table."),
    ] = None
    table: Annotated[str | None, _SQL.option(help="Table of new applicants: a name, or schema.name.")] = None
    option: Annotated[
        list[str] | None,
        _SQL.option(metavar="KEY=VALUE", help="Further option of the exporter sql; values are JSON or text."),
    ] = None

    def check(self, new: Path | None, seed: int) -> None:
        """Refuse a file where a table is read, and neither, and options that do nothing.

        Raises
        ------
        InputError : such a call.
        """
        if self.sql and new is not None:
            raise InputError(
                "a statement reads a table of new applicants, and no file",
                where="NEW",
                got=str(new),
                fix="leave it out, or leave out --sql",
            )
        if not self.sql and new is None:
            raise InputError(
                "there are no new applicants to compare",
                where="NEW",
                allowed="a CSV or Parquet file",
                fix="name the file after the baseline, or give --sql for a statement that reads a table",
            )
        if self.sql and seed:
            raise InputError(
                "--seed does nothing with --sql: a statement draws nothing",
                where="--seed",
                got=seed,
                fix="leave it out",
            )
        for name, value in {"--table": self.table, "--option": self.option}.items():
            if value and not self.sql:
                raise InputError(f"{name} does nothing without --sql", where=name, got=value, fix="give --sql DIALECT")

    def write(
        self,
        model: Path,
        baseline: Path,
        columns: Callable[[], Columns],
        thresholds: Mapping[str, Any],
        bands: int,
        output: str | None,
        *,
        overwrite: bool,
        as_json: bool,
    ) -> None:
        """Write the statement and the one of its alerts, or print the first.

        Parameters
        ----------
        output : a file, beside which the alerts get a name of their own, or a folder; None or "-" prints.
        """
        refuse_dotted(self.option or ())
        named = {"dialect": self.sql, "table": table_name(self.table), "checks": False}
        options = {key: value for key, value in named.items() if value is not None}
        options |= parse_pairs(self.option or (), "--option")
        with working(f"Counting {baseline}"):
            from scrutable.cli import read_model
            from scrutable_lifecycle.monitoring import watch

            whole = read_model(model)
            watching = watch(
                whole,
                baseline,
                columns=columns(),
                thresholds=thresholds,  # type: ignore[arg-type]  # a mapping, too
                bands=bands,
                progress=partial(tracked, on="Scoring blocks of rows"),
            )
            made = Choice(name="sql", options={**options, "monitoring": watching}).create("exporter").export(whole)
        figures, alerts = (_file(made, ending) for ending in (_FIGURES, _ALERTS))
        if output in (None, "-"):
            emit(str(made.files[figures]))
            return
        contents = {
            path: made.files[name]
            for path, name in zip(_paths(str(output), figures, alerts), (figures, alerts), strict=True)
        }
        check_targets(contents, inputs=[model, baseline], overwrite=overwrite)
        write_all(contents, overwrite=overwrite)
        if as_json:
            emit_json({"written": list(contents), "excluded": made.excluded})
            return
        for path in contents:
            console().print(f"wrote {path}", soft_wrap=True)


def _file(made: Export, ending: str) -> str:
    return next(name for name in made.files if name.endswith(ending))


def _paths(output: str, figures: str, alerts: str) -> tuple[str, str]:
    """Where the two go."""
    if os.path.isdir(output) or output.endswith(("/", "\\")):
        home = make_folder(output)
        return str(home / figures), str(home / alerts)
    stem, suffix = os.path.splitext(output)
    return output, f"{stem}_alerts{suffix}"
