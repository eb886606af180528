"""Models on their way into MLflow."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import scrutable
from mlflow import pyfunc
from mlflow.models import Model as Saved
from mlflow.models import ModelSignature
from mlflow.models.model import ModelInfo
from scrutable.model import Model, fingerprint
from scrutable.writing import temporary_folder

from scrutable_mlflow.signature import signature_of

#: The name of the flavour, and of the tag and the entry of the metadata that hold the fingerprint.
FLAVOUR, TAG = "scrutable", "scrutable.fingerprint"
#: What is pinned to the versions that are here.
_PINNED = ("mlflow-skinny", "numpy", "pandas", "scrutable", "scrutable-mlflow")


def save_model(
    model: Model,
    path: str | Path,
    *,
    mlflow_model: Saved | None = None,
    signature: ModelSignature | None = None,
    input_example: Any = None,
    metadata: dict[str, Any] | None = None,
    **options: Any,
) -> None:
    """Write a model as a folder that MLflow loads.

    Parameters
    ----------
    path : a folder that is new or empty.
    mlflow_model : what the folder is described in; MLflow gives it.
    signature : by default `signature_of(model)`.
    input_example : rows for people to look at. They are stored with the model: make them up.
    metadata : further entries beside the fingerprint.
    options : those of `mlflow.pyfunc.save_model`; by default `pip_requirements` pins the versions that are here.

    Examples
    --------
    >>> from scrutable.testing import card
    >>> with temporary_folder() as folder:
    ...     save_model(card(), folder / "model")
    ...     (folder / "model" / "data" / "model.json").read_text() == scrutable.dumps(card())
    True
    """
    mlflow_model = Saved() if mlflow_model is None else mlflow_model
    told = {"fingerprint": fingerprint(model), "scrutable_version": version("scrutable")}
    mlflow_model.add_flavor(FLAVOUR, data="data/model.json", **told)
    if not {"conda_env", "pip_requirements"} & options.keys():
        options["pip_requirements"] = [f"{name}=={version(name)}" for name in _PINNED]
    with temporary_folder() as folder:
        scrutable.dump(model, folder / "model.json")
        pyfunc.save_model(
            str(path),
            loader_module="scrutable_mlflow",
            data_path=str(folder / "model.json"),
            mlflow_model=mlflow_model,
            signature=signature_of(model) if signature is None else signature,
            input_example=input_example,
            metadata={**(metadata or {}), TAG: fingerprint(model)},
            **options,
        )


def log_model(model: Model, name: str, *, tags: dict[str, Any] | None = None, **options: Any) -> ModelInfo:
    """Log a model to the tracking server, with its fingerprint as a tag.

    Parameters
    ----------
    name : what MLflow calls it.
    tags : further tags.
    options : those of `save_model` and of `mlflow.models.Model.log`, such as `registered_model_name`.

    Returns
    -------
    ModelInfo : its `model_uri` is what `load_model` and `mlflow.pyfunc.load_model` take.
    """
    import scrutable_mlflow

    tags = {**(tags or {}), TAG: fingerprint(model)}
    options |= {"name": name, "tags": tags, "model": model, "flavor_name": FLAVOUR}
    logged: ModelInfo = Saved.log(None, scrutable_mlflow, **options)
    return logged
