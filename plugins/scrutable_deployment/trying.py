"""Rows of edge values as literals of a statement, what came of them, and how a certificate tells that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Model, features_read
from scrutable.model.evaluator import OutputFrame
from scrutable.model.program import lowered
from scrutable.proof import ColumnCheck, EngineRun, sha256
from scrutable_deployment.catalogues import Deployed
from scrutable_deployment.column_types import plain
from scrutable_deployment.database import Database
from scrutable_deployment.inlined import Inlined
from scrutable_deployment.names import Named, spoken
from scrutable_deployment.table_rows import Comparison, as_results, results_among
from scrutable_deployment.trial_rows import TrialRows

#: Rows of literals in one statement.
_BLOCK = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be compared with what is deployed.

    Parameters
    ----------
    table : with the model's inputs, where it is told. key : columns that name one row, where they are told.
    columns : column of the table by feature, where it is not called so.
    trial : rows of edge values.
    say : is told what is being done.
    """

    model: Model
    table: Named | None
    key: tuple[str, ...]
    columns: Mapping[str, str]
    trial: TrialRows
    say: Callable[[str], None]

    @property
    def read(self) -> dict[str, str]:
        """The column of each feature that the model reads."""
        return {feature.name: self.columns.get(feature.name, feature.name) for feature in features_read(self.model)}

    @property
    def known(self) -> Sequence[str]:
        """The results of the model."""
        return lowered(self.model, words=False).results

    def results_of(self, target: Deployed) -> list[str]:
        """The columns of what is deployed that are results of the model.

        Raises
        ------
        InputError : there is none.
        """
        results = results_among(list(target.columns), self.known)
        if not results:
            raise InputError(
                "none of its columns is a result of the model",
                where=target.title,
                got=", ".join(target.columns),
                allowed=", ".join(self.known),
            )
        return results


def literal_columns(
    database: Database, what: Comparison, names: Sequence[str], frame: Any, first: int
) -> list[Inlined]:
    """Columns of a table as literals: of the model's inputs, of the key, which numbers the rows, and NULL elsewhere."""
    d, features = database.dialect, {column: feature for feature, column in what.columns.items()}
    kinds = {feature.name: d.double if feature.kind == "numeric" else d.text for feature in features_read(what.model)}
    kinds |= dict.fromkeys(what.booleans, d.stored_boolean)
    columns = []
    for name in names:
        if name in features:
            columns.append(Inlined(name, kinds[features[name]], frame[features[name]].tolist()))
        elif name in what.key:
            columns.append(Inlined(name, d.integer, list(range(first, first + len(frame)))))
        else:
            columns.append(Inlined(name, d.text, [None] * len(frame)))
    return columns


def on_literals(
    database: Database, target: Deployed, frame: Any, text_of: Callable[[Any, int], str]
) -> dict[str, Sequence[Any]]:
    """The columns that come back from statements over blocks of rows.

    Parameters
    ----------
    text_of : the statement over some rows, the first of which has a number.
    """
    got = []
    for start in range(0, len(frame), _BLOCK):
        text = text_of(frame.iloc[start : start + _BLOCK], start)
        doing = f"running the text of {spoken(target.name)} on rows of literals"
        got += database.rows(text, doing, "EXECUTE on functions")
    return dict(zip(target.columns, zip(*got, strict=True), strict=True)) if got else {}


def in_order(columns: Mapping[str, Sequence[Any]], what: Comparison) -> OutputFrame:
    """The results of rows in the order of their numbers."""
    order = _order(columns.get(what.key[0], ()))
    return as_results({name: [columns[name][i] for i in order] for name in what.results})


def run_of(
    database: Database,
    target: Deployed,
    subject: str,
    what: Comparison,
    checks: Sequence[ColumnCheck],
    n_rows: int,
    trial: TrialRows | None = None,
) -> EngineRun:
    """What was compared of something deployed, as a certificate tells it.

    Parameters
    ----------
    subject : which rows. trial : where they are rows of edge values.
    """
    text = target.text
    return EngineRun(
        engine=database.engine,
        attested=True,
        exporter="scrutable_deployment",
        distribution="scrutable",
        version="",
        files={} if text is None else {f"{target.title}, as the database gives it back": sha256(text)},
        n_rows=n_rows,
        excluded_rows=0,
        excluded=database.dialect.excluded if trial is not None else "",
        columns=tuple(checks),
        edge_values=0 if trial is None else trial.values,
        edge_values_held=0 if trial is None else trial.covered,
        not_exported=tuple(name for name in what.known if name not in what.own_results),
        subject=f"{target.title}, {subject}",
    )


def in_truth_values(
    database: Database, model: Model, columns: Mapping[str, str], types: Mapping[str, str]
) -> tuple[str, ...]:
    """Numeric features in columns of truth values, where the dialect reads these in their own way.

    Parameters
    ----------
    columns : column by feature. types : type by column.
    """
    if database.dialect.boolean is None:
        return ()
    kinds = {name: plain(told) for name, told in types.items()}
    numeric = [feature.name for feature in features_read(model) if feature.kind == "numeric"]
    return tuple(name for name in numeric if kinds.get(columns[name]) in ("boolean", "bool"))


def _order(numbers: Sequence[Any]) -> Sequence[int]:
    """The places of rows in the order of their numbers; as they came where what is deployed has changed these."""
    whole = all(isinstance(number, int) for number in numbers)
    return sorted(range(len(numbers)), key=numbers.__getitem__) if whole else range(len(numbers))
