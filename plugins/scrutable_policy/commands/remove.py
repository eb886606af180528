"""`scrutable policy remove`: rules are taken out of a model."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli import login_name, with_groups
from scrutable.cli.options import Ending, EvidenceFiles, ModelFile
from scrutable.writing import check_targets
from scrutable_policy.commands.add import show_changed
from scrutable_policy.commands.options import RECORD, Output, Segments, Who


@with_groups
def remove(
    model: ModelFile,
    codes: Annotated[list[str], typer.Argument(metavar="CODE…", help="Codes of the rules.")],
    *,
    segment: Segments = None,
    who: Who = None,
    why: Annotated[str, RECORD.option(help="Why.")],
    output: Output,
    evidence: EvidenceFiles,
    ending: Ending,
) -> None:
    """Take rules out of a model, with who wants it and why.

    Columns that nothing else reads are then no longer inputs of the model. Evidence is carried over but for what was
    measured of decisions before.

    Example: [bold]scrutable policy remove ruled.json K1 --why "Replaced by a limit of debts" -o model.json[/bold]
    """
    check_targets(evidence.outputs(output), inputs=[model, *evidence.inputs(output)], overwrite=ending.overwrite)
    from scrutable.cli import read_model
    from scrutable.model import dumps
    from scrutable_policy.changing import remove_rules

    old = read_model(model)
    changed = remove_rules(old, codes, who=login_name() if who is None else who, why=why, segments=segment or ())
    contents = {str(output): dumps(changed.model), **evidence.contents(old, changed.evidence)}
    ending.tell(changed, contents, show_changed)
