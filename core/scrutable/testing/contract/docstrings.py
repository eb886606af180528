"""Checks of what a class says of itself, since the command line and the docs show it."""

from __future__ import annotations

import inspect

from scrutable.plugins.docstrings import about, meanings
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.subject import Subject


@check(hint="write a docstring in the class: a first sentence that says what it does")
def its_docstring_says_what_it_does(subject: Subject) -> None:
    """Its class has a docstring of its own that begins with a sentence."""
    loaded = subject.load()
    said = (vars(loaded).get("__doc__") or "").strip()
    made = said.startswith(f"{loaded.__name__}(")  # by dataclass, of a class without one
    require(said and not made, f"{loaded.__name__} has no docstring")
    first = about(loaded)[0] if about(loaded) else ""
    require(
        first.rstrip().endswith((".", ":")), f"the docstring of {loaded.__name__} begins with no sentence", got=first
    )


@check(hint="list it under Parameters in the docstring, as in `bins : how many there are at most.`")
def every_option_is_documented(subject: Subject) -> None:
    """Every option of its constructor is under Parameters in its docstring, or in that of a base."""
    loaded = subject.load()
    said = meanings(loaded)
    missing = [name for name in inspect.signature(loaded).parameters if not said.get(name)]
    require(not missing, f"options of {loaded.__name__} that its docstring does not explain", got=", ".join(missing))


@check(hint="name the paper, standard or book in the Component: reference='...', or in a section References")
def it_names_a_reference(subject: Subject) -> None:
    """The method it follows is named, in its descriptor or in its docstring."""
    said = inspect.cleandoc(subject.load().__doc__ or "")
    require(subject.component.reference.strip() or "\nReferences\n---" in said, "no reference says what it follows")
