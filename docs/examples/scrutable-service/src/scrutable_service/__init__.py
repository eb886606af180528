"""A model of Scrutable behind HTTP, by FastAPI: scores, decisions and reasons."""

from __future__ import annotations

from scrutable_service.app import create_app
from scrutable_service.reading import RefusedError
from scrutable_service.served import Served
from scrutable_service.service import Service

__all__ = ["RefusedError", "Served", "Service", "create_app"]
