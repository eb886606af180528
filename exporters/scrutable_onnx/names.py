"""What the nodes of a program are called in a graph."""

from __future__ import annotations

from scrutable.model.program import (
    AtLeast,
    Choice,
    First,
    Largest,
    Program,
    Ref,
    Share,
    Test,
    Text,
    Words,
    sort_of,
    titles,
)


def names_of(program: Program) -> dict[Ref, str]:
    """What nodes are called: as the outputs that they are, and by the words that tell that truths hold."""
    names: dict[Ref, str] = {}
    for output in program.outputs:
        own = {"truth": f"{output.name} if true", "text": f"{output.name}: place"}
        names.setdefault(output.of, own.get(sort_of(program, output.of), output.name))
        node = program[output.of]
        if isinstance(node, Text):
            names.setdefault(node.of, names[output.of])
    for ref, node in reversed(list(enumerate(program.nodes))):
        match node:
            case Words(of, words):
                for truth, word in zip(of, words, strict=True):
                    names.setdefault(truth, f"rule {word} applies")
            case Share(_, of) | Largest(of):
                for place, votes in enumerate(of):
                    names.setdefault(votes, f"votes for class {place}")
            case Choice(by, of) if ref in names:
                names.setdefault(by, f"{names[ref]}: choice")
                for each, name in zip(of, cases(program, node, names[ref]), strict=True):
                    if each is not None:
                        names.setdefault(each, name)
            case Test(of, (place,)) if isinstance(program[of], First):
                names.setdefault(ref, f"{names.get(of, 'first')} is {titles(program, of)[place] or place}")
            case AtLeast(of) if ref in names:
                names.setdefault(of, f"{names[ref]}: number")
    return names


def cases(program: Program, choice: Choice, name: str) -> list[str]:
    """What each of the values that a choice is among is called."""
    told = enumerate(titles(program, choice.by))
    return [f"{name} of {title}" if title else f"{name}, case {place}" for place, title in told]
