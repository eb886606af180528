"""A flavour of MLflow: models of Scrutable as their own JSON, never pickled, and checked by their fingerprints."""

from __future__ import annotations

from scrutable_mlflow.loading import _load_pyfunc, load_model
from scrutable_mlflow.saving import log_model, save_model
from scrutable_mlflow.signature import signature_of

__all__ = ["_load_pyfunc", "load_model", "log_model", "save_model", "signature_of"]
