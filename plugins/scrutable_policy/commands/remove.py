"""`scrutable policy remove`: rules are taken out of a model."""

from __future__ import annotations

from typing import Annotated

import typer

from scrutable.cli import with_groups
from scrutable.cli.options import Ending, ModelFile
from scrutable.writing import check_targets
from scrutable_policy.commands.add import show_changed
from scrutable_policy.commands.options import RECORD, Output, Segments, Who, login


@with_groups
def remove(
    model: ModelFile,
    codes: Annotated[list[str], typer.Argument(metavar="CODE…", help="Codes of the rules.")],
    *,
    segment: Segments = None,
    who: Who = None,
    why: Annotated[str, RECORD.option(help="Why.")],
    output: Output,
    ending: Ending,
) -> None:
    """Take rules out of a model, with who wants it and why.

    Columns that nothing else reads are then no longer inputs of the model.

    Example: [bold]scrutable policy remove ruled.json K1 --why "Replaced by a limit of debts" -o model.json[/bold]
    """
    check_targets([output], inputs=[model], overwrite=ending.overwrite)
    from scrutable.cli import read_model
    from scrutable.model import dumps
    from scrutable_policy.changing import remove_rules

    changed = remove_rules(
        read_model(model), codes, who=login() if who is None else who, why=why, segments=segment or ()
    )
    ending.tell(changed, {str(output): dumps(changed.model)}, show_changed)
