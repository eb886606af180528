"""How C spells values, variables and tables: each variable is an array with an entry for each row of a block."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from scrutable.plugins import is_short_decimal
from scrutable_source_code.common.language import Branch, Kind, Language, Names, Statement, Table, Variable
from scrutable_source_code.common.spelling import plain
from scrutable_source_code.common.templates import source

#: The type of each kind of variable, and its bytes; a text is its place among all texts.
TYPES: dict[Kind, tuple[str, int]] = {
    "number": ("double", 8),
    "place": ("int32_t", 4),
    "truth": ("bool", 1),
    "text": ("int32_t", 4),
    "ranking": ("", 16),
}
#: Bytes of the variables of a block, which the stack and a processor's cache have to hold, and of those that every call
#: needs. Long columns begin at like places of pages, so that their parts of a block compete for the same few places of
#: the cache, and leave little of it.
_BYTES, _ALWAYS = 1 << 15, 1 << 13


@dataclass(frozen=True, slots=True)
class Lookup:
    """A column of texts, and the ladder in which each is looked up."""

    column: Variable
    names: Names


class C(Language):
    """The spelling of one file."""

    taken = frozenset(source("c", "taken.txt").split())
    #: Functions of C and POSIX, whose names are no names of functions.
    library = frozenset(source("c", "library.txt").split())
    macros = (
        "_[A-Z].*|[A-Z]+_ENDIAN|W(CONTINUED|EXITED|NOHANG|NOWAIT|STOPPED|UNTRACED)"
        "|(DBL|DECIMAL|EXIT|FLT|FP|HUGE|U?INT[A-Z0-9]*|LDBL|M|MATH|MB|PTRDIFF|RAND|SIG|SIZE|WCHAR|WINT)_.*"
        "|HUGE|EOF|BUFSIZ"
    )
    exp = "exp"
    by_steps = True
    looks_up_first = True

    def __init__(self, name: str = "score") -> None:
        macros = {f"{name.upper()}_{each}" for each in ("DECLARED", "DECLARATIONS", "RULES_SIZE")}
        self.taken = type(self).taken | macros
        self.texts: dict[str, int] = {}
        self.lookups: list[Lookup] = []

    def number(self, value: float) -> str:
        """A double; as a decimal where that is exact, else hexadecimal, which needs no rounding.

        >>> C().number(-0.5), C().number(0.1), C().number(-math.inf)
        ('-0.5', '0x1.999999999999ap-4', '-INFINITY')
        """
        if math.isinf(value):
            return "INFINITY" if value > 0 else "-INFINITY"
        return repr(value) if is_short_decimal(value) else value.hex()

    def text(self, text: str | None) -> str:
        """The place of a text among all that the file has; -1 for none."""
        return "-1" if text is None else str(self.texts.setdefault(text, len(self.texts)))

    def whole(self, number: str) -> str:
        """A cast."""
        return f"(int32_t)({number})"

    def nothing(self, kind: Kind) -> str:
        """What stands for nothing."""
        return {"number": "NAN", "text": "-1", "truth": "false"}.get(kind, "0")

    def order(self, text: str) -> tuple[int, bytes]:
        """By length and bytes."""
        encoded = text.encode()
        return len(encoded), encoded

    def read(self, variable: Variable) -> str:
        """The entry of a row; of a list the address of its first."""
        listed = variable.size and variable.kind != "ranking"
        name = variable.name if variable.is_column else f"s->{variable.name}"
        return f"&{name}[0][i]" if listed else f"{name}[i]"

    def item(self, variable: Variable, place: int) -> str:
        """The entry of a row in one array of a list."""
        return f"s->{variable.name}[{place}][i]"

    def ranked(self, variable: Variable, rank: int, what: Literal["codes", "shorts"]) -> str:
        """The entry of a row in one of the arrays of a ranking."""
        return f"s->{variable.name}.{what}[{rank}][i]"

    def table(self, table: Table) -> str:
        """The name."""
        return table.name

    def place_of_text(self, column: Variable, names: Names) -> str:
        """The place that was looked up before all statements."""
        lookup = Lookup(column, names)
        if lookup not in self.lookups:
            self.lookups.append(lookup)
        return f"s->places[{self.lookups.index(lookup)}][i]"

    def spelled(self, words: str, truths: Variable) -> str:
        """A call that writes the words, and gives their length."""
        slot = "results->rules + (start + i) * RULES_SIZE"
        return f"spelled({slot}, {words}, {self.read(truths)}, {truths.size})" if words else "0"

    def blocks(self, statement: Statement) -> tuple[str, ...]:
        """The group of results that is wanted, and branches in which any row of the block is."""
        wanted = (f"if (wants_{statement.wanted})",) if statement.wanted else ()
        return (*wanted, *(f"if ({self._any(branch)})" for branch in statement.scope))

    def assigned(self, statement: Statement) -> str:
        """A loop over the rows; where a choice is given, over those that are in its branch."""
        target, text = statement.target, statement.text
        if target.kind == "ranking":
            codes, shorts = (f"&s->{target.name}.{what}[0][0]" for what in ("codes", "shorts"))
            return f"ranked(n, {text.replace('[i]', '[0]')}, {codes}, {shorts}, {target.size});"
        name = self.read(target) if statement.place is None else self.item(target, statement.place)
        when = f"if ({self.holds(statement.scope[-1])}) " if statement.chosen else ""
        return f"ROWS {when}{name} = {text};"

    def _any(self, branch: Branch) -> str:
        variable, place = branch
        return f"any_{variable.kind}(s->{variable.name}, n, {place})"

    def declared(self, variable: Variable) -> str:
        """The line that declares a variable."""
        kind, _ = TYPES[variable.kind]
        if variable.kind == "ranking":
            size = f"[{variable.size}][BLOCK]"
            return f"struct {{ int64_t codes{size}; double shorts{size}; }} {variable.name};"
        return f"{kind} {variable.name}{f'[{variable.size}]' if variable.size else ''}[BLOCK];"

    def constant(self, text: str) -> str:
        r"""The bytes of a text in UTF-8, and their number.

        >>> print(C().constant('caf' + chr(233) + '??/'))
        {"caf\303\251\077\077/", 8}
        """
        encoded = text.encode()
        letters = (chr(byte) if byte < 128 and plain(chr(byte)) else f"\\{byte:03o}" for byte in encoded)
        return f'{{"{"".join(letters)}", {len(encoded)}}}'


def block_of(variables: Sequence[Variable], always: Collection[Variable], n_lookups: int) -> int:
    """The number of rows of a block: as many as its variables leave place for.

    Parameters
    ----------
    always : the variables that every call needs, whatever results are wanted.
    n_lookups : how many places of texts a row has.
    """
    looked_up = TYPES["place"][1] * n_lookups
    usual = looked_up + sum(map(_bytes_of, always))
    every = looked_up + sum(map(_bytes_of, variables))
    rows = min(_BYTES // max(every, 1), _ALWAYS // max(usual, 1))
    return int(2 ** min(max(math.floor(math.log2(max(rows, 1))), 3), 10))


def _bytes_of(variable: Variable) -> int:
    return TYPES[variable.kind][1] * max(variable.size, 1)
