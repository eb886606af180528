"""One run of `scrutable monitor`: files read, columns put in their roles, and the traffic-light table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from scrutable.cli.output import console, remark, table
from scrutable.cli.terminal import line
from scrutable.data.grouped import Probabilities, check_columns, read_both
from scrutable.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray
    from rich.table import Table

    from scrutable.fairness import Groups
    from scrutable.model import Model, Outcome
    from scrutable_lifecycle.monitoring import Check, Monitoring, Period

_LIGHTS = {"ok": ("ok", "green"), "note": ("note", "cyan"), "warn": ("warn", "yellow"), "alert": ("ALERT", "bold red")}
_SHOWN = 12


@dataclass(frozen=True, kw_only=True)
class Watched:
    """What the command line says of the two files.

    Parameters
    ----------
    baseline, new : the files.
    target : column of the outcomes, in either file or both; empty where they are not known.
    favourable : the outcome that is good for the applicant, where the files call it otherwise than the model.
    date : column of the new file, and `period`, how its values are taken.
    protected, probabilities, reference : protected attributes, in both files.
    weight : column of weights, in either file or both.
    """

    baseline: Path
    new: Path
    target: str | None = None
    favourable: str | None = None
    date: str | None = None
    period: str = "month"
    protected: Sequence[str] = ()
    probabilities: Probabilities = field(default_factory=dict)
    reference: Mapping[str, str] = field(default_factory=dict)
    weight: str | None = None


def run_monitoring(model_path: Path, watched: Watched, options: Mapping[str, Any]) -> Monitoring:
    """Read a model and both files, and compare.

    Raises
    ------
    InputError, KindError, ModelError : a file, a column or an option that cannot be used.
    """
    from scrutable.cli.tables import read_model
    from scrutable_lifecycle.monitoring import monitor

    model = read_model(model_path)
    baseline, new = (_read(path, model, watched) for path in (watched.baseline, watched.new))
    before, now = _groups(baseline, new, watched)
    _check_used(watched.target, "--target", baseline, new)
    _check_used(watched.weight, "--weight", baseline, new)
    y_baseline, y = _outcomes((baseline, new), model, watched)
    return monitor(
        model,
        baseline,
        new,
        y_baseline=y_baseline,
        y=y,
        dates=_column(new, watched.date, "--date", watched.new),
        period=watched.period,  # type: ignore[arg-type]  # the function refuses others
        groups_baseline=before,
        groups=now,
        weight_baseline=_weights(baseline, watched.weight, watched.baseline),
        sample_weight=_weights(new, watched.weight, watched.new),
        **options,
    )


def show(found: Monitoring) -> None:
    """The verdict, the checks as a table of traffic lights, periods, and what was not measured."""
    out = console()
    out.print(f"{found.model_kind} {found.model_sha256[:12]} for {found.target}", soft_wrap=True)
    out.print(f"{found.baseline.rows:,} applicants of the baseline, {found.new.rows:,} new ones", soft_wrap=True)
    checks = found.checks
    beyond = [check for status in ("alert", "warn", "note") for check in checks if check.status == status]
    out.print(_lights(beyond, "Beyond a threshold", _SHOWN * 4))
    fine = [check for check in checks if check.status == "ok"]
    if fine:
        out.print(_lights(fine, "Within the thresholds", _SHOWN))
    out.print(_periods([found.baseline, found.new, *found.periods]))
    if found.ranked_by == "probability":
        out.print(remark("Of segments, AUC and KS are those of the probability."), soft_wrap=True)
    for text in found.missing:
        out.print(remark(text), soft_wrap=True)
    word, style = _LIGHTS[found.status]
    count = len(found.alerts)
    out.print(line(("Status: ", "bold"), (word, style), f"; {count} alert{'' if count == 1 else 's'}"))


def _lights(checks: Sequence[Check], title: str, most: int) -> Table | Text:
    if not checks:
        return line("No figure is beyond its threshold.")
    rows = [
        [
            line(_LIGHTS[check.status]),
            check.title,
            check.subject,
            check.period,
            "" if check.value != check.value else f"{check.value:.3f}",
            f"{check.threshold:.2f}",
            "" if check.status == "ok" else check.note,
        ]
        for check in checks[:most]
    ]
    title += f", {most} of {len(checks)} shown" if len(checks) > most else ""
    headers = ("", "figure", "of", "applicants", "value", "threshold", "note")
    return table(headers, rows, title=title, right=(4, 5), whole=(0,))


def _periods(periods: Sequence[Period]) -> Table:
    rows = []
    for each in periods:
        auc, found = each.performance, each.calibrated
        rows.append(
            [
                each.name,
                f"{each.rows:,}",
                _share(each.approval_rate),
                "" if each.mean_score != each.mean_score else f"{each.mean_score:.1f}",
                _share(each.mean_pd),
                _share(each.bad_rate),
                "" if found is None or found.ratio != found.ratio else f"{found.ratio:.2f}",
                "" if auc is None else f"{auc.auc:.3f} {'(few rows)' if auc.small else _between(auc.auc_interval)}",
                "" if auc is None else f"{auc.ks:.3f}",
            ]
        )
    headers = ("applicants", "rows", "approved", "score", "PD", "bad rate", "obs./exp.", "AUC", "KS")
    return table(headers, rows, title="Decisions and outcomes", right=range(1, 9))


def _between(ends: tuple[float, float]) -> str:
    return f"[{ends[0]:.3f}, {ends[1]:.3f}]"


def _share(value: float) -> str:
    return "" if value != value else f"{value:.1%}"


def _read(path: Path, model: Model, watched: Watched) -> pd.DataFrame:
    from scrutable.cli.reading import read_data

    frame = read_data(path, model, text=[] if watched.date is None else [watched.date])
    check_columns(frame, watched.protected, watched.probabilities)
    return frame


def _groups(baseline: pd.DataFrame, new: pd.DataFrame, watched: Watched) -> Sequence[Groups | None]:
    """Groups of both files, made together, so that they have the same labels, cuts and references."""
    if not watched.protected and not watched.probabilities:
        return None, None
    return read_both(
        (baseline, new),
        (watched.baseline, watched.new),
        watched.protected,
        watched.probabilities,
        reference=watched.reference,
    )


def _outcomes(frames: Sequence[pd.DataFrame], model: Model, watched: Watched) -> list[Any]:
    """Outcomes of each file in the model's classes; None where the file has none."""
    from scrutable.model import Quantity

    found = [frame.get(watched.target) if watched.target is not None else None for frame in frames]
    if watched.favourable is None or isinstance(model.outcome, Quantity):
        return found
    words = _words(found, model.outcome, watched)
    return [None if its is None else its.astype(object).map(words.__getitem__, na_action="ignore") for its in found]


def _words(found: Sequence[pd.Series | None], outcome: Outcome, watched: Watched) -> dict[Any, Any]:
    """The model's class of each value that either file calls an outcome; there may be one beside the good one."""
    from scrutable.data.labelling import label

    values = dict.fromkeys(value for its in found if its is not None for value in its.dropna().unique().tolist())
    good = label(watched.favourable)
    others = dict.fromkeys(label(value) for value in values if label(value) != good)
    where = f"--favourable, column {watched.target!r}"
    if values and good not in map(label, values):
        raise InputError(
            "no outcome is the favourable one",
            where=where,
            got=watched.favourable,
            allowed=" or ".join(map(repr, others)),
            fix="name the outcome as the files do",
        )
    if len(others) > 1:
        raise InputError(
            "beside the good outcome there is more than one other, so that it is not clear which is bad",
            where=where,
            got=", ".join(map(repr, list(others)[:10])),
            allowed=f"{good!r}, one other value, and empty where the outcome is not known",
            fix="leave outcomes that are neither good nor bad empty, or translate them",
        )
    bad = next(each for each in outcome.classes if each != outcome.favourable)
    return {value: outcome.favourable if label(value) == good else bad for value in values}


def _weights(frame: pd.DataFrame, name: str | None, path: Path) -> NDArray[np.float64] | None:
    """Sample weights of a file; None where it has no such column."""
    from scrutable.data.cohort_file import weights_of

    return None if name is None or name not in frame else weights_of(frame, name, f"--weight, file {str(path)!r}")


def _column(frame: pd.DataFrame, name: str | None, option: str, path: Path) -> Any:
    from scrutable.data.frames.names import known_column

    if name is None:
        return None
    known_column(name, frame.columns, f"{option}, file {str(path)!r}")
    return frame[name]


def _check_used(name: str | None, option: str, *frames: pd.DataFrame) -> None:
    """Refuse a column that neither file has."""
    from scrutable.data.frames.names import known_column

    if name is not None and not any(name in frame for frame in frames):
        known_column(name, frames[-1].columns, option)
