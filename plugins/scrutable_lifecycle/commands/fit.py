"""`scrutable fit`: learn a model from a file, or repeat the run that a config describes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli import console, heading, known, missing_column, note, reads_data, working
from scrutable.cli.options import (
    APPLICANTS,
    DATA,
    MEASURES,
    MODEL,
    OUTPUT,
    Accepted,
    DateColumn,
    Ending,
    Engine,
    Indeterminate,
    OutOfTime,
    Part,
    Seed,
)
from scrutable.data import SplitConfig
from scrutable.errors import InputError
from scrutable.plugins import coerce
from scrutable.writing import changed_texts, check_row_file, check_targets, in_digits, row_file
from scrutable_lifecycle.commands.learning import Columns, Learning
from scrutable_lifecycle.commands.names import listed
from scrutable_lifecycle.config import MissingConfig, OutputConfig, RejectConfig, ReportConfig, Run, dump_run, load_run
from scrutable_lifecycle.dictionary_run import with_known

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from scrutable.plugins import Decision
    from scrutable_lifecycle.development import Developed

#: Characteristics that left, which are told one by one.
_TOLD = 12
#: What may be said beside a config; everything else is the config's.
_BESIDE_CONFIG = {"source", "save_config", "overwrite", "as_json"}


@reads_data
def fit(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(metavar="DATA|CONFIG.toml", help="A data file, such as CSV, Excel or Parquet, or a config."),
        APPLICANTS,
    ],
    target: Annotated[str | None, DATA.option(help="Column of the outcome."), Part(name="target")] = None,
    *,
    columns: Columns,
    indeterminate: Indeterminate = None,
    accepted: Accepted = None,
    date: DateColumn = None,
    learning: Learning,
    reject_inference: Annotated[
        str | None,
        MODEL.option(
            metavar="fuzzy|parcelling",
            help="Guess the outcomes of the declined, and learn from them too; with --accepted.",
        ),
    ] = None,
    reject_factor: Annotated[
        float,
        MODEL.option(help="How many times as bad the declined are taken to be: odds (fuzzy), bad rates (parcelling)."),
    ] = 1.0,
    refuse_missing: Annotated[
        str | None,
        MODEL.option(
            metavar="all|unseen",
            help="Decline, by knock-outs, who lacks all inputs, or one that was there on every training row.",
        ),
    ] = None,
    engine: Engine = None,
    test_size: Annotated[float, MEASURES.option(help="Share of rows held out to measure on; 0 fits on all.")] = 0.3,
    out_of_time: OutOfTime = None,
    seed: Seed = 0,
    approval_rate: Annotated[
        float | None,
        MEASURES.option(
            help="Measure at this approval rate too; the share of good outcomes if not given. The model's own cutoff "
            "is set by --option approval_rate=… or --option cutoff=…."
        ),
    ] = None,
    output: Annotated[Path | None, OUTPUT.option("--output", "-o", help="Model file.")] = None,
    evidence: Annotated[Path | None, OUTPUT.option(help="File for measurements and binning tables.")] = None,
    holdout: Annotated[
        Path | None,
        OUTPUT.option(help="Write the rows held out, a .csv or .parquet file, which validate takes as it is."),
    ] = None,
    save_config: Annotated[Path | None, OUTPUT.option(help="Write the config that repeats this run.")] = None,
    ending: Ending,
) -> None:
    """Learn a model, and measure it on rows that it did not see.

    The model is a scorecard fitted as one problem (additive), unless --learner names another learner.

    Every column is an input but the target, the protected ones, the id, the weight and those dropped. Protected
    columns, and columns that tell them, are refused as inputs.

    With --engine, such as duckdb, the rows are learned from where they live, however many they are: a pattern of files,
    a table, or a query. Learners that need the rows themselves say so.

    Examples:

    [bold]scrutable fit loans.csv --target paid --favourable yes --drop loan_id -o model.json[/bold]

    [bold]scrutable fit loans.csv --target paid --favourable yes --protected sex --learner lda-xgb1 --constraint
    fairness-information-value:bound=0.05 -o model.json --save-config run.toml[/bold]

    [bold]scrutable fit loans.csv --target paid --favourable yes --date issued --out-of-time 2019-07 --accepted booked
    --reject-inference fuzzy -o model.json[/bold]

    [bold]scrutable fit loans.csv --dictionary loans.toml -o model.json[/bold]

    [bold]scrutable fit 'loans/*.parquet' --engine duckdb --target paid --favourable yes --learner scorecard
    --test-size 0 -o model.json[/bold]

    [bold]scrutable fit run.toml --overwrite[/bold]
    """
    said: tuple[str, ...] = ()
    if source.suffix == ".toml":
        _refuse_beside_config(context)
        run = load_run(source)
    else:
        if target is None:
            raise missing_column("target", "fit")
        run = Run(
            data=replace(
                columns.config(source, target),
                indeterminate=indeterminate,
                accepted=accepted,
                date=date,
                engine=engine,
            ),
            **learning.stated(),
            split=SplitConfig(test_size=test_size, seed=seed, out_of_time=out_of_time),
            reject_inference=_reject_config(reject_inference, reject_factor),
            missing=coerce({"refuse": refuse_missing} if refuse_missing else {}, MissingConfig, "--refuse-missing"),
            report=ReportConfig(approval_rate=approval_rate),
            output=OutputConfig(
                model=_required(output, "--output", "the model file to write"),
                evidence=None if evidence is None else str(evidence),
                holdout=None if holdout is None else str(holdout),
            ),
        )
        run, said = with_known(run, known())
    for line in said:
        note(line)
    _run(run, source, save_config, ending)


def _run(run: Run, source: Path, save_config: Path | None, ending: Ending) -> None:
    from scrutable.model import dumps, dumps_evidence

    output = run.output
    assert output is not None  # options and configs have to state it
    _check_holdout(run)
    files = (output.model, output.evidence, output.holdout, save_config)
    written = [Path(path) for path in files if path is not None]
    read = [path for path in (run.data.path, run.review.edits) if path is not None]
    check_targets(written, inputs=[source, *read], overwrite=ending.overwrite)
    config = None if save_config is None else dump_run(run.moved(Path(), save_config.parent))
    with working("Importing the numeric libraries"):
        from scrutable_lifecycle.development.developing import develop
    with working(f"Fitting {run.learner.name} on {run.data.path}"):
        everyone = None if output.holdout is None else _everyone(run, output.holdout)
        developed = develop(run, everyone)
    contents: dict[str, str | bytes] = {str(Path(output.model)): dumps(developed.model)}
    if output.evidence is not None:
        contents[str(Path(output.evidence))] = dumps_evidence(developed.evidence)
    if output.holdout is not None and everyone is not None:
        contents[str(Path(output.holdout))] = row_file(everyone.iloc[developed.held_out], output.holdout)
    if config is not None:
        contents[str(save_config)] = config
    ending.tell(developed, contents, partial(_show, run), weight=run.data.weight)


def _check_holdout(run: Run) -> None:
    """Refuse a file of rows held out of another kind, or where none are held out."""
    path = None if run.output is None else run.output.holdout
    if path is None:
        return
    check_row_file(path, "--holdout")
    if not run.split.test_size and run.split.out_of_time is None:
        fix = "leave --holdout out, or hold rows out by --test-size or --out-of-time"
        raise InputError("no rows are held out", where="--test-size, --holdout", got=run.split.test_size, fix=fix)


def _everyone(run: Run, holdout: str) -> pd.DataFrame:
    """All rows with all columns, read once: a query may give them in another order each time.

    Raises
    ------
    InputError : a CSV file of rows held out would hold other texts than these.
    """
    from scrutable.data import read_rows

    frame = read_rows(run.data.path, replace(run.data, ranges={}))  # told of when they are learned from
    for name in changed_texts(frame, holdout):
        raise InputError(
            "texts that spreadsheets take for formulas, which a CSV file would not hold as they are",
            where=f"--holdout, column {name!r}",
            fix=f"--holdout {Path(holdout).with_suffix('.parquet').name}",
        )
    return frame


def _show(run: Run, developed: Developed) -> None:
    from scrutable_lifecycle.commands.measured import about_data

    out = console()
    out.print(heading(f"{run.learner.name}: {developed.n_fit:,} rows to learn from, {developed.n_held_out:,} held out"))
    for line in _about_decision(run, developed):
        out.print(line)
    for line in about_data(run.data, developed.model.outcome, developed.inputs, developed.left_out):
        out.print(line)
    for line in _about_model(run, developed):
        out.print(line)
    for line in developed.population.lines() if developed.population is not None else ():
        out.print(line)
    _show_measures(developed, out)


def _show_measures(developed: Developed, out: Console) -> None:
    from scrutable_lifecycle.commands.held_out import class_table, kept_table, quantity_table
    from scrutable_lifecycle.commands.measured import legend, side_by_side
    from scrutable_lifecycle.development.classes import ClassMeasured
    from scrutable_lifecycle.development.quantities import QuantityMeasured

    if developed.measured is None:
        out.print("Nothing was held out, so nothing is measured on other rows.")
    elif isinstance(developed.measured, ClassMeasured):
        out.print()
        out.print(class_table(developed.measured))
    elif isinstance(developed.measured, QuantityMeasured):
        out.print()
        out.print(quantity_table(developed.measured))
    else:
        out.print()
        before = [] if developed.before is None else [developed.before]
        names = ["held-out rows", "before, the same rows"][: 1 + len(before)]
        out.print(side_by_side(names, [developed.measured, *before]))
        out.print(legend(developed.measured), style="dim")
    if developed.kept:
        out.print()
        out.print(kept_table(developed.kept))


def _about_model(run: Run, developed: Developed) -> Iterator[str]:
    """Lines on what the model keeps, what it leaves out, and what its cutoff does."""
    from scrutable.cli import about_learning, size_of_rules
    from scrutable.model import RegressionScorecard, RuleSet
    from scrutable.model.rulesets import deciding_sentence
    from scrutable_lifecycle.learners import leaving_out

    yield from _about_left_out(developed)
    if not developed.model.features:
        asked = " or ".join(leaving_out(run)) or "an option of the learner"
        yield (
            f"The model reads no input: it says the same for everybody; {asked} may ask too much of these rows, or no "
            "input tells more than chance would"
        )
    if isinstance(developed.model, RegressionScorecard):
        low, high = developed.model.score_range
        yield f"Predictions from {in_digits(low)} to {in_digits(high)}"
        yield from about_learning(developed.model, developed.evidence, most=_TOLD)
        return
    bounds = [
        f"{each['name']} ({', '.join(f'{key} {value}' for key, value in each['options'].items())})"
        for each in developed.bounds
    ]
    yield f"Bounds: {'; '.join(bounds) or 'none; --constraint sets them, for a learner that keeps them'}"
    if isinstance(developed.model, RuleSet):
        yield f"{size_of_rules(developed.model)}; {deciding_sentence(developed.model)}"
    yield from about_learning(developed.model, developed.evidence, most=_TOLD)


def _about_left_out(developed: Developed) -> Iterator[str]:
    """Inputs that the model does not read, but for those of which the learner or its selection says why they left."""
    from scrutable.cli import about_characteristics
    from scrutable.plugins import Selection

    selection = Selection.of(developed.evidence)
    selected = () if selection is None else (entry.feature for entry in selection.dropped)
    told = {*about_characteristics(developed.model, developed.evidence), *selected}
    left_out = [name for name in developed.left_out if name not in told]
    constant: Any = developed.evidence.metrics.get("without_points", ())
    for why, is_one in (("", False), (", since every value would have the same points", True)):
        if names := [name for name in left_out if (name in constant) is is_one]:
            yield f"Left out by the model{why}: {listed(names)}"


def _about_decision(run: Run, developed: Developed) -> Iterator[str]:
    """What settled the decision and how another is asked for, and what becomes of who is not known at all."""
    from scrutable.plugins import AllMissing, Decision, doubt_in_words

    decision, nothing = Decision.of(developed.evidence), AllMissing.of(developed.evidence)
    if decision is not None:
        yield f"{decision.describe()}{_other_cutoffs(run, decision)}"
    elif developed.approved is not None:
        yield f"The model's own decision approves {developed.approved:.1%} of the training applicants"
    if nothing is not None and nothing.unlearned:
        declining = "--refuse-missing all declines them, and --refuse-missing unseen whoever lacks any of these inputs"
        advice = nothing.advice(declining)
        yield f"{advice[0].upper()}{advice[1:]}"
    if doubt := doubt_in_words(developed.evidence):
        yield f"Warning: {doubt}"


def _other_cutoffs(run: Run, decision: Decision) -> str:
    """How another cutoff is asked for; empty where one was."""
    from scrutable_lifecycle.learner_options import options_of

    named = [name for name in ("approval_rate", "cutoff") if name in options_of(run.learner.name)]
    if decision.by != "good-share":
        return ""
    flags = " or ".join(f"--option {name}=…" for name in named) or "`scrutable strategy cutoff`"
    return f"; {flags} changes it"


def _required(value: Any, flag: str, what: str) -> str:
    if value is None:
        raise InputError("an option is missing", where="scrutable fit", allowed=f"{flag}: {what}", fix=f"give {flag}")
    return str(value)


def _reject_config(method: str | None, factor: float) -> RejectConfig | None:
    if method is None:
        if factor != 1:
            fix = "give --reject-inference, or leave the factor out"
            raise InputError("nothing is inferred", where="--reject-factor", got=factor, fix=fix)
        return None
    stated: RejectConfig = coerce({"method": method, "factor": factor}, RejectConfig, "--reject-inference")
    return stated


def _refuse_beside_config(context: typer.Context) -> None:
    for name in context.params:
        source = getattr(context.get_parameter_source(name), "name", "")
        if source == "COMMANDLINE" and name not in _BESIDE_CONFIG:
            flag = "--id" if name == "identifier" else "--" + name.replace("_", "-")
            raise InputError(
                "a config says everything about a run",
                where=flag,
                allowed="--save-config, --overwrite, --json beside a config",
                fix="write it into the config",
            )
