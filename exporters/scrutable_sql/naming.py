"""What columns are called, and what is said of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from scrutable.model import Feature
from scrutable.model.program import (
    Bucket,
    Choice,
    Code,
    Column,
    Linear,
    Output,
    Points,
    Program,
    Ref,
    Sum,
    Text,
    Words,
    needed,
    size_of,
    sort_of,
    titles,
)
from scrutable_sql.dialects import Dialect
from scrutable_sql.quoting import comment, inner, inner_text

#: Names that always have a number.
_NUMBERED = ("holds", "place", "added_up", "part", "text")
#: Names that no feature has a part in, and that no engine takes for a word of its own.
_PLAIN = re.compile("(?!points_|attribute_|shortfall_)[a-z]+_[A-Za-z0-9_]+|score|probability|z")


@dataclass(slots=True)
class Naming:
    """Names of columns, each given once, and notes."""

    program: Program
    d: Dialect
    _outputs: dict[Ref, Output] = field(default_factory=dict)
    _segments: dict[Ref, int] = field(default_factory=dict)
    _words: dict[Ref, tuple[str, str]] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._outputs = _outputs(self.program)
        self._segments = _segments(self.program)
        for node in self.program.nodes:
            if isinstance(node, Words) and node.titles:
                self._words |= dict(zip(node.of, zip(node.words, node.titles, strict=True), strict=True))

    def of_node(self, ref: Ref) -> tuple[str, str]:
        """The quoted name of a node's column, and what it holds, in words."""
        stem, note = self._told(ref)
        return self.new(stem, ref), comment(note)

    def new(self, stem: str, ref: Ref) -> str:
        """A quoted name that no other column has, for something of the segment that a node belongs to."""
        prefix = f"segment_{self._segments[ref]}_" if ref in self._segments else ""
        first = inner_text(prefix + stem, self.d)
        if not self._is_possible(first):
            first = f"{prefix}place"
        count, text = 1, f"{first}_1" if first.endswith(_NUMBERED) else first
        while text.casefold() in self._taken:
            count += 1
            text = f"{first}_{count}"
        self._taken.add(text.casefold())
        return text if _PLAIN.fullmatch(text) else inner(text, self.d)

    def titles(self, place: Ref) -> tuple[str, ...]:
        """What is said of each place that a node can give, in comments; nothing of some."""
        return tuple(map(comment, titles(self.program, place)))

    def _told(self, ref: Ref) -> tuple[str, str]:
        """How a column's name begins, and its note."""
        if ref in self._words:
            word, title = self._words[ref]
            return f"rule_{word}", f"Rule {word}: {title}"
        if ref in self._outputs:
            return self._outputs[ref].name, self._outputs[ref].about
        size = size_of(self.program, ref) if sort_of(self.program, ref) in ("truth", "place") else 0
        match self.program[ref]:
            case Points(of) if feature := self._feature(of):
                return f"points_{feature.name}", f"what {feature.title} adds by itself"
            case Bucket() if size > 2 and (feature := self._feature(ref)):
                return f"attribute_{feature.name}", f"which attribute of {feature.title} it is, from 0"
            case Bucket(_, _, titles) if size == 2:
                return "holds", titles[1] if titles else ""
            case Text(of) if isinstance(code := self.program[of], Code):
                return f"ranked_{code.rank + 1}", ""
            case Linear():
                return "z", "the linear predictor of the probability"
            case Text() | Words():
                return "text", ""
        return ("holds" if size == 2 else "place" if size else "added_up"), ""

    def _feature(self, ref: Ref) -> Feature | None:
        """The feature that a bucket is of."""
        node = self.program[ref]
        column = self.program[node.of] if isinstance(node, Bucket) else node
        return next((each for each in self.program.features if column == Column(each.name, each.kind)), None)

    def _is_possible(self, text: str) -> bool:
        """Whether a name, with a number after it, is one that the dialect has."""
        length = len(text.encode() if self.d.name_bytes else text) + len("_999")
        too_long = self.d.max_name is not None and length > self.d.max_name
        return not too_long and not (self.d.forbidden and re.search(self.d.forbidden, text))


def _outputs(program: Program) -> dict[Ref, Output]:
    """By node, the output that it is, or that it is a part of."""
    named, segment = {output.of: output for output in reversed(program.outputs)}, _segment(program)
    for output in program.outputs:
        node = program[output.of]
        for place, part in enumerate(node.of if isinstance(node, Choice) else ()):
            if part is not None and isinstance(node, Choice) and node.by == segment:
                named.setdefault(part, output)
            elif part is not None and isinstance(program[part], Sum):
                named.setdefault(part, replace(output, name=f"{output.name}_of_{place}"))
    if segment is not None:
        named[segment] = Output("segment_number", segment, "the segment, from 0")
    return named


def _segment(program: Program) -> Ref | None:
    """The node that says which segment a row belongs to, where there are several."""
    told = next((program[output.of] for output in program.outputs if output.name == "segment"), None)
    return told.of if isinstance(told, Text) else None


def _segments(program: Program) -> dict[Ref, int]:
    """The number of the segment that a node is of, where that is one alone."""
    parts, segment = dict[int, set[Ref]](), _segment(program)
    for node in map(program.__getitem__, (output.of for output in program.outputs)):
        if isinstance(node, Choice) and node.by == segment:
            for number, part in enumerate(node.of, 1):
                parts.setdefault(number, set()).update(() if part is None else needed(program, [part]))
    if len(parts) < 2:
        return {}
    return {
        ref: number
        for number, own in parts.items()
        for ref in own
        if not any(ref in others for other, others in parts.items() if other != number)
    }
