"""What a model takes and gives, as MLflow writes it down."""

from __future__ import annotations

import numpy as np
from mlflow.models import ModelSignature
from mlflow.types import ColSpec, DataType, Schema
from scrutable.model import Model, features_read
from scrutable.model.evaluator import evaluate, kind_of

_TYPES = {np.object_: DataType.string, np.int64: DataType.long, np.float64: DataType.double}


def signature_of(model: Model) -> ModelSignature:
    """The columns that a model reads, numbers as doubles, and those of `evaluate(model, X).frame()`.

    MLflow refuses whole numbers of 64 bits where doubles are asked for, which cannot hold them all: convert such
    columns with `astype(float)`.

    Examples
    --------
    >>> from scrutable.testing import card
    >>> signature_of(card()).inputs
    ['amount': double (required), 'job': string (required)]
    >>> signature_of(card()).outputs.input_names()[:3]
    ['score', 'probability', 'approved']
    """
    features = features_read(model)
    read = [ColSpec(DataType.double if each.kind == "numeric" else DataType.string, each.name) for each in features]
    given = evaluate(model, {each.name: [None] for each in features}).frame()
    kinds = [(name, kind_of(name)) for name in given]
    told = [ColSpec(_TYPES[kind], name, required=kind is not np.object_) for name, kind in kinds]
    return ModelSignature(inputs=Schema([*read]), outputs=Schema([*told]))
