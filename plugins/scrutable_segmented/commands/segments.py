"""`scrutable segments`: segments that are worth cards of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from scrutable.cli import console, heading, known, note, reads_data, table, working
from scrutable.cli.options import (
    MEASURES,
    MODEL,
    OUTPUT,
    Data,
    DateColumn,
    Drop,
    Ending,
    Favourable,
    Identifier,
    Indeterminate,
    Protected,
    Seed,
    Target,
    Weight,
    data_config,
)
from scrutable.errors import InputError
from scrutable.writing import check_targets, toml_key, toml_value

if TYPE_CHECKING:
    from scrutable.data import DataConfig
    from scrutable_segmented.finding import FoundSegments


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """The applicants of a file, with their outcomes."""

    source: Data
    target: Target
    favourable: Favourable = None
    protected: Protected = None
    drop: Drop = None
    identifier: Identifier = None
    weight: Weight = None
    indeterminate: Indeterminate = None
    date: DateColumn = None

    @property
    def config(self) -> DataConfig:
        """What is said of the data."""
        return data_config(**vars(self))


@reads_data
def segments(
    applicants: Applicants,
    *,
    leaves: Annotated[int, MODEL.option(help="Segments at most.")] = 4,
    learner: Annotated[str, MODEL.option(help="What fits the cards.")] = "scorecard",
    option: Annotated[
        list[str] | None, MODEL.option(metavar="KEY=VALUE", help="Option of the learner. Repeatable.")
    ] = None,
    least: Annotated[int, MODEL.option(help="Goods, and bads, that a segment has at least.")] = 100,
    splits: Annotated[int, MEASURES.option(help="How often rows are held out.")] = 5,
    test_size: Annotated[float, MEASURES.option(help="Share of the rows that is held out.")] = 0.3,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        OUTPUT.option("--output", "-o", help="Config that `scrutable fit` fits the cards by: a .toml file."),
    ] = None,
    ending: Ending,
) -> None:
    """Look for segments that are worth cards of their own, with what they gain on rows held out.

    A tree splits the applicants where separate slopes of all characteristics gain most. In each of several splits of
    the rows it is grown anew, and separate cards are compared with one card on the same rows held out. Segments are
    recommended where they gain more of AUC and log-loss than the standard error; else one card is enough.

    Examples:

    [bold]scrutable segments loans.csv --target paid --favourable yes --protected sex --leaves 4[/bold]

    [bold]scrutable segments loans.csv --target paid --favourable yes -o segments.toml[/bold]
    """
    if output is not None and output.suffix != ".toml":
        fix = "for example --output segments.toml"
        raise InputError("not a config file", where="--output", got=output.suffix, allowed=".toml", fix=fix)
    check_targets([] if output is None else [output], inputs=[applicants.source], overwrite=ending.overwrite)
    with working(f"Looking for segments in {applicants.source}"):
        from scrutable_segmented.finding import find_segments

        options, codes = _options(learner, option or ()), _special_codes(applicants.config)
        search = find_segments(
            applicants.source,
            applicants.config,
            leaves=leaves,
            learner=learner,
            options=options,
            special_codes=codes,
            least=least,
            splits=splits,
            held_out=test_size,
            seed=seed,
        )
    contents: dict[str, str | bytes] = {}
    if output is not None and search.segments:
        contents[str(output)] = _config(search, applicants.config, learner, options, codes)
    ending.tell(search, contents, _show, weight=applicants.weight)
    if output is not None and not contents:
        note(f"{output} is not written, since no segments are recommended")


def _options(learner: str, texts: Sequence[str]) -> dict[str, object]:
    from scrutable.plugins import Choice

    return dict(Choice.of(learner, texts, "--option").options)


def _special_codes(config: DataConfig) -> dict[str, list[str | float]]:
    """What the dictionary says is no measurement, by input; without them a code is a number like others."""
    from scrutable.plugins import special_codes_for

    dictionary = known()
    return {} if dictionary is None else special_codes_for(config, dictionary)


def _config(
    search: FoundSegments,
    data: DataConfig,
    learner: str,
    options: dict[str, object],
    codes: dict[str, list[str | float]],
) -> str:
    """A config of `scrutable fit` with a card for each segment."""
    stated = {name: value for name, value in vars(data).items() if value not in (None, (), {})}
    parts: dict[str, dict[str, Any]] = {
        "data": {name: list(value) if isinstance(value, tuple) else value for name, value in stated.items()},
        "learner": {"name": "segmented"},
        "learner.options": {
            "learner": learner,
            **({"options": options} if options else {}),
            **({"special_codes": codes} if codes else {}),
        },
        "learner.options.segments": dict(search.segments),
        "output": {"model": "model.json", "evidence": "evidence.json"},
    }
    blocks = [
        "\n".join([f"[{part}]", *(f"{toml_key(name)} = {toml_value(value)}" for name, value in values.items())])
        for part, values in parts.items()
    ]
    return "\n\n".join(blocks) + "\n"


def _show(search: FoundSegments) -> None:
    out = console()
    out.print(f"{search.rows:,} rows, {search.splits} splits into rows to learn from and rows held out")
    rows = [
        (
            each.leaves,
            f"{each.auc:+.4f} ± {each.auc_error:.4f}",
            f"{each.log_loss:+.5f} ± {each.log_loss_error:.5f}",
            "yes" if each.clear else "no",
        )
        for each in search.gains
    ]
    headers = ("segments", "gain of AUC", "gain of log-loss", "clear")
    if rows:
        title = f"Separate cards beside one card of AUC {search.one_card_auc:.4f}, on the same rows held out"
        out.print(table(headers, rows, title=title, right=range(3)))
    out.print(f"{search.in_words()}.", soft_wrap=True)
    shown = search.segments or (search.tried if len(search.tried) > 1 else {})
    if shown:
        out.print(heading("Segments" if search.segments else "What was tried, on all rows; not recommended"))
        out.print(table(("segment", "condition, the first that holds"), list(shown.items())))
