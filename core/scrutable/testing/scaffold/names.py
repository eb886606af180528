"""What a new plugin is called: its component, package, class and author, checked so that none of them becomes code."""

from __future__ import annotations

import importlib.util
import keyword
import re
from dataclasses import dataclass

from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.component import KINDS, NAME_PATTERN, Kind
from scrutable.plugins.registry import Registry

#: Names and authors up to this long fit into lines of 120 characters wherever the templates put them.
LONGEST_NAME = 30
LONGEST_AUTHOR = 80

#: What the class of a component of each kind is called after its own words.
_SUFFIX: dict[Kind, str] = {
    "binner": "Binner",
    "learner": "Classifier",
    "constraint": "Constraint",
    "explainer": "Explainer",
    "exporter": "Exporter",
}
#: Words that every plugin could have for a name.
_GENERIC = {
    *KINDS,
    *(f"{kind}s" for kind in KINDS),
    *("scrutable", "plugin", "plugins", "component", "components", "core", "base", "test", "tests", "example"),
}
#: What is said where no usable name is near.
_ANOTHER = "choose for example 'csv-table'"
#: Base classes, by which no class of a plugin can be called.
_BASES = ("Binner", "Learner", "FairnessConstraint", "Explainer", "Exporter")


@dataclass(frozen=True, slots=True)
class Names:
    """A component's kind and name, and what everything else is called after it.

    Raises
    ------
    InputError : an unknown kind; a name that is no words of lower-case letters and digits with hyphens between, is too
        long, is a keyword of Python or says nothing ("learner"), or makes a class that is called as a base class.

    Examples
    --------
    >>> names = Names("exporter", "csv-table")
    >>> names.distribution, names.package, names.cls
    ('scrutable-csv-table', 'scrutable_csv_table', 'CsvTableExporter')
    """

    kind: Kind
    name: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            fix = did_you_mean(self.kind, KINDS)
            raise InputError("unknown kind of plugin", where="kind", got=self.kind, allowed=", ".join(KINDS), fix=fix)
        _check_name(self.kind, self.name)
        if self.cls in _BASES:
            what = f"the class would be called as its base, {self.cls}"
            raise InputError(what, where="name", got=self.name, fix=_longer(self.name))
        words = self.name.split("-")
        if set(words) <= _GENERIC or words[0] == "scrutable":
            what = "the name does not say what the plugin does"
            fix = "name the method or the format, for example 'naive-bayes' or 'csv-table'"
            raise InputError(what, where="name", got=self.name, fix=fix)

    @property
    def distribution(self) -> str:
        """What pip installs: the name after `scrutable-`."""
        return f"scrutable-{self.name}"

    @property
    def package(self) -> str:
        """What Python imports: the name after `scrutable_`, with underscores."""
        return f"scrutable_{self.module}"

    @property
    def module(self) -> str:
        """The name with underscores."""
        return self.name.replace("-", "_")

    @property
    def camel(self) -> str:
        """The name's words with capital first letters."""
        return "".join(word.capitalize() for word in self.name.split("-"))

    @property
    def cls(self) -> str:
        """The class of the component."""
        return self.camel.removesuffix(_SUFFIX[self.kind]) + _SUFFIX[self.kind]

    def refuse_taken(self, known: Registry) -> None:
        """Refuse a name that a component, a plugin or a package here has already.

        Raises
        ------
        InputError : says whose it is.
        """
        owners = [
            f"the {listing.component.kind} {listing.component.name!r} of the plugin {listing.plugin!r}"
            for listing in known.listings()
            if self.name in (listing.component.name, listing.plugin)
        ]
        owners += [f"the plugin {each.plugin!r}, which failed" for each in known.failures if each.plugin == self.name]
        if not owners and importlib.util.find_spec(self.package) is not None:
            owners = [f"the package {self.package}"]
        if owners:
            fix = "choose another name, or add what you miss to what has it"
            raise InputError(f"the name is taken by {owners[0]}", where="name", got=self.name, fix=fix)


def check_author(author: str) -> str:
    """An author, as a line of text.

    Raises
    ------
    InputError : it is empty, too long, or has a character that cannot be printed in a line.

    Examples
    --------
    >>> check_author(' Jane "JD" Doe ')
    'Jane "JD" Doe'
    """
    text = author.strip()
    if not text or len(text) > LONGEST_AUTHOR or not text.isprintable():
        allowed = f"a line of 1 to {LONGEST_AUTHOR} printable characters"
        raise InputError("unusable author", where="author", got=author, allowed=allowed, fix="give a name")
    return text


def _check_name(kind: Kind, name: str) -> None:
    if not NAME_PATTERN.fullmatch(name) or len(name) > LONGEST_NAME:
        allowed = f"words of a-z and 0-9 with hyphens between, at most {LONGEST_NAME} characters"
        raise InputError("unusable name", where="name", got=name, allowed=allowed, fix=_near(kind, name))
    if keyword.iskeyword(name):
        raise InputError("the name is a keyword of Python", where="name", got=name, fix=_longer(name))


def _longer(name: str) -> str:
    return f"add a word to it, for example 'my-{name}'"


def _near(kind: Kind, name: str) -> str:
    """A name that could have been meant, if it can be used."""
    near = re.sub("[^a-z0-9]+", "-", re.sub("(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()).strip("-")
    if near == name:
        return _ANOTHER
    try:
        Names(kind, near)
    except InputError:
        return _ANOTHER
    return f"did you mean {near!r}?"
