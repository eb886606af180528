"""Checks of explainers: one explanation an applicant, of the decision that the model takes."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Model, dumps
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.check import Fault, check, failing_as, refused, require, said
from scrutable.testing.contract.examples.models import (
    applicants_of,
    hostile_models,
    models_accepted,
    models_named,
    models_refused,
    random_models_accepted,
)
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import (
    PRODUCTS,
    explained,
    has_score,
    random_explained,
    reference_for,
    said_of,
    scores_of,
    takes_reference,
)
from scrutable.testing.contract.results import results, results_of
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed, changed_state, state_of

#: Rows that are explained together, and how many of them alone.
_BATCH, _ALONE = 40, 4
#: Rows with one decision that cannot all be explained alike, and rows of a reference.
_SEVERAL, _REFERENCE = 6, 40
#: The word that an explanation begins with, by its decision.
_DECISIONS = {True: "approved", False: "declined"}
_ACCEPTS = "name in accepts of the Component the kinds of model that it takes, and those only"


@check("explainer", hint="make it a frozen dataclass of its options")
def its_options_cannot_change(subject: Subject) -> None:
    """It is immutable: an option cannot be set once it is made."""
    made = subject.make()
    for option in subject.parameters:
        try:
            setattr(made, option, None)
        except AttributeError:
            continue
        raise Fault("an option can be changed after it is made", got=option)


@check("explainer", hint=_ACCEPTS)
def it_accepts_kinds_that_there_are(subject: Subject) -> None:
    """What its descriptor accepts are kinds of model, one at least."""
    unknown = sorted(set(subject.component.accepts) - set(models_named()))
    require(subject.component.accepts, "accepts names no kind of model")
    require(not unknown, f"accepts names kinds that there are not; there are {', '.join(models_named())}", got=unknown)


@check("explainer", hint=f"name in produces of the Component what explanations hold: {', '.join(PRODUCTS)}")
def what_it_produces_is_known(subject: Subject) -> None:
    """What its descriptor produces are kinds of explanations that checks know of, one at least."""
    unknown = sorted(set(subject.component.produces) - set(PRODUCTS))
    require(subject.component.produces, "produces names no kind of explanation, so no check looks at its values")
    require(not unknown, f"produces names what no check knows of; there are {', '.join(PRODUCTS)}", got=unknown)


@check("explainer", hint="read score, cutoff, probability and decision off scrutable.evaluate and the model")
def explanations_repeat_the_evaluation(subject: Subject) -> None:
    """What an explanation calls score, probability, cutoff, knock-out or segment is what the model says of the row."""
    for name, model, rows, explanations in random_explained(subject):
        says = evaluate(model, rows, reasons=False)
        for row, each in enumerate(explanations):
            for what in ("approved", "score", "probability", "knock_out", "segment"):
                given, values = getattr(each, what, None), getattr(says, what, None)
                same = given is None or values is None or given == values[row]
                require(same, f"{what} in the explanation of row {row} of a random {name} is another", got=given)
            cutoff = getattr(each, "cutoff", None)
            same = cutoff is None or cutoff == getattr(model, "cutoff", cutoff)
            require(same, f"an explanation of a random {name} names another cutoff", got=cutoff)


@check("explainer", hint="explain by the values of the row and by the model, in words too")
def explanations_tell_applicants_apart(subject: Subject) -> None:
    """Applicants with other values, and with the same decision, are not all explained alike, in words neither."""
    for name, _, _, explanations in random_explained(subject):
        for decision in {each.approved for each in explanations}:
            those = [each for each in explanations if each.approved == decision]
            if len(those) < _SEVERAL:
                continue
            fault = f"{len(those)} applicants of a random {name} are explained alike"
            require(len({said_of(each) for each in those}) > 1, fault, got=said_of(those[0]))
            require(len({each.describe() for each in those}) > 1, f"{fault} in words", got=those[0].describe())


@check("explainer", hint="compare with the reference, or refuse it: InputError with where='reference'")
def a_reference_that_is_given_counts(subject: Subject) -> None:
    """Compared with low scores and with high ones, something is explained otherwise; or a reference is refused."""
    if not takes_reference(subject):
        return
    for model in random_models_accepted(subject).values():
        rows = drawn_rows(model)
        order = np.argsort(scores_of(model, rows), kind="stable") if has_score(model) else np.arange(len(rows))
        low, high = (
            explained(subject, model, rows.iloc[:_BATCH], rows.iloc[places], refused=(UnsupportedModel, InputError))
            for places in (order[:_REFERENCE], order[-_REFERENCE:])
        )
        if low is not None and high is not None and [*map(said_of, low)] != [*map(said_of, high)]:
            return
    raise Fault("the reference that it is given changes nothing in any random model")


@check("explainer", hint="explain rows one by one in their order, missing, special and unseen values among them")
def every_row_is_explained(subject: Subject) -> None:
    """Each row of a model that it accepts gets an explanation, in order, of the decision that the model takes."""
    for name, model in models_accepted(subject).items():
        rows = applicants_of(model)
        for frame in (rows, rows.iloc[::-1]):
            given = _explained(subject, name, model, frame)
            require(len(given) == len(frame), f"{len(frame)} rows of a {name} get {len(given)} explanations")
            approved = getattr(evaluate(model, frame), "approved", None)
            for row, each in enumerate(given):
                require(hasattr(each, "approved"), "an explanation has no `approved`", got=each)
                right = each.approved == approved[row] if approved is not None else True
                require(right, f"the explanation of row {row} of a {name} is of another decision", got=each.approved)


@check(
    "explainer", hint="explain each row from its own values, the model and the reference; number rows in `row` at most"
)
def rows_are_explained_by_themselves(subject: Subject) -> None:
    """A row gets the same explanation in a batch, in the batch reversed, and alone."""
    for name, model in models_accepted(subject).items():
        rows = applicants_of(model).iloc[:_BATCH]
        whole = _told(subject, name, model, rows)
        turned = _told(subject, name, model, rows.iloc[::-1])[::-1]
        alone = [told for row in range(_ALONE) for told in _told(subject, name, model, rows.iloc[[row]])]
        for row, told in enumerate(whole):
            require(
                turned[row] == told, f"row {row} of a {name} is explained otherwise in another order", got=turned[row]
            )
            same = row >= _ALONE or alone[row] == told
            require(same, f"row {row} of a {name} is explained otherwise alone", got=alone[row % _ALONE])


@check("explainer", hint="raise scrutable.errors.InputError with where='reference' where the method needs one")
def a_reference_is_asked_for_or_not_needed(subject: Subject) -> None:
    """Without a reference it explains, or an InputError names what it lacks."""
    for name, model in models_accepted(subject).items():
        rows = applicants_of(model, 0).iloc[:_ALONE]
        try:
            with failing_as(f"without a reference, a {name} is refused by no InputError", InputError):
                count = len(subject.make().explain(model, rows))
        except InputError as error:
            require("reference" in str(error), "the error for a missing reference does not name it", got=str(error))
        else:
            require(count == len(rows), f"without a reference, {len(rows)} rows of a {name} get {count} explanations")


@check("explainer", hint="give explanations `describe()`, lines of text, and `to_dict()`, plain values without NaN")
def explanations_can_be_shown(subject: Subject) -> None:
    """Each explanation describes itself, the decision being its first word, and as values that JSON holds."""
    for name, model in models_accepted(subject).items():
        for each in _explained(subject, name, model, applicants_of(model)):
            words = each.describe()
            require(isinstance(words, str), f"describe of an explanation of a {name} gives no text", got=words)
            require(words.strip(), f"an explanation of a {name} describes nothing", got=words)
            decision = _DECISIONS.get(each.approved)
            begins = decision is None or words.lower().startswith(decision)
            require(begins, f"an explanation of a decision that is {decision} does not begin so", got=words)
            with failing_as(f"to_dict of an explanation of a {name} is nothing that JSON holds"):
                json.dumps(each.to_dict(), allow_nan=False)


@check("explainer", hint="seed every draw from an option, and sort what comes out of sets")
def explaining_is_deterministic(subject: Subject) -> None:
    """Asked twice it says the same."""
    first, second = results_of(subject), results(subject)
    for what, text in first.items():
        require(second[what] == text, f"asked twice, {what} differ, so it is not deterministic")


@check("explainer", hint="copy what you change")
def explaining_leaves_all_as_it_was(subject: Subject) -> None:
    """It changes neither the rows, nor the reference, nor the model, nor itself."""
    for name, model in models_accepted(subject).items():
        rows, reference, before = applicants_of(model), applicants_of(model), applicants_of(model)
        made, text = subject.make(), dumps(model)
        state = state_of(made)
        made.explain(model, rows, reference=reference if takes_reference(subject) else None)
        for what, frame in (("rows", rows), ("reference", reference)):
            change = changed(before, frame)
            require(not change, f"explaining a {name} changes the {what}", got=change)
        require(dumps(model) == text, f"explaining changes a {name}")
        change = changed_state(state, state_of(made))
        require(not change, "explaining changes the explainer itself", got=change)


@check("explainer", hint=f"raise scrutable.errors.UnsupportedModel with what and why; {_ACCEPTS}")
def other_models_are_refused(subject: Subject) -> None:
    """Models of kinds that it does not accept are refused by UnsupportedModel."""
    for name, model in models_refused(subject).items():
        rows = applicants_of(model)
        ask = partial(subject.make().explain, model, rows, reference=reference_for(subject, model))
        other = f"a {name}, which it does not accept, is refused by no UnsupportedModel"
        refused(ask, UnsupportedModel, other, f"a {name} is explained, which its descriptor does not accept")


@check("explainer", hint="take names and words as texts: format, escape or quote nothing by them")
def words_may_hold_anything(subject: Subject) -> None:
    """Names of columns, categories and labels may hold quotes, markup and line breaks."""
    for name, model in hostile_models(subject).items():
        for each in _explained(subject, name, model, applicants_of(model, 0)):
            each.describe()
            each.to_dict()


def _explained(subject: Subject, name: str, model: Model, rows: Any) -> list[Any]:
    try:
        given = subject.make().explain(model, rows, reference=reference_for(subject, model))
    except UnsupportedModel as error:
        raise Fault(f"it accepts a {name}, and does not explain this one", got=said(error), hint=_ACCEPTS) from error
    require(isinstance(given, list), "explain returns no list of explanations", got=given, hint="return the list")
    return list(given)


def _told(subject: Subject, name: str, model: Model, rows: Any) -> list[str]:
    """The explanation of each row as text, without where the row is."""
    return [said_of(each) for each in _explained(subject, name, model, rows)]
