"""The data dictionary: what the columns of a file are, what people call them, and what a model may do with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, get_args

from scrutable.data.config import FileConfig
from scrutable.data.frames.names import known_column
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.same_kind import rows_like
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.reading_values import coerce
from scrutable.writing.decoder import read_toml
from scrutable.writing.files import AnyPath
from scrutable.writing.toml import toml_key, toml_value

Role = Literal["feature", "outcome", "protected", "identifier", "weight", "date", "ignore"]
#: What may become of a feature, in the words of explainers that propose changes.
Change = Literal["any", "up", "down", "none"]
#: Roles that one column has at most.
SINGLE: tuple[Role, ...] = ("outcome", "identifier", "weight", "date")
_OF_CODES = ("codes", "texts", "translations")


@dataclass(frozen=True, kw_only=True)
class DictionaryColumn:
    """What a dictionary says of a column.

    Parameters
    ----------
    role : what it is to a model; `ignore` is no input.
    type : what its values are read as; by their looks if not given.
    label, unit : what people call it, and what its numbers count, as "months".
    favourable : of the outcome: the class that is good for the applicant.
    reference : of a protected attribute: the group that the others are compared with.
    cuts : of a protected attribute of numbers: where its groups begin, but the first.
    range : the least and the greatest value that it may have.
    change : of a feature: what an applicant can do about it; only "up" or "down" from the value there is, or "none".
    special : values that are no measurement, such as -9.
    codes : what its codes mean.
    code : the reason code that it has; several columns may share one.
    reason : the text of a reason, and `translations` by language.
    """

    role: Role = "feature"
    type: Literal["number", "text", "date"] | None = None
    label: str = ""
    unit: str = ""
    favourable: str | int | float | bool | None = None
    reference: str | None = None
    cuts: tuple[float, ...] = ()
    range: tuple[float, float] | None = None
    change: Change | None = None
    special: tuple[str | float, ...] = ()
    codes: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    reason: str = ""
    translations: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The label with the unit; nothing where it has no label.

        >>> DictionaryColumn(label="Duration", unit="months").title
        'Duration (months)'
        """
        return f"{self.label} ({self.unit})" if self.label and self.unit else self.label


@dataclass(frozen=True, kw_only=True)
class DataDictionary:
    """What is known of the columns of a file, by name; a TOML file, or a mapping of the same form.

    Parameters
    ----------
    columns : by name.
    file : how the file is written, where its looks do not tell.
    must, never : features that a model has to keep, and that it may not read nor give as a reason.
    reasons : options of a reason policy, as of the explainer that makes it: `k`, `texts` by code, `translations` by
        language and code, `codes` of interactions, `inquiries`, `near`, `population` ...

    Raises
    ------
    InputError : what no file can be read by; a role that two columns have and one may; a feature that must and must not
        be read, or has another role; a range, a class or a group where none belongs.

    Examples
    --------
    >>> said = {"columns": {"paid": {"role": "outcome"}, "age": {"label": "Age", "unit": "years"}}, "must": ["age"]}
    >>> dictionary = DataDictionary.of(said)
    >>> dictionary.having("outcome"), dictionary.labels
    (('paid',), {'age': 'Age (years)'})
    >>> DataDictionary.of({"columns": {"age": {"lable": "Age"}}})
    Traceback (most recent call last):
    ...
    scrutable.errors.InputError: data dictionary, option 'columns', 'age': ...got 'lable'; ... did you mean 'label'?...
    """

    columns: Mapping[str, DictionaryColumn] = field(default_factory=dict)
    file: FileConfig = field(default_factory=FileConfig)
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    reasons: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_file(self.file)
        for role in SINGLE:
            if len(having := self.having(role)) > 1:
                raise InputError(
                    f"two columns are the {role}", where="columns", got=having, fix=f"give one of them role {role!r}"
                )
        for name in self.must:
            if name in self.never:
                raise InputError("has to be kept and may not be read", where="must, never", got=name, fix="choose one")
        for where, names in (("must", self.must), ("never", self.never)):
            for name in names:
                self._check_feature(name, where)
        for name, column in self.columns.items():
            _check_column(name, column)
        _check_tables(self.reasons)

    @classmethod
    def read(cls, path: AnyPath) -> DataDictionary:
        """The dictionary in a TOML file.

        Raises
        ------
        InputError : no TOML, a key that is none, a value of another type; and as above.
        """
        return cls.of(read_toml(path), f"dictionary {str(path)!r}")

    @classmethod
    def of(cls, said: Mapping[str, Any], where: str = "data dictionary") -> DataDictionary:
        """The dictionary that a mapping holds; errors as above."""
        try:
            made: DataDictionary = coerce(said, cls, where)
        except InputError as error:
            if error.where is not None and not error.where.startswith(where):
                error.where = f"{where}, {error.where}"
            raise
        return made

    @classmethod
    def given(cls, said: Dictionary | None) -> DataDictionary | None:
        """The dictionary that an option gives in any form; None where none is given. Errors as above."""
        if said is None or isinstance(said, DataDictionary):
            return said
        return cls.of(said) if isinstance(said, Mapping) else cls.read(said)

    def having(self, *roles: Role) -> tuple[str, ...]:
        """The names of the columns of these roles."""
        return tuple(name for name, column in self.columns.items() if column.role in roles)

    @property
    def labels(self) -> dict[str, str]:
        """What people call columns, by name, where it is said."""
        return {name: column.title for name, column in self.columns.items() if column.title}

    @property
    def special_codes(self) -> dict[str, list[str | float]]:
        """Values that are no measurement, by feature."""
        return {name: list(each.special) for name, each in self.columns.items() if each.special}

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """The least and the greatest value that columns may have, by name, where it is said."""
        return {name: each.range for name, each in self.columns.items() if each.range is not None}

    @property
    def cuts(self) -> dict[str, tuple[float, ...]]:
        """Where protected attributes of numbers are cut into groups, by name, where it is said."""
        return {name: each.cuts for name, each in self.columns.items() if each.cuts}

    def check_columns(self, names: Iterable[str], where: str) -> None:
        """Refuse columns that a file lacks.

        Raises
        ------
        InputError : names the closest column of the file.
        """
        known = list(names)
        for name in self.columns:
            known_column(name, known, f"dictionary, {where}")

    def text(self, comment: str = "", notes: Mapping[str, str] = MappingProxyType({})) -> str:
        """The dictionary as TOML, which reads back as the same.

        Parameters
        ----------
        comment : what stands above it.
        notes : by column, comments that stand below what is said of it.

        >>> dictionary = DataDictionary.of({"columns": {"age": {"label": "Age"}}, "must": ["age"]})
        >>> print(dictionary.text("A first one."), end="")
        # A first one.
        must = ["age"]
        <BLANKLINE>
        [columns.age]
        role = "feature"
        label = "Age"
        """
        tops = [f"{name} = {toml_value(list(value))}" for name in ("must", "never") if (value := getattr(self, name))]
        parts = ["\n".join([*(f"# {line}" for line in comment.splitlines()), *tops])]
        if written := dict(_said(self.file)):
            parts += _tables("file", written)
        for name, column in self.columns.items():
            said = (f"{key} = {toml_value(value)}" for key, value in _said(column))
            noted = (f"# {line}" for line in notes.get(name, "").splitlines())
            parts.append("\n".join([f"[columns.{toml_key(name)}]", *said, *noted]))
        if self.reasons:
            parts += _tables("reasons", self.reasons)
        return "\n\n".join(part for part in parts if part) + "\n"

    def lines(self) -> Iterator[str]:
        """What roles columns have, a line for each role but that of features."""
        for role in get_args(Role):
            if role != "feature" and (names := self.having(role)):
                yield f"{role}: {', '.join(map(repr, names))}"
        yield f"feature: {len(self.having('feature'))} columns"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without what is not said."""
        columns = {name: dict(_said(column)) for name, column in self.columns.items()}
        lists = {"must": list(self.must), "never": list(self.never)}
        return {"columns": columns, "file": dict(_said(self.file)), **lists, "reasons": dict(self.reasons)}

    def frame(self) -> Any:
        """A row for each column with its role, type, label, unit, range and special codes, as a pandas frame."""
        shown = ("role", "type", "label", "unit", "range", "special")
        rows = (
            {"column": name, **{key: getattr(column, key) for key in shown}} for name, column in self.columns.items()
        )
        return rows_like(rows)

    def reason_options(self, features: Collection[str]) -> dict[str, Any]:
        """What it says of reasons, as options of the explainer that makes policies.

        Parameters
        ----------
        features : what the model reads; codes of other columns are passed over.

        Raises
        ------
        InputError : two texts for one code, or a reason without one.

        Examples
        --------
        >>> said = {"savings": {"code": "CASH", "reason": "Balances"}, "age": {"code": "A"}}
        >>> DataDictionary.of({"columns": said, "reasons": {"k": 2}}).reason_options(["savings"])
        {'k': 2, 'codes': {'savings': 'CASH'}, 'texts': {'CASH': 'Balances'}}
        """
        options = {name: value for name, value in self.reasons.items() if name not in _OF_CODES}
        codes, texts = (dict(self.reasons.get(name, {})) for name in ("codes", "texts"))
        translations = {name: dict(each) for name, each in self.reasons.get("translations", {}).items()}
        for name, column in self.columns.items():
            if not column.code and (column.reason or column.translations):
                fix = 'give the column a code, as in code = "R01"'
                raise InputError("a reason without a code", where=f"columns, {name!r}", fix=fix)
            if not column.code or name not in features:
                continue
            codes[name] = column.code
            spoken = [(texts, column.reason)] if column.reason else []
            spoken += [(translations.setdefault(key, {}), text) for key, text in column.translations.items()]
            for told, text in spoken:
                if told.setdefault(column.code, text) != text:
                    fix = "give it one of them"
                    raise InputError("a code has two texts", where=f"columns, {name!r}", got=column.code, fix=fix)
        barred = [name for name in self.never if name in features]
        never = {"never": barred} if barred else {}
        said = {"codes": codes, "texts": texts, "translations": translations}
        return options | never | {name: value for name, value in said.items() if value}

    def _check_feature(self, name: str, where: str) -> None:
        if name not in self.columns:
            allowed = did_you_mean(name, self.columns)
            raise InputError("no such column", where=where, got=name, allowed=allowed, fix="correct the name")
        if self.columns[name].role != "feature":
            role = self.columns[name].role
            raise InputError("a column of another role", where=where, got=name, fix=f"its role is {role!r}; keep one")


#: A dictionary, a mapping of the same form, or the path of a TOML file.
Dictionary = DataDictionary | Mapping[str, Any] | AnyPath


def _check_file(file: FileConfig) -> None:
    try:
        Reading.of(**vars(file))
    except InputError as error:
        error.where = f"file, {error.where}"
        raise


def _check_tables(reasons: Mapping[str, Any]) -> None:
    spoken = reasons.get("translations", {})
    tables = {name: reasons.get(name, {}) for name in _OF_CODES}
    if isinstance(spoken, Mapping):
        tables |= {f"translations, {language}": texts for language, texts in spoken.items()}
    for name, told in tables.items():
        if not isinstance(told, Mapping):
            fix = f"for example [reasons.{name.partition(',')[0]}]"
            raise InputError("not a table", where=f"reasons, {name}", got=told, allowed="a table", fix=fix)
        if name != "translations":
            coerce(told, Mapping[str, str], f"reasons, {name}")


def _check_column(name: str, column: DictionaryColumn) -> None:
    where = f"columns, {name!r}"
    if column.favourable is not None and column.role != "outcome":
        raise InputError("only the outcome has a favourable class", where=where, got=column.role, fix="leave it out")
    if column.reference is not None and column.role != "protected":
        raise InputError("only a protected attribute has a reference", where=where, got=column.role, fix="leave it out")
    if column.cuts and (column.role != "protected" or list(column.cuts) != sorted({*column.cuts})):
        fix = "leave them out" if column.role != "protected" else "for example cuts = [26, 40]"
        what = "only a protected attribute has cuts, at numbers that grow"
        raise InputError(what, where=where, got=list(column.cuts), fix=fix)
    if column.change is not None and column.role != "feature":
        raise InputError("only a feature may be said to change", where=where, got=column.role, fix="leave it out")
    if column.range is not None and not column.range[0] <= column.range[1]:
        raise InputError("not a range", where=f"{where}, range", got=list(column.range), fix="the least number first")


def _said(part: DictionaryColumn | FileConfig) -> Iterator[tuple[str, Any]]:
    """What is said of a column or of the file, but for what need not be."""
    for each in fields(part):
        value = getattr(part, each.name)
        if value not in (None, "", (), {}):
            yield each.name, value


def _tables(name: str, said: Mapping[str, Any]) -> list[str]:
    """A table of plain values, and one for each mapping below it."""
    plain = [f"{toml_key(key)} = {toml_value(value)}" for key, value in said.items() if not isinstance(value, Mapping)]
    tables = ["\n".join([f"[{name}]", *plain])] if plain else []
    for key, value in said.items():
        if isinstance(value, Mapping):
            tables += _tables(f"{name}.{toml_key(key)}", value)
    return tables
