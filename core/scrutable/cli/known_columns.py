"""What a data dictionary says of the columns that a command reads: one option, which fills in others."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

from scrutable.cli.help_panels import DATA
from scrutable.cli.option_groups import Command, with_groups, with_parameters
from scrutable.cli.output import note
from scrutable.cli.protected_options import CUTS_FORM, check_cuts, parse_cuts, parse_probabilities, parse_references
from scrutable.cli.reading import reads_files, telling, told
from scrutable.data.config import ReadingConfig
from scrutable.errors import InputError

if TYPE_CHECKING:
    from scrutable.data import DataConfig
    from scrutable.model import DecisionModel, RegressionScorecard
    from scrutable.plugins.choices import Choice
    from scrutable.plugins.data_dictionary import DataDictionary

M = TypeVar("M", bound="DecisionModel | RegressionScorecard")

_NAME = "dictionary"
_DICTIONARY: ContextVar[Any] = ContextVar(_NAME, default=None)
Dictionary = Annotated[
    Path | None,
    DATA.option(
        metavar="FILE.toml",
        help="Data dictionary: how files are written, roles, labels, ranges, codes; `scrutable dictionary` writes a "
        "first. Options hold before it.",
    ),
]
_CUTS = "group_cuts"
GroupCuts = Annotated[
    list[str] | None,
    DATA.option(
        metavar=CUTS_FORM,
        help="Where a protected attribute of numbers is cut into groups: age=26,40 makes '< 26', '26 to 39' and "
        "'>= 40'. At its quartiles if not given. Repeatable.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Part:
    """Beside a parameter's type: the part of a `DataConfig` that it is, which a dictionary fills in.

    Parameters
    ----------
    name : of the part.
    when : another parameter, without which it is not filled in.
    """

    name: str
    when: str = ""


class _Applicants:
    """Beside a parameter's type: the file whose columns have the roles."""


APPLICANTS = _Applicants()


def reads_data(command: Command) -> Command:
    """A command with the options of reading, and with `--dictionary` where it reads applicants.

    The dictionary gives each parameter that is a `Part` what is not said of it, where all files of `APPLICANTS` have
    the column; what a required one is may come from it. Commands that learn have columns left out, and read each as
    the dictionary says; the others tell of values outside the allowed ranges. `known()` is the dictionary itself.
    """
    grouped = with_groups(command)
    own = inspect.signature(grouped, eval_str=True)
    marks = {name: get_args(each.annotation)[1:] for name, each in own.parameters.items()}
    parts = {name: mark for name, each in marks.items() for mark in each if isinstance(mark, Part)}
    files = [name for name, each in marks.items() if APPLICANTS in each]
    if _NAME in own.parameters or not files:
        return reads_files(grouped)
    grouping = [name for name, part in parts.items() if part.name == "protected"]
    required = [name for name in parts if own.parameters[name].default is inspect.Parameter.empty]

    @functools.wraps(grouped)
    def with_dictionary(**given: Any) -> None:
        path, cuts = given.pop(_NAME), parse_cuts(given.pop(_CUTS, None))
        dictionary, reading = None, replace(told(), cuts=cuts)
        if path is not None:
            from scrutable.plugins.data_dictionary import DataDictionary

            dictionary = DataDictionary.read(path)
            paths = [given[name] for name in files if given[name] is not None and given[name].suffix != ".toml"]
            if paths:
                filled, reading = _filled(dictionary, given, parts, paths, reading)
                given |= filled
        check_cuts(cuts, [name for each in grouping for name in given[each] or ()])
        for name in required:
            if given[name] is None:
                raise missing_column(name, command.__name__)
        token = _DICTIONARY.set(dictionary)
        try:
            with telling(reading):
                grouped(**given)
        finally:
            _DICTIONARY.reset(token)

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [each.replace(default=None) if each.name in required else each for each in own.parameters.values()]
    options = {_NAME: Dictionary} | ({_CUTS: GroupCuts} if grouping else {})
    further = [inspect.Parameter(name, keyword, default=None, annotation=hint) for name, hint in options.items()]
    reading: Command = reads_files(with_parameters(with_dictionary, own, [*parameters, *further]))
    return reading


def known() -> DataDictionary | None:
    """The data dictionary that the running command is given, if any."""
    dictionary: DataDictionary | None = _DICTIONARY.get()
    return dictionary


def in_known_words(model: M) -> M:
    """The model in the words of the dictionary, where one is given and the model has none of its own."""
    dictionary = known()
    if dictionary is None:
        return model
    from scrutable.plugins.dictionary_words import in_words_of

    return in_words_of(model, dictionary)


def with_special_codes(binner: Choice, config: DataConfig) -> Choice:
    """The binner with the special codes of the dictionary, where it takes some and none are given."""
    from scrutable import registry
    from scrutable.plugins.dictionary_roles import special_codes_for

    dictionary = known()
    codes = {} if dictionary is None else special_codes_for(config, dictionary)
    if not codes or "special_codes" in binner.all_options:
        return binner
    if "special_codes" not in inspect.signature(registry().load("binner", binner.name)).parameters:
        note(f"binner {binner.name!r} takes no special_codes; the dictionary's are passed over")
        return binner
    return replace(binner, options={**binner.options, "special_codes": codes})


def with_must(selector: str, config: DataConfig) -> str:
    """The selector, its name alone or with options, that keeps the inputs which the dictionary says must stay."""
    from scrutable.plugins.dictionary_roles import selector_keeping

    dictionary = known()
    must = [] if dictionary is None else [name for name in dictionary.must if name not in config.aside]
    keeping, passed_over = selector_keeping(selector, must)
    for line in passed_over:
        note(line)
    return keeping


def missing_column(name: str, command: str) -> InputError:
    """What says that neither an option nor a dictionary names the outcome."""
    return InputError(
        "an option is missing",
        where=f"scrutable {command}",
        allowed=f"--{name}: the column of the outcome",
        fix=f'give --{name}, or a column of the dictionary role = "outcome"',
    )


def _filled(
    dictionary: DataDictionary,
    given: Mapping[str, Any],
    parts: Mapping[str, Part],
    paths: list[Path],
    reading: ReadingConfig,
) -> tuple[dict[str, Any], ReadingConfig]:
    """Options with what a dictionary says, and how files are read then that were to be read in a way."""
    from scrutable.plugins.dictionary_roles import completed, file_by_dictionary

    reading, of_file = file_by_dictionary(dictionary, reading)
    for line in of_file:
        note(line)
    names, where = _columns_of(paths, reading)
    learns = any(part.name == "drop" for part in parts.values())
    if learns:
        dictionary.check_columns(names, where)
    of_reading = ("cuts", *(("text", "numbers") if learns else ("ranges", "special")))
    stated = {part.name: _READ.get(part.name, _same)(given[name]) for name, part in parts.items()}
    said, lines = completed(stated | {part: getattr(reading, part) for part in of_reading}, dictionary, names, where)
    for line in lines:
        note(line)
    options: dict[str, Any] = {}
    for name, part in parts.items():
        if part.name in _WRITTEN and (not part.when or {**given, **options}[part.when]):
            options[name] = _WRITTEN[part.name](said[part.name])
    return options, replace(reading, **{part: said[part] for part in of_reading})


def _columns_of(paths: list[Path], reading: ReadingConfig) -> tuple[list[str], str]:
    """The columns that all files have, and how errors name the files."""
    from scrutable.data.reading import place_of, read_names

    first, *others = [read_names(path, reading) for path in paths]
    common = set(first).intersection(*others)
    return [name for name in first if name in common], " and ".join(map(place_of, paths))


def _same(value: Any) -> Any:
    return value


def _pairs(groups: Mapping[str, str]) -> list[str]:
    return [f"{attribute}={group}" for attribute, group in groups.items()]


#: What options with a form of their own say, and how options are written that a dictionary fills in.
_READ: Mapping[str, Callable[[Any], Any]] = {
    "protected_probabilities": parse_probabilities,
    "reference": parse_references,
}
_WRITTEN: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("target", "favourable", "id", "weight", "date", "protected", "drop"), _same),
    "reference": _pairs,
}
