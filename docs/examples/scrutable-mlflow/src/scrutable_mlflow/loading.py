"""Models on their way out of MLflow, if they are those that were saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import scrutable
from mlflow.artifacts import download_artifacts
from mlflow.models import Model as Saved
from scrutable.errors import ModelError
from scrutable.model import Model, fingerprint
from scrutable.model.evaluator import evaluate

from scrutable_mlflow.saving import FLAVOUR


def load_model(model_uri: str, dst_path: str | None = None) -> Model:
    """A model of Scrutable as it was logged or saved.

    Parameters
    ----------
    model_uri : as in `mlflow.pyfunc.load_model`: a folder, `runs:/...`, `models:/...`.
    dst_path : a folder to download to.

    Raises
    ------
    ModelError : the file is no model of Scrutable, or another one than was saved.

    Examples
    --------
    >>> from scrutable.testing import card
    >>> from scrutable.writing import temporary_folder
    >>> from scrutable_mlflow import save_model
    >>> with temporary_folder() as folder:
    ...     save_model(card(), folder / "model")
    ...     load_model(str(folder / "model")) == card()
    True
    """
    return _read(Path(download_artifacts(artifact_uri=model_uri, dst_path=dst_path)))


class _Predicting:
    """What `mlflow.pyfunc` asks for predictions."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def get_raw_model(self) -> Model:
        """The model itself."""
        return self.model

    def predict(self, X: Any, params: dict[str, Any] | None = None) -> pd.DataFrame:
        """The columns of `evaluate(model, X).frame()`, with the index of X."""
        return pd.DataFrame(dict(evaluate(self.model, X).frame()), index=getattr(X, "index", None))


def _load_pyfunc(path: str) -> _Predicting:
    """What `mlflow.pyfunc.load_model` calls with the model's file."""
    return _Predicting(_read(Path(path).parents[1]))


def _read(folder: Path) -> Model:
    told = Saved.load(str(folder / "MLmodel")).flavors.get(FLAVOUR)
    if told is None:
        fix = "load it by the flavour that wrote it"
        raise ModelError("no model of Scrutable", where=f"{folder.name}/MLmodel", allowed=FLAVOUR, fix=fix)
    model = scrutable.load(folder / told["data"])
    if fingerprint(model) != told["fingerprint"]:
        raise ModelError(
            "another model than was saved",
            where=told["data"],
            got=fingerprint(model),
            allowed=told["fingerprint"],
            fix="take the folder as it was written, or log the model anew",
        )
    return model
