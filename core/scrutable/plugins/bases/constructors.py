"""The constructor of a component that is a scikit-learn estimator."""

from __future__ import annotations

import inspect
import re
import typing
from dataclasses import Field, make_dataclass
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T")

_KEYWORD = inspect.Parameter.KEYWORD_ONLY
#: How an annotation that nobody could resolve says that it is no option.
_OF_THE_CLASS = re.compile(r"(typing\.)?ClassVar\b")


@dataclass_transform(kw_only_default=True, eq_default=False)
def estimator(component: type[T]) -> type[T]:
    """Give a class a constructor that keeps its options: a keyword for each annotated attribute, and its base's.

    Scikit-learn reads options from the constructor's signature, so that each has to stand there. A class body states
    them as a dataclass does, its own first; those of the base class follow. What is private, or annotated as
    `ClassVar`, is none. The class is no dataclass: it is compared and shown as scikit-learn does it. A subclass with
    further options is decorated, too.

    Raises
    ------
    TypeError : the class or its base writes a constructor of its own, an option's default could be changed by one
        object for all, or a base's option has another value without an annotation.

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
    inherited = _inherited(component)
    options = {name: each for name, each in _own(component).items() if not _is_of_the_class(each.annotation)}
    for name in vars(component).keys() & inherited.keys() - options.keys():
        raise TypeError(f"{component.__name__}.{name} is an option of its base; state it with its annotation")
    options |= {name: each for name, each in inherited.items() if name not in options}
    fields = [
        (name, each.annotation) if each.default is each.empty else (name, each.annotation, each.default)
        for name, each in options.items()
    ]
    made: Any = make_dataclass(component.__name__, fields, kw_only=True)
    constructor = made.__init__
    constructor.__signature__ = inspect.signature(constructor)  # as it is written
    constructor.__annotations__ = {name: each.annotation for name, each in options.items()}
    constructor.__qualname__, constructor.__module__ = f"{component.__qualname__}.__init__", component.__module__
    constructor.of_options = options
    changed.__init__ = constructor
    return component


def _inherited(component: type) -> dict[str, inspect.Parameter]:
    """The options of the base, which `estimator` gave its constructor, or which has none."""
    known: Any = component
    constructor = known.__init__
    if constructor is object.__init__:
        return {}
    options: dict[str, inspect.Parameter] | None = getattr(constructor, "of_options", None)
    if options is None or "__init__" in vars(component):
        raise TypeError(f"{component.__name__}: {constructor.__qualname__} is written out, so write this one, too")
    return options


def _own(cls: type) -> dict[str, inspect.Parameter]:
    """The annotated public attributes of a class body as parameters."""
    own = {}
    for name in vars(cls).get("__annotations__", {}):
        if not name.startswith("_"):
            default = vars(cls).get(name, inspect.Parameter.empty)
            if isinstance(default, list | dict | set | Field):
                raise TypeError(f"{cls.__name__}.{name}: its default would be shared; let it be (), None or a value")
            own[name] = inspect.Parameter(name, _KEYWORD, default=default, annotation=_hint(cls, name))
    return own


def _hint(cls: type, name: str) -> Any:
    """An annotation as what it means; as it is written where its names are known to type checkers alone."""
    stated = vars(cls)["__annotations__"][name]
    alone = type(cls.__name__, (), {"__annotations__": {name: stated}, "__module__": cls.__module__})
    try:
        return typing.get_type_hints(alone, localns=dict(vars(cls)), include_extras=True)[name]
    except NameError:
        return stated


def _is_of_the_class(hint: Any) -> bool:
    if isinstance(hint, str):
        return _OF_THE_CLASS.match(hint) is not None
    return ClassVar in (hint, typing.get_origin(hint))
