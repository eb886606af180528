"""A check: a plain function of a component, what it says, and how to mend what it finds."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, TypeVar

from scrutable.data.disclosure.smallest_count import told_from
from scrutable.plugins.component import KINDS, Component, Kind

if TYPE_CHECKING:
    from scrutable.testing.contract.subject import Subject

E = TypeVar("E", bound=Exception)
_NOTHING = object()
_LONGEST = 300
#: Entry points of further modules of checks: what uses a component may say what it relies on.
FURTHER = "scrutable.checks"
#: Modules of checks, in the order in which they run.
_MODULES = (
    "every_kind",
    "public",
    "declarations",
    "docstrings",
    "surroundings",
    "estimators.fits",
    "estimators.refusals",
    "estimators.values",
    "estimators.weights",
    "estimators.repeated",
    "estimators.relations",
    "estimators.orientation",
    "estimators.unusual_values",
    "estimators.digits",
    "estimators.steps",
    "estimators.large_inputs",
    "estimators.rows_of_the_fit",
    "estimators.options",
    "estimators.binner_options",
    "estimators.set_later",
    "estimators.given_objects",
    "estimators.each_option",
    "bare_names",
    "estimators.trends",
    "estimators.binners",
    "estimators.limits",
    "estimators.tables",
    "estimators.quantities",
    "estimators.scales",
    "estimators.binner_in_learner",
    "estimators.learners",
    "estimators.decisions_by_score",
    "estimators.bounds",
    "estimators.biting",
    "estimators.several_bounds",
    "estimators.alternatives",
    "estimators.every_alternative",
    "exporters.parity",
    "constraints.bounds_made",
    "constraints.payers",
    "constraints.bounds_by_hand",
    "constraints.group_sizes",
    "constraints.group_names",
    "constraints.class_labels",
    "explainers.batches",
    "explainers.contributions",
    "estimators.stated_reasons",
    "explainers.reasons",
    "explainers.influence",
    "explainers.routed",
    "explainers.counterfactuals",
    "explainers.answers",
    "explainers.single_row_references",
    "explainers.row_copies",
    "explainers.recoded",
    "explainers.wording",
    "exporters.exports",
    "exporters.files",
    "exporters.engines",
    "exporters.every_engine",
    "exporters.runs",
    "exporters.side_files",
    "exporters.crowds",
    "exporters.similar_names",
    "exporters.numerals",
    "exporters.fields",
    "determinism",
    "repeated_calls",
)


class Fault(AssertionError):  # noqa: N818 -- what pytest shows is its name
    """What a check found wrong.

    Parameters
    ----------
    what : one sentence that names the fault, without its full stop.
    got : what was found there.
    hint : how to mend it, where the hint of the check does not fit.

    Examples
    --------
    >>> print(Fault("fit changes X", got="column 'age'"))
    fit changes X; got column 'age'.
    """

    def __init__(self, what: str, *, got: object = _NOTHING, hint: str = "") -> None:
        self.what, self.hint = what, hint
        told = "" if got is _NOTHING else f"; got {_shorten(got if isinstance(got, str) else repr(got))}"
        super().__init__(f"{what}{told}".rstrip(".") + ".")


class NotApplicable(Exception):  # noqa: N818 -- it is no error
    """A check cannot be made here, and why: for example, no engine of an exporter is on this machine."""


class AsDeclared(Exception):  # noqa: N818 -- it is no error
    """What failed did so as the descriptor declares, and nothing else did; its text is what failed and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that a component of some kinds has to do.

    Parameters
    ----------
    name : of the function, with hyphens.
    kinds : what it is said of.
    applies : whether it is said of a component of these kinds, by its descriptor.
    says : one line: what holds of a component that passes.
    hint : how to mend one that does not.
    of_descriptor : whether it needs no class, and so can be made where what the component requires is not installed.
    decides : whether decisions hang on it, or a claim of the descriptor, which can be taken back: then a descriptor
        cannot declare that it fails.
    function : what `run` calls once it is known that the check can be made.
    """

    name: str
    kinds: tuple[Kind, ...]
    applies: Callable[[Component], bool]
    says: str
    hint: str
    of_descriptor: bool
    decides: bool
    function: Callable[[Subject], None]

    def excuse(self, component: Component) -> str | None:
        """The reason for which a component declares that it fails; None if it declares none, or may not."""
        return None if self.decides else component.known_failures.get(self.name)

    def run(self, subject: Subject) -> None:
        """Make the check. Its rows are nobody's, so that each counts by itself, however few are alike.

        Raises
        ------
        Fault : it found something wrong; or whatever the component's own code raises.
        NotApplicable : it says nothing of the component here.
        AsDeclared : what is wrong is declared.
        """
        absent = () if self.of_descriptor else subject.component.absent
        if absent:
            raise NotApplicable(f"what it requires is not installed: {', '.join(absent)}")
        with told_from(1):
            self.function(subject)


def _always(_: Component) -> bool:
    return True


def check(
    *kinds: Kind,
    hint: str,
    of: Callable[[Component], bool] = _always,
    of_descriptor: bool = False,
    decides: bool = False,
) -> Callable[[Callable[[Subject], None]], Check]:
    """Make a check of a function whose docstring says in one line what holds; of every kind where none is named.

    Parameters
    ----------
    of : which components of the kinds it is said of, by their descriptors.
    of_descriptor : whether it needs no class.
    decides : whether decisions, or a claim of the descriptor, hang on it, so that its failure cannot be declared.

    Examples
    --------
    >>> @check("binner", hint="give it one")
    ... def it_has_a_name(subject):
    ...     "It has a name."
    ...     require(subject.component.name, "it has no name")
    >>> it_has_a_name.name, it_has_a_name.says
    ('it-has-a-name', 'It has a name.')
    """

    def made(function: Callable[[Subject], None]) -> Check:
        says = (function.__doc__ or "").strip()
        name = function.__name__.replace("_", "-")
        return Check(
            name=name,
            kinds=kinds or KINDS,
            applies=of,
            says=says,
            hint=hint,
            of_descriptor=of_descriptor,
            decides=decides,
            function=function,
        )

    return made


#: A check on which decisions, or a claim of the descriptor, hang, so that its failure cannot be declared.
deciding = partial(check, decides=True)


def require(condition: object, fault: str, *, got: object = _NOTHING, hint: str = "") -> None:
    """Raise a `Fault` unless the condition holds."""
    if not condition:
        raise Fault(fault, got=got, hint=hint)


def said(error: BaseException) -> str:
    """An exception as a fault tells it.

    >>> said(ValueError("no"))
    'ValueError: no'
    """
    return f"{type(error).__name__}: {error}"


@contextmanager
def failing_as(fault: str, *but: type[Exception], hint: str = "") -> Iterator[None]:
    """Raise a `Fault` for whatever is raised within the block, but for faults and exceptions of these types."""
    try:
        yield
    except Exception as error:
        if isinstance(error, (Fault, *but)):
            raise
        raise Fault(fault, got=said(error), hint=hint) from error


def refused(act: Callable[..., object], by: type[E], otherwise: str, taken: str, *, got: object = _NOTHING) -> E:
    """The exception of a type that an act has to raise.

    Parameters
    ----------
    otherwise, taken : the faults, where it raises another one, and where it raises none.
    got : what it gave where it raised none.
    """
    with failing_as(otherwise, by):
        try:
            act()
        except by as error:
            return error
    raise Fault(taken, got=got)


def checks_of(kind: Kind) -> tuple[Check, ...]:
    """The checks of a kind, in the order in which they run.

    >>> checks_of("binner")[0].name
    'it-is-found'
    """
    ours = (f"{__package__}.{name}" for name in _MODULES)
    further = (point.value for point in sorted(metadata.entry_points(group=FURTHER)))
    modules = map(importlib.import_module, (*ours, *further))
    checks = (each for module in modules for each in vars(module).values() if isinstance(each, Check))
    return tuple(each for each in checks if kind in each.kinds)


def checks_for(component: Component) -> tuple[Check, ...]:
    """The checks of a component, in the order in which they run: those of its kind that apply to its descriptor."""
    return tuple(each for each in checks_of(component.kind) if each.applies(component))


def enforcing(*limits: str) -> Callable[[Component], bool]:
    """That a descriptor says it enforces one of these."""
    return lambda component: not set(limits).isdisjoint(component.enforces)


def runs(component: Component) -> bool:
    """That a descriptor names engines that the files of an exporter run on."""
    return bool(component.engines)


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
