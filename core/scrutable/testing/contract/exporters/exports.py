"""Checks of exporters: what files they write, of which models."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath, PureWindowsPath

from scrutable.errors import UnsupportedModel
from scrutable.model import Evidence, Model, dumps, fingerprint
from scrutable.plugins.bases import Export
from scrutable.testing.contract.check import check, failing_as, refused, require
from scrutable.testing.contract.examples.models import hostile_models, models_accepted, models_named, models_refused
from scrutable.testing.contract.results import results, results_of
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed_state, state_of

_ACCEPTS = "name in accepts of the Component the kinds of model that it takes, and those only"


@check("exporter", hint=_ACCEPTS)
def it_exports_kinds_that_there_are(subject: Subject) -> None:
    """What its descriptor accepts are kinds of model, one at least."""
    unknown = sorted(set(subject.component.accepts) - set(models_named()))
    require(subject.component.accepts, "accepts names no kind of model")
    require(not unknown, f"accepts names kinds that there are not; there are {', '.join(models_named())}", got=unknown)


@check("exporter", hint="return Export(model=model, files={name: text or bytes}), the main file first")
def models_it_accepts_are_exported(subject: Subject) -> None:
    """A model of each kind that it accepts becomes an Export of files that are not empty, with or without evidence."""
    for name, model in models_accepted(subject).items():
        for evidence in (None, Evidence(model_sha256=fingerprint(model))):
            export = _exported(subject, name, model, evidence)
            require(isinstance(export, Export), f"export of a {name} gives no Export", got=export)
            require(export.model == model, f"the Export of a {name} holds another model", got=export.model)
            require(export.files, f"the Export of a {name} has no file")
            for file, content in export.files.items():
                require(
                    isinstance(content, str | bytes), f"the file {file!r} is neither text nor bytes", got=type(content)
                )
                require(content, f"the file {file!r} of a {name} is empty")


@check("exporter", hint="name files by relative paths with slashes, without .. and control characters")
def files_have_safe_names(subject: Subject) -> None:
    """Files are named so that they stay in the folder they are written to, and can be written."""
    for name, model in models_accepted(subject).items():
        export = _exported(subject, name, model)
        for file in export.files:
            posix, windows = PurePosixPath(file), PureWindowsPath(file)
            safe = not (posix.is_absolute() or windows.anchor or ".." in windows.parts or "\\" in file)
            require(
                file and safe and file.isprintable(), "a file's name leads out of its folder or is unusable", got=file
            )
        with tempfile.TemporaryDirectory() as folder:
            written = export.write(folder)
        require(len(written) == len(export.files), "files of one name overwrite one another", got=list(export.files))


@check("exporter", hint="write no time, no path and nothing in the order of a set")
def exporting_is_deterministic(subject: Subject) -> None:
    """The same model gives the same bytes."""
    first, second = results_of(subject), results(subject)
    for what, digest in first.items():
        require(second.get(what) == digest, f"exported twice, {what} differs, so it is not deterministic")


@check("exporter", hint="keep no state, and change nothing of the model or its parts")
def exporting_leaves_all_as_it_was(subject: Subject) -> None:
    """It changes neither the model nor itself."""
    for name, model in models_accepted(subject).items():
        made, text = subject.make(), dumps(model)
        before = state_of(made)
        made.export(model)
        require(dumps(model) == text, f"exporting changes a {name}")
        change = changed_state(before, state_of(made))
        require(not change, "exporting leaves something behind in the exporter", got=change)


@check("exporter", hint=f"raise scrutable.errors.UnsupportedModel with what and why; {_ACCEPTS}")
def models_of_other_kinds_are_refused(subject: Subject) -> None:
    """Models of kinds that it does not accept are refused by UnsupportedModel, which says what and why."""
    for name, model in models_refused(subject).items():
        other = f"a {name}, which it does not accept, is refused by no UnsupportedModel"
        taken = f"a {name} is exported, which its descriptor does not accept"
        error = refused(partial(subject.make().export, model), UnsupportedModel, other, taken)
        why = error.got or error.allowed or error.fix or error.where
        require(why, f"the error for a {name} does not say what it is about", got=str(error))


@check("exporter", hint="quote or escape every text for the language of the file, or refuse it by UnsupportedModel")
def labels_and_categories_may_hold_anything(subject: Subject) -> None:
    """Labels, reasons and categories with quotes, markup, formulas and line breaks are exported or refused as such."""
    _exported_or_refused(hostile_models(subject, names=False), subject)


@check("exporter", hint="quote or escape every name for the language of the file, or refuse it by UnsupportedModel")
def names_of_columns_may_hold_anything(subject: Subject) -> None:
    """Columns whose names hold quotes and operators are exported or refused as such."""
    _exported_or_refused(hostile_models(subject, words=False), subject)


def _exported_or_refused(models: dict[str, Model], subject: Subject) -> None:
    for name, model in models.items():
        fault = f"a {name} with hostile texts is neither exported nor refused by UnsupportedModel"
        with suppress(UnsupportedModel), failing_as(fault, UnsupportedModel):
            subject.make().export(model)


def _exported(subject: Subject, name: str, model: Model, evidence: Evidence | None = None) -> Export:
    with failing_as(f"it accepts a {name}, and does not export this one", hint=_ACCEPTS):
        export: Export = subject.make().export(model, evidence=evidence)
    return export
