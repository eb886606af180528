"""Plugin: from an exported statement to what is deployed: proof of it, versions, switch and rollback.

Names are imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plugins import Command, hookimpl
from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_deployment.proving import Proof, proof_script
    from scrutable_deployment.returned import Returned, attested, read_returned
    from scrutable_deployment.verifying import verify_deployed

__all__ = ["Proof", "Returned", "attested", "proof_script", "read_returned", "verify_deployed"]

__getattr__ = lazily(__name__)


@hookimpl
def scrutable_commands() -> list[Command]:
    """Certificates of what runs elsewhere."""
    return [
        Command(
            name="proof",
            path="scrutable_deployment.commands.proof:proof",
            summary="Write one query that proves the model in a database that we cannot reach.",
            order=165,
        ),
        Command(
            name="verify",
            path="scrutable_deployment.commands.verify:verify",
            summary="Run the model in a real engine, row by row beside the model itself, and certify what was seen.",
            order=170,
        ),
    ]
