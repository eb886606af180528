"""Which model is served, since when, and how another takes its place."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrutable.errors import ScrutableError

from scrutable_service.served import Served

LOG = logging.getLogger("scrutable_service")


class Service:
    """The model that answers now. Who answers a request takes `served` once and asks nothing else.

    Parameters
    ----------
    path : the model file, or a link to it. It is read now, and whenever `change` is called.

    Raises
    ------
    ScrutableError : the file holds no model that can be served.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.served = Served.read(path)
        self.failed: dict[str, str] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def change(self) -> None:
        """Read the file again, while the present model answers; where it cannot be served, the present one stays."""
        async with self._one_at_a_time:
            try:
                served = await asyncio.to_thread(Served.read, self.path)
            except Exception as error:  # whatever a file holds, the present model goes on
                reason = str(error) if isinstance(error, ScrutableError) else type(error).__name__
                self.failed = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "reason": reason}
                LOG.error("the model stays %s: %s", self.served.version, reason)
            else:
                self.served = served
                LOG.info("the model is now %s, fingerprint %s", served.version, served.fingerprint)

    def health(self) -> dict[str, Any]:
        """Which model answers, since when, and the last change that failed."""
        served = self.served
        model = {**served.identity, "kind": served.model.kind}
        since = served.since.isoformat(timespec="milliseconds")
        return {"status": "ok", "model": model, "since": since, "last_failed_change": self.failed}
