"""`scrutable select`: which characteristics of a file tell something, and why the others leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli import (
    console,
    emit_json,
    heading,
    known,
    reads_data,
    say_weighted,
    table,
    with_must,
    with_special_codes,
    working,
)
from scrutable.cli.options import (
    DATA,
    MEASURES,
    MODEL,
    OUTPUT,
    Accepted,
    AsJson,
    BinnerName,
    BinnerOption,
    Data,
    DateColumn,
    Drop,
    Favourable,
    Identifier,
    Indeterminate,
    OutOfTime,
    Overwrite,
    Protected,
    ProtectedProbabilities,
    Reference,
    Seed,
    Target,
    Weight,
    data_config,
)
from scrutable.data import DataConfig, SplitConfig
from scrutable.plugins import Choice
from scrutable.writing import check_targets, write_whole

if TYPE_CHECKING:
    from scrutable_selection.selecting import Selected

_COMMENT = "What {name} left out of {source}, by the rows that a fit learns from; give it with --dictionary."


@reads_data
def select(
    source: Data,
    target: Target,
    *,
    favourable: Favourable = None,
    protected: Protected = None,
    protected_probabilities: ProtectedProbabilities = None,
    drop: Drop = None,
    allow_protected: Annotated[
        list[str] | None, DATA.option(help="Input that may be a protected attribute, or tell one. Repeatable.")
    ] = None,
    identifier: Identifier = None,
    weight: Weight = None,
    reference: Reference = None,
    indeterminate: Indeterminate = None,
    accepted: Accepted = None,
    date: DateColumn = None,
    selector: Annotated[
        str,
        MODEL.option(metavar="NAME[:KEY=VALUE,...]", help="What selects, with its options, such as iv:floor=0.05."),
    ] = "standard",
    binner: BinnerName = None,
    binner_option: BinnerOption = None,
    test_size: Annotated[float, MEASURES.option(help="Share of rows that are not looked at, as those of a fit.")] = 0.3,
    out_of_time: OutOfTime = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        OUTPUT.option("--output", "-o", help="Data dictionary, a .toml file: the one given, with what left as never."),
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Select characteristics: what stays, what leaves, and why.

    Rows that `scrutable fit` with the same --test-size, --seed and --out-of-time holds out are not looked at. With
    --date, what moves over time leaves, too. The learner scorecard selects by itself: --option select=….

    Examples:

    [bold]scrutable select loans.csv --target paid --favourable yes[/bold]

    [bold]scrutable select loans.csv --target paid --favourable yes --selector standard:correlation=0.8,must=age
    -o selected.toml[/bold]

    [bold]scrutable fit loans.csv --target paid --favourable yes --dictionary selected.toml -o model.json[/bold]
    """
    config = data_config(
        source,
        target,
        favourable=favourable,
        protected=protected,
        protected_probabilities=protected_probabilities,
        drop=drop,
        identifier=identifier,
        weight=weight,
        reference=reference,
        indeterminate=indeterminate,
        accepted=accepted,
        date=date,
    )
    if output is not None:
        check_targets([output], inputs=[source], overwrite=overwrite)
    keeping = with_must(selector, config)
    with working("Importing the numeric libraries"):
        from scrutable_selection.selecting import DEFAULT_BINNER
        from scrutable_selection.selecting import select as selecting
    named = Choice.of(binner or DEFAULT_BINNER, binner_option or (), "--binner-option")
    with working(f"Selecting by {selector}"):
        selected = selecting(
            source,
            config,
            selector=keeping,
            binner=with_special_codes(named, config),
            split=SplitConfig(test_size=test_size, seed=seed, out_of_time=out_of_time),
            allow_protected=allow_protected or (),
        )
    if output is not None:
        write_whole(output, _dictionary(selected, config, source), overwrite=overwrite)
    written = [] if output is None else [str(output)]
    if as_json:
        emit_json({**selected.to_dict(), "written": written})
        return
    say_weighted(weight)
    _show(selected)
    for path in written:
        console().print(f"wrote {path}", soft_wrap=True)


def _dictionary(selected: Selected, config: DataConfig, source: Path) -> str:
    """What is known of the columns, with what left as the list of what is never read."""
    from scrutable.plugins import dictionary_by_config

    selection = selected.selection
    left = [entry.feature for entry in selection.dropped]
    made = dictionary_by_config(config, [each.name for each in selected.every], known())
    must = tuple(name for name in made.must if name not in left)
    made = replace(made, must=must, never=(*made.never, *left))
    return made.text(_COMMENT.format(name=selection.selector, source=source.name))


def _show(selected: Selected) -> None:
    out, selection = console(), selected.selection
    looked = f"{selected.rows.rows:,} rows looked at, {selected.n_held_out:,} held out"
    kept = f"{len(selection.kept):,} of {selection.considered:,} characteristics kept"
    out.print(heading(f"{selection.selector}: {kept}; {looked}"))
    records = sorted(selected.records(), key=lambda each: (not each["kept"], -each["iv"]))
    cells = [
        (each["feature"], "kept" if each["kept"] else "left", f"{each['iv']:.4f}", each["step"], each["reason"])
        for each in records
    ]
    out.print(table(("characteristic", "", "IV", "step", "reason"), cells, right=(2,)))
