"""`scrutable policy list`: the rules of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.cli import console, emit_json, table
from scrutable.cli.options import AsJson, ModelFile

if TYPE_CHECKING:
    from scrutable_policy.listing import ListedPolicy


def listing(model: ModelFile, *, as_json: AsJson = False) -> None:
    """The rules of a model in the order in which they are tried, and who added each and why.

    --json has all changes that were recorded, those of rules that are gone, too.

    Example: [bold]scrutable policy list ruled.json[/bold]
    """
    from scrutable.cli import read_model
    from scrutable_policy.listing import list_rules

    listed = list_rules(read_model(model))
    if as_json:
        emit_json(listed.to_dict())
    else:
        _show(listed)


def _show(listed: ListedPolicy) -> None:
    out = console()
    if not listed.rules:
        out.print("No rules around the score.")
    else:
        segments = any(each.segment is not None for each in listed.rules)
        rows = [
            (
                *((each.segment or "",) if segments else ()),
                each.code,
                each.kind,
                each.effect,
                each.when,
                each.reason if each.explained else f"{each.reason} (never told)",
                f"{each.who}: {each.why}" if each.who else "not recorded",
            )
            for each in listed.rules
        ]
        headers = ("code", "kind", "effect", "when", "reason", "who: why")
        out.print(table(("segment", *headers) if segments else headers, rows, title="Rules in their order"))
    for edit in listed.edits:
        if edit.action == "removed":
            out.print(f"removed {edit.rule}; {edit.who}: {edit.why}", soft_wrap=True, markup=False)
