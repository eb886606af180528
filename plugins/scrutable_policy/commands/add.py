"""`scrutable policy add`: rules are added to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli import console, login_name, with_groups
from scrutable.cli.options import Ending, EvidenceFiles, ModelFile
from scrutable.errors import InputError
from scrutable.writing import check_targets
from scrutable_policy.commands.options import Columns, Dictionary, OneRule, Output, Rules, Segments, Who, Why

if TYPE_CHECKING:
    from scrutable_policy.changing import ChangedPolicy


@with_groups
def add(
    model: ModelFile,
    rules: Rules = None,
    *,
    one: OneRule,
    segment: Segments = None,
    columns: Columns,
    dictionary: Dictionary = None,
    protected: Annotated[
        list[str] | None, typer.Option(help="Column that is a protected attribute: no rule may read it. Repeatable.")
    ] = None,
    who: Who = None,
    why: Why = None,
    output: Output,
    evidence: EvidenceFiles,
    ending: Ending,
) -> None:
    """Add rules to a model, with who wants them and why.

    Conditions are tests such as age < 18, purpose in ["car", "home"] or income is missing, with `and` between them;
    tests of one feature also with `or`. Nothing in them is ever run. A file has a table for each rule:

    \\[\\[knock_out]]
    code = "K1"
    reason = "Applicant is under age"
    when = "age < 18"
    why = "Civil code, section 2"

    \\[\\[adjustment]] has points, too, and \\[\\[override]] a decision, "approve" or "decline".

    Evidence is carried over but for what was measured of decisions before the rules.

    Examples:

    [bold]scrutable policy add model.json --rules rules.toml --who "Ana Ruiz" -o ruled.json[/bold]

    [bold]scrutable policy add model.json --knock-out K1 --when "age < 18" --reason "Applicant is under age"
    --why "Civil code, section 2" -o ruled.json[/bold]
    """
    inputs = [*(path for path in (model, rules, dictionary) if path is not None), *evidence.inputs(output)]
    check_targets(evidence.outputs(output), inputs=inputs, overwrite=ending.overwrite)
    stated = one.rules(tuple(segment or ()))
    if rules is None and not stated:
        fix = "give --rules FILE, or one rule by --knock-out, --adjustment or --override"
        raise InputError("there is no rule to add", where="policy add", fix=fix)
    if rules is not None and stated:
        fix = "add the one and then the others"
        raise InputError("a file of rules, and one rule beside it", where="policy add", got=str(rules), fix=fix)
    if rules is not None and segment:
        fix = 'name segments in the file: segments = ["thin file"]'
        raise InputError("is for the one rule of a command line", where="--segment", got=segment, fix=fix)
    from scrutable.cli import read_model
    from scrutable.model import dumps
    from scrutable.plugins import DataDictionary
    from scrutable_policy.changing import add_rules
    from scrutable_policy.rules_file import read_rules

    old = read_model(model)
    changed = add_rules(
        old,
        stated if rules is None else read_rules(rules),
        who=login_name() if who is None else who,
        why=why or "",
        protected=protected or (),
        dictionary=None if dictionary is None else DataDictionary.read(dictionary),
        **columns.said(),
    )
    contents = {str(output): dumps(changed.model), **evidence.contents(old, changed.evidence)}
    ending.tell(changed, contents, show_changed)


def show_changed(changed: ChangedPolicy) -> None:
    """Print what was added or removed."""
    for edit in changed.edits:
        console().print(f"{edit.action} {edit.rule}; {edit.who}: {edit.why}", soft_wrap=True, markup=False)
