"""The document as values."""

from __future__ import annotations

import json
from typing import Any

from scrutable.model import Model
from scrutable_documents.reason_document.exporter import ReasonDocument


def told(model: Model, **options: Any) -> dict[str, Any]:
    """The first part of the document as JSON."""
    text = ReasonDocument(format="json", **options).export(model).text
    part: dict[str, Any] = json.loads(text)["parts"][0]
    return part
