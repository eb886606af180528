"""The exporter `reason-document`: every reason code of a model."""

from __future__ import annotations
