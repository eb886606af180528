"""The constructor of a component that is a scikit-learn estimator."""

from __future__ import annotations

import inspect
import typing
from dataclasses import make_dataclass
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, eq_default=False)
def estimator(component: type[T]) -> type[T]:
    """Give a class a constructor that keeps its options: a keyword for each annotated attribute, and its base's.

    Scikit-learn reads options from the constructor's signature, so that each has to stand there. A class body states
    them as a dataclass does, its own first; those of the base class follow. What is private, or annotated as
    `ClassVar`, is none. The class is no dataclass: it is compared and shown as scikit-learn does it.

    Examples
    --------
    >>> from scrutable.plugins.bases import Binner
    >>> @estimator
    ... class Halves(Binner):
    ...     share: float = 0.5
    >>> Halves(share=0.25, encoding="index")
    Halves(encoding='index', share=0.25)
    >>> list(inspect.signature(Halves).parameters)[:3]
    ['share', 'trends', 'cuts']
    """
    changed: Any = component
    inherited = typing.get_type_hints(changed.__init__, include_extras=True)
    hints = inherited | typing.get_type_hints(component, include_extras=True)
    options = {name: each for name, each in _own(component).items() if typing.get_origin(hints[name]) is not ClassVar}
    options |= {name: each for name, each in inspect.signature(component).parameters.items() if name not in options}
    fields = [
        (name, each.annotation) if each.default is each.empty else (name, each.annotation, each.default)
        for name, each in options.items()
    ]
    made: Any = make_dataclass(component.__name__, fields, kw_only=True)
    constructor = made.__init__
    constructor.__signature__ = inspect.signature(constructor)  # as it is written
    constructor.__annotations__ = {name: hints[name] for name in options}  # whatever reads them knows other modules
    constructor.__qualname__, constructor.__module__ = f"{component.__qualname__}.__init__", component.__module__
    changed.__init__ = constructor
    return component


def _own(cls: type) -> dict[str, inspect.Parameter]:
    """The annotated public attributes of a class body as parameters."""
    empty, keyword = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
    return {
        name: inspect.Parameter(name, keyword, default=vars(cls).get(name, empty), annotation=hint)
        for name, hint in vars(cls).get("__annotations__", {}).items()
        if not name.startswith("_")
    }
