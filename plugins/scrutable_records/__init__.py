"""Plugin: an archive of decisions that tells what was changed in it, and is replayed by the models that decided.

Names are imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plugins import Command, hookimpl
from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_records.archive import Appended, Archive
    from scrutable_records.chain import Head
    from scrutable_records.decided import Decider
    from scrutable_records.differences import Difference
    from scrutable_records.erasing import Erased, Which, erase
    from scrutable_records.models import decider_of, read_models
    from scrutable_records.replaying import Replayed, replay
    from scrutable_records.said import Said, UntimedDecisionsWarning
    from scrutable_records.stored import StoredRecords
    from scrutable_records.table_files import TableRows
    from scrutable_records.table_form import Exported, table_statement, write_rows_of

__all__ = [
    "Appended",
    "Archive",
    "Decider",
    "Difference",
    "Erased",
    "Exported",
    "Head",
    "Replayed",
    "Said",
    "StoredRecords",
    "TableRows",
    "UntimedDecisionsWarning",
    "Which",
    "decider_of",
    "erase",
    "read_models",
    "replay",
    "table_statement",
    "write_rows_of",
]

__getattr__ = lazily(__name__)


@hookimpl
def scrutable_commands() -> list[Command]:
    """Records of decisions, and models signed off."""
    return [
        Command(
            name="approve",
            path="scrutable_records.commands.approve:approve",
            summary="Sign a model off: say that it is developed, validated, approved or retired, who says so and "
            "until when.",
            order=175,
        ),
        Command(
            name="archive",
            path="scrutable_records.commands.archive:archive",
            summary="An append-only archive of decisions: inputs, model, result and reasons of each, in a chain of "
            "digests.",
            order=180,
        ),
        Command(
            name="append",
            group="archive",
            path="scrutable_records.commands.append:append",
            summary="Add a record of each applicant of a file: inputs as the model reads them, result and reasons.",
            order=10,
        ),
        Command(
            name="amend",
            group="archive",
            path="scrutable_records.commands.amend:amend",
            summary="Add to earlier records what came later: notices that were sent, and manual decisions.",
            order=20,
        ),
        Command(
            name="head",
            group="archive",
            path="scrutable_records.commands.head:head",
            summary="Print the number and the digest of the last record, to be kept elsewhere.",
            order=30,
        ),
        Command(
            name="erase",
            group="archive",
            path="scrutable_records.commands.erase:erase",
            summary="Take what is personal out of some records, or of all before a date; their digests stay.",
            order=40,
        ),
        Command(
            name="table",
            group="archive",
            path="scrutable_records.commands.table:table",
            summary="Print the statement that makes a table for the records in a database.",
            order=50,
        ),
        Command(
            name="export",
            group="archive",
            path="scrutable_records.commands.export:export",
            summary="Write records as rows for a table of a database.",
            order=60,
        ),
        Command(
            name="replay",
            path="scrutable_records.commands.replay:replay",
            summary="Check archived decisions against their digests and the models that made them, and name what "
            "differs.",
            order=190,
        ),
    ]
