"""Codes from version to version: each one's are kept in the registry, and a code once used keeps its meaning."""

from __future__ import annotations

import json
from typing import cast

from scrutable.errors import InputError, ModelError
from scrutable.model import DecisionModel, Model, fingerprint
from scrutable.model.segmented import UsedCodes, refuse_reused_codes
from scrutable.writing import from_json
from scrutable_deployment.history import History, registry_of
from scrutable_deployment.names import Named, spoken


def codes_text(model: Model) -> str:
    """What the registry keeps of a model's codes, as JSON.

    >>> from scrutable.testing.contract.examples.models import models_named
    >>> codes_text(models_named()["stumps"])[:9]
    '{"texts":'
    """
    return json.dumps(UsedCodes.of(cast(DecisionModel, model)).to_dict(), ensure_ascii=False)


def check_codes(model: Model, history: History, name: Named) -> None:
    """Refuse a model that gives a code another meaning than it had in a version that was read once.

    Raises
    ------
    InputError : the code, what it says here, what it said, and in which version.
    """
    own = fingerprint(model)
    for version in reversed(history.all_read):
        made = history.of(version)
        if made.codes is None or made.model_fingerprint == own:
            continue
        where = f"registry {spoken(registry_of(name))}, codes of version {version}"
        past = UsedCodes.read(from_json(made.codes, where), where)
        try:
            refuse_reused_codes(cast(DecisionModel, model), past)
        except ModelError as error:
            told = InputError(
                f"a code of version {version} says something else here, so that records and letters of it would be"
                " read otherwise",
                where=error.where,
                allowed=error.allowed,
                fix="give the model the codes that it had: scrutable reasons model.json --predecessor FILE, with the"
                f" file of version {version}, whose fingerprint is {made.model_fingerprint}",
            )
            told.got = error.got  # which is cut and quoted already
            raise told from error
