"""What is watched of applicants: in which band, attribute, cell and segment each is, and why they are declined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrutable.model.contents import features_read
from scrutable.model.program.ladders import Ladder, simplest
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.lowering.unusual import unusual
from scrutable.model.program.nodes import AtLeast, Bucket, Choice, First, Points, Ref, Sum, Test, Text, Words
from scrutable.model.program.program import UNSEEN_IN, Builder, Output
from scrutable.model.segments import DecisionModel, SegmentedModel, SingleModel

#: How the names begin that say of one feature whether its value is missing.
MISSING_IN = "missing_in_"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPart:
    """What is told apart in a model, or in the model of a segment, besides its attributes and rules.

    Parameters
    ----------
    cuts : rising scores between bands.
    declined_anyway : whether those whom a knock-out or an override declines are in a last band of their own.
    cells : by feature, the ladder that tells its cells apart.
    """

    cuts: tuple[float, ...]
    declined_anyway: bool
    cells: Mapping[str, Ladder]


def watching(
    model: DecisionModel,
    parts: Sequence[WatchedPart],
    codes: Mapping[str | None, int],
    builder: Builder,
    lower: Callable[[DecisionModel, Builder], list[Output]],
) -> list[Output]:
    """The outputs of `watched`.

    Parameters
    ----------
    codes : the number of each reason code, and that of none.
    lower : writes down a model, or that of a segment.
    """
    whole = {output.name: output.of for output in lower(model, builder)}
    segment = _place_of(whole.get("segment"), builder)
    models = [each.model for each in model.segments] if isinstance(model, SegmentedModel) else [model]
    outputs = [Output("approved", whole["approved"], "whether the row is approved")]
    outputs += [] if segment is None else [Output("segment", segment, "the segment, from 0")]
    for number, (single, part) in enumerate(zip(models, parts, strict=True)):
        nothing: list[Ref | None] = [None] * len(models)
        for (what, *of_what), ref in _part(single, part, builder, lower).items():
            within = (*nothing[:number], ref, *nothing[number + 1 :])
            own = ref if segment is None else builder.add(Choice(segment, within))
            outputs.append(Output("_".join([what, str(number), *of_what]), own))
    for name, ref in whole.items():
        if name.startswith("reason_"):
            numbered = _numbered(ref, codes, segment, builder)
            outputs.append(Output(name, builder.add(Choice(whole["approved"], (numbered, None)))))
    asking = Asking.of(builder, model.features)
    outputs += [each for each in unusual(model, asking) if each.name.startswith(UNSEEN_IN)]
    return [*outputs, *_missing(model, asking)]


def _part(
    model: SingleModel, part: WatchedPart, builder: Builder, lower: Callable[[DecisionModel, Builder], list[Output]]
) -> dict[tuple[str, ...], Ref]:
    """Where a row stands in one model: in what, and of which characteristic, feature or rule."""
    said = {output.name: output.of for output in lower(model, builder)}
    asking = Asking.of(builder, model.features)
    told: dict[tuple[str, ...], Ref] = {("band",): _band(said, part, asking)}
    told |= {tuple(name.split("_", 1)): ref for name, ref in said.items() if name.startswith("attribute_")}
    told |= {("cell", name): asking.add(Bucket(asking.column(name), ladder)) for name, ladder in part.cells.items()}
    return told | {("rule", str(number)): ref for number, ref in enumerate(_rules(said.get("rules"), asking))}


def _band(said: Mapping[str, Ref], part: WatchedPart, asking: Asking) -> Ref:
    """The number of the score's band: from 0, and the last one of those declined anyway."""
    reached = [asking.add(AtLeast(said["score"], cut)) for cut in reversed(part.cuts)]
    numbers = [float(number) for number in range(len(part.cuts), -1, -1)]
    if part.declined_anyway:
        reached.insert(0, _declined_anyway(said, asking))
        numbers.insert(0, float(len(part.cuts) + 1))
    return asking.add(Points(asking.add(First(tuple(reached))), tuple(numbers)))


def _declined_anyway(said: Mapping[str, Ref], asking: Asking) -> Ref:
    """Whether a knock-out or an override declines, whatever the score."""
    knocked_out = _is_told(said["knock_out"], asking)
    if "override" not in said:
        return knocked_out
    overridden = asking.every([_is_told(said["override"], asking), asking.negated(said["approved"])])
    return asking.add(Test(asking.add(First((knocked_out, overridden))), (0, 1)))


def _is_told(text: Ref, asking: Asking) -> Ref:
    """Whether a row has a text."""
    node = asking.builder.nodes[text]
    assert isinstance(node, Text), "codes of rules are a table's"
    return asking.add(Test(node.of, tuple(place for place, each in enumerate(node.texts) if each is not None)))


def _rules(words: Ref | None, asking: Asking) -> Iterator[Ref]:
    """Whether each rule of a rule set applies, and at last whether its fallback does; of other models nothing."""
    if words is None:
        return
    chosen = asking.builder.nodes[words]
    assert isinstance(chosen, Choice), "rules, or the fallback where none applies"
    _, among = chosen.of
    spelled = None if among is None else asking.builder.nodes[among]
    assert isinstance(spelled, Words)
    yield from spelled.of
    yield asking.negated(chosen.by)


def _place_of(text: Ref | None, builder: Builder) -> Ref | None:
    """The place that a text is of."""
    node = None if text is None else builder.nodes[text]
    return node.of if isinstance(node, Text) else None


def _numbered(text: Ref, codes: Mapping[str | None, int], segment: Ref | None, builder: Builder) -> Ref:
    """The number of a reason's code; nothing in segments whose model gives no reasons."""
    node = builder.nodes[text]
    if isinstance(node, Text):
        return builder.add(Points(node.of, tuple(float(codes[code]) for code in node.texts)))
    assert isinstance(node, Choice), "reasons are texts, or chosen among texts"
    none = None if node.by == segment else builder.add(Sum(float(codes[None])))
    each = (none if of is None else _numbered(of, codes, segment, builder) for of in node.of)
    return builder.add(Choice(node.by, tuple(each)))


def _missing(model: DecisionModel, asking: Asking) -> Iterator[Output]:
    for feature in features_read(model):
        ladder = simplest(feature.kind, 2, [(float("-inf"), 0)], {}, 1)
        yield Output(f"{MISSING_IN}{feature.name}", asking.add(Bucket(asking.column(feature.name), ladder)))
