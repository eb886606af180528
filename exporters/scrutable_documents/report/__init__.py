"""The exporter `report`: a model's own document, with a calculator that runs the model in the page."""

from __future__ import annotations
