"""What the columns of data are by a data dictionary; what is stated comes first, and what that overrules is told."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from scrutable.data.config import DataConfig, FileConfig
from scrutable.data.frames.same_kind import as_pandas
from scrutable.data.reading import place_of, read_names
from scrutable.errors import InputError
from scrutable.plugins.choices import Choice
from scrutable.plugins.data_dictionary import DataDictionary, DictionaryColumn, Role

#: Parts of a `DataConfig` that name one column, by the role of that column.
_SINGLE: Mapping[Role, str] = {"outcome": "target", "identifier": "id", "weight": "weight", "date": "date"}
_NAMED = (*_SINGLE.values(), "accepted")
#: All parts that a dictionary says, or that say which columns have a role already.
_PARTS = (
    *(*_NAMED, "favourable", "protected", "protected_probabilities", "drop", "reference", "text", "numbers", "labels"),
    *("ranges", "special", "cuts"),
)
_NOTHING: tuple[Any, ...] = (None, "", (), {})
F = TypeVar("F", bound=FileConfig)


def config_by_dictionary(dictionary: DataDictionary, data: Any, **stated: Any) -> DataConfig:
    """What the columns of data are: what is stated, and else what a dictionary says of them.

    Parameters
    ----------
    data : a path, which the config then has, or a frame.
    stated : parameters of `DataConfig`; protected attributes and columns left out are added to the dictionary's.

    Raises
    ------
    InputError : a column of the dictionary that the data lack; nothing says which column is the outcome.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> said = {"credit_risk": {"role": "outcome", "favourable": "good"}, "sex": {"role": "protected"}}
    >>> known = DataDictionary.of({"columns": {**said, "age": {"role": "ignore"}}})
    >>> config = config_by_dictionary(known, load_german_credit().frame, drop=("housing",))
    >>> config.target, config.favourable, config.protected, config.drop
    ('credit_risk', 'good', ('sex',), ('housing', 'age'))
    """
    is_path = isinstance(data, str | os.PathLike)
    config, _ = file_by_dictionary(
        dictionary, DataConfig(**{"target": "", **stated, "path": str(data) if is_path else None})
    )
    names = read_names(data, config) if is_path else list(map(str, as_pandas(data).columns))
    dictionary.check_columns(names, place_of(data))
    said = {part: value if (value := getattr(config, part)) not in _NOTHING else None for part in _PARTS}
    parts, _ = completed(said, dictionary, names, place_of(data))
    if parts["target"] is None:
        fix = 'give target=, or a column of the dictionary role = "outcome"'
        raise InputError("nothing says which column is the outcome", where="target", fix=fix)
    return replace(config, **{part: value for part, value in parts.items() if value is not None})


def file_by_dictionary(dictionary: DataDictionary, told: F) -> tuple[F, tuple[str, ...]]:
    """How a file is read: as is told, else as a dictionary says; and in a line each what that is, and does not hold.

    Texts that stand where nothing is known are those of both.

    >>> from scrutable.data.config import ReadingConfig
    >>> known = DataDictionary.of({"file": {"sheet": "Loans", "decimal": ",", "missing": ["?"]}})
    >>> told, lines = file_by_dictionary(known, ReadingConfig(sheet="New"))
    >>> told.sheet, told.decimal, told.missing
    ('New', ',', ('?',))
    >>> for line in lines:
    ...     print(line)
    --sheet says 'New', and the dictionary 'Loans'; the option holds
    files are read as the dictionary says: decimal ',', missing '?'
    """
    taken: dict[str, Any] = {}
    lines = []
    for name in (each.name for each in fields(FileConfig)):
        stated, said = getattr(told, name), getattr(dictionary.file, name)
        if said in _NOTHING or said == stated:
            continue
        if isinstance(said, tuple):
            taken[name] = tuple(dict.fromkeys((*stated, *said)))
        elif stated is None:
            taken[name] = said
        else:
            lines.append(f"--{name} says {stated!r}, and the dictionary {said!r}; the option holds")
    if taken:
        held = (f"{name} {', '.join(map(repr, v)) if isinstance(v, tuple) else repr(v)}" for name, v in taken.items())
        lines.append(f"files are read as the dictionary says: {', '.join(held)}")
    return replace(told, **taken), tuple(lines)


def special_codes_for(config: DataConfig, dictionary: DataDictionary) -> dict[str, list[str | float]]:
    """Values that are no measurement, by input."""
    return {name: codes for name, codes in dictionary.special_codes.items() if name not in config.aside}


def selector_keeping(selector: str, must: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """A selector, its name alone or with options, that keeps what a dictionary says, and what of that does not hold.

    >>> selector_keeping("iv:floor=0.1", ["age"])
    ('iv:floor=0.1,must=["age"]', ())
    """
    if not must:
        return selector, ()
    if "must" in Choice.parse(selector, "select").all_options:
        return selector, ("the selector is given a list must, which holds; the dictionary's is passed over",)
    return f"{selector}{',' if '=' in selector else ':'}must={json.dumps(list(must))}", ()


def dictionary_by_config(
    config: DataConfig, inputs: Iterable[str], dictionary: DataDictionary | None = None
) -> DataDictionary:
    """What a config says of columns as a data dictionary, with all else that a dictionary says of them.

    Parameters
    ----------
    config : its roles hold before those of the dictionary.
    inputs : the columns that are features.

    Examples
    --------
    >>> config = DataConfig(target="paid", favourable="yes", id="loan", numbers=("rate",))
    >>> known = DataDictionary.of({"columns": {"rate": {"label": "Rate"}}})
    >>> made = dictionary_by_config(config, ["rate"], known)
    >>> made.having("outcome", "identifier"), made.columns["rate"].type, made.labels
    (('paid', 'loan'), 'number', {'rate': 'Rate'})
    """
    known = dictionary or DataDictionary()
    roles: dict[str, Role] = {
        **{name: role for role, part in _SINGLE.items() if (name := getattr(config, part)) is not None},
        **dict.fromkeys(config.protected, "protected"),
        **dict.fromkeys((name for name in config.drop if name not in known.never), "ignore"),
        **dict.fromkeys(inputs, "feature"),
    }
    columns = {**known.columns, **{name: DictionaryColumn() for name in roles if name not in known.columns}}
    for name, role in roles.items():
        columns[name] = replace(
            columns[name],
            role=role,
            type="text" if name in config.text else "number" if name in config.numbers else columns[name].type,
            favourable=config.favourable if role == "outcome" else None,
            reference=config.reference.get(name) if role == "protected" else None,
            change=columns[name].change if role == "feature" else None,
        )
    must, never = ([name for name in names if columns[name].role == "feature"] for names in (known.must, known.never))
    return replace(known, columns=columns, must=tuple(must), never=tuple(never))


def completed(
    stated: Mapping[str, Any], dictionary: DataDictionary, names: Collection[str], where: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Parts of a `DataConfig` with what a dictionary says of them, and what of it does not hold.

    A column that the dictionary gives a role which another column is stated to have is left out, since it is no input;
    so are features that may never be read. Protected attributes and columns left out are added to.

    Parameters
    ----------
    stated : the parts that are asked for, by name; None or empty where nothing is stated.
    names : the columns that the data have; no other gets a role.
    where : how the data are called.

    Examples
    --------
    >>> known = DataDictionary.of({"columns": {"paid": {"role": "outcome"}, "w": {"role": "weight"}}})
    >>> completed({"target": None, "weight": "share"}, known, ["paid", "w", "share"], "data")[0]
    {'target': 'paid', 'weight': 'share'}
    """
    made = _Completing({part: value for part, value in stated.items() if value not in _NOTHING}, dictionary, names)
    parts: dict[str, Any] = {part: stated[part] for part in stated}
    parts |= {part: value for part, value in made.parts().items() if part in stated and value not in _NOTHING}
    return parts, tuple(made.told(stated, where))


class _Completing:
    def __init__(self, stated: Mapping[str, Any], dictionary: DataDictionary, names: Collection[str]) -> None:
        self._stated, self._dictionary, self._names = stated, dictionary, names
        self._attributes = {*stated.get("protected", ()), *stated.get("protected_probabilities", {})}
        self._dropped = set(stated.get("drop", ()))
        single = {stated[part] for part in _NAMED if part in stated}
        self._spoken = single | self._attributes | self._dropped

    def parts(self) -> dict[str, Any]:
        """Every part that the dictionary says, with what is stated of it."""
        stated, columns = self._stated, self._dictionary.columns
        single = {part: name for role, part in _SINGLE.items() for name in self._free(role)[:1]} | {
            part: stated[part] for part in _NAMED if part in stated
        }
        favourable = columns[single["target"]].favourable if single.get("target") in columns else None
        protected = self._free("protected")
        groups = {name: columns[name].reference for name in protected}
        typed = {*stated.get("text", ()), *stated.get("numbers", ())}
        of_type = {
            kind: [name for name, each in columns.items() if each.type == kind and name not in typed]
            for kind in ("text", "number")
        }
        return {
            **single,
            "favourable": stated.get("favourable", favourable),
            "protected": (*stated.get("protected", ()), *protected),
            "drop": (*stated.get("drop", ()), *self._aside()),
            "reference": {name: group for name, group in groups.items() if group is not None}
            | dict(stated.get("reference", {})),
            "text": (*stated.get("text", ()), *of_type["text"]),
            "numbers": (*stated.get("numbers", ()), *of_type["number"]),
            "labels": {**self._dictionary.labels, **stated.get("labels", {})},
            "ranges": {**self._dictionary.ranges, **stated.get("ranges", {})},
            "special": {**self._dictionary.special_codes, **stated.get("special", {})},
            "cuts": {**self._dictionary.cuts, **stated.get("cuts", {})},
        }

    def told(self, asked: Collection[str], where: str) -> Iterator[str]:
        """What is stated otherwise than the dictionary says it, and columns that are not there, in a line each."""
        for role, part in _SINGLE.items():
            for name in self._dictionary.having(role) if part in asked else ():
                if self._stated.get(part, name) != name:
                    yield f"--{part} says {self._stated[part]!r}, and the dictionary {name!r}; the option holds"
                elif name not in self._names:
                    yield f"{where} has no column {name!r}, which is the {role} by the dictionary; it is passed over"
        for name in self._dictionary.having("protected") if "protected" in asked else ():
            if name not in self._names and name not in self._spoken:
                yield f"{where} has no column {name!r}, which is protected by the dictionary; it is passed over"
        for name, column in self._dictionary.columns.items():
            if name in self._spoken and not self._agree(name, column.role):
                yield (
                    f"the options give column {name!r} another role than the dictionary, {column.role!r}; the options "
                    "hold"
                )

    def _free(self, role: Role) -> list[str]:
        """Columns of a role that are there and have no other by what is stated."""
        return [name for name in self._dictionary.having(role) if name in self._names and name not in self._spoken]

    def _aside(self) -> Iterator[str]:
        """Columns that are no input though they have no role in the run."""
        ignored = [*self._dictionary.having("ignore"), *self._dictionary.never]
        overruled = [
            name
            for role, part in _SINGLE.items()
            if part in self._stated
            for name in self._dictionary.having(role)
            if self._stated[part] != name
        ]
        return (name for name in (*ignored, *overruled) if name not in self._spoken)

    def _agree(self, name: str, role: Role) -> bool:
        """Whether what is stated of a column is what the dictionary says, or the opposite is told already."""
        if role in _SINGLE:
            return _SINGLE[role] in self._stated or name in self._dropped
        return {"protected": name in self._attributes, "ignore": name in self._dropped}.get(role, name in self._dropped)
