"""Plugin: from an exported statement to what is deployed: proof of it, versions, switch and rollback.

Names are imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plugins import Command, hookimpl
from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_deployment.deploying import deploy, roll_back
    from scrutable_deployment.deployment import Deployment
    from scrutable_deployment.proving import Proof, proof_script
    from scrutable_deployment.returned import Returned, attested, read_returned
    from scrutable_deployment.swapping import SwapReport, swap_report
    from scrutable_deployment.verifying import verify_deployed

__all__ = [
    "Deployment",
    "Proof",
    "Returned",
    "SwapReport",
    "attested",
    "deploy",
    "proof_script",
    "read_returned",
    "roll_back",
    "swap_report",
    "verify_deployed",
]

__getattr__ = lazily(__name__)


@hookimpl
def scrutable_commands() -> list[Command]:
    """Versions in databases, and certificates of what runs there."""
    return [
        Command(
            name="deploy",
            path="scrutable_deployment.commands.deploy:deploy",
            summary="Put a version of a model behind a view in a database: made, switched to from one moment on, and "
            "back again.",
            order=168,
        ),
        Command(
            name="proof",
            path="scrutable_deployment.commands.proof:proof",
            summary="Write one query that proves a model in a database that we cannot reach, and whose one row is "
            "given back.",
            order=165,
        ),
        Command(
            name="verify",
            path="scrutable_deployment.commands.verify:verify",
            summary="Run the exported model in a real engine, row by row beside the model itself, and certify what "
            "was seen.",
            order=170,
        ),
    ]
