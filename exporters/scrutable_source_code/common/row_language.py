"""What languages have in common whose functions take one row, and whose texts are of UTF-16: Java and JavaScript."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Literal

from scrutable_source_code.common.language import Kind, Language, Names, Statement, Variable
from scrutable_source_code.common.spelling import plain


class RowLanguage(Language):
    """Spells doubles as decimals, texts in quotes, and statements about the one row that there is."""

    #: The doubles that no decimal is.
    infinities: ClassVar[Mapping[float, str]]
    #: What is no number.
    nan: str

    @abstractmethod
    def read(self, variable: Variable) -> str:
        """What a variable is called; of a list, or a ranking, as a whole."""

    def number(self, value: float) -> str:
        """A double; the shortest decimal that is read back as the same bits."""
        return self.infinities.get(value) or repr(value)

    def text(self, text: str | None) -> str:
        """A text in quotes, or null; what is none of plain ASCII is escaped."""
        if text is None:
            return "null"
        return f'"{"".join(each if plain(each) else self.escaped(each) for each in text)}"'

    def escaped(self, letter: str) -> str:
        """A letter by its code units."""
        units = letter.encode("utf-16-be")
        return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))

    def nothing(self, kind: Kind) -> str:
        """What stands for nothing."""
        return {"number": self.nan, "text": "null", "truth": "false"}.get(kind, "0")

    def order(self, text: str) -> tuple[int, bytes]:
        """By code units, as the language compares texts."""
        return 0, text.encode("utf-16-be")

    def item(self, variable: Variable, place: int) -> str:
        """An entry of an array."""
        return f"{self.read(variable)}[{place}]"

    def ranked(self, variable: Variable, rank: int, what: Literal["codes", "shorts"]) -> str:
        """An entry of one of the two arrays of a ranking."""
        return f"{self.read(variable)}.{what}[{rank}]"

    def place_of_text(self, column: Variable, names: Names) -> str:
        """A search by halves."""
        x = self.read(column)
        return f"place_of_text({names.names}, {names.places}, {names.size}, {x}, {names.other}, {names.missing})"

    def spelled(self, words: str, truths: Variable) -> str:
        """A call; the empty text where there are no words."""
        return f"spelled({words}, {self.read(truths)}, {truths.size})" if words else '""'

    def blocks(self, statement: Statement) -> tuple[str, ...]:
        """The branches, as they are asked for."""
        return tuple(f"if ({self.holds(branch)})" for branch in statement.scope)

    def assigned(self, statement: Statement) -> str:
        """What a variable is given."""
        target, text = statement.target, statement.text
        if target.kind == "ranking":
            text = f"ranked({text}, {target.size})"
        name = self.read(target) if statement.place is None else self.item(target, statement.place)
        return f"{name} = {text};"
