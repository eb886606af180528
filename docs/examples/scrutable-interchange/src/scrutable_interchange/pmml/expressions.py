"""PMML expressions as elements."""

from __future__ import annotations

from xml.etree.ElementTree import Element


def number(value: float) -> Element:
    """A double."""
    return _constant("double", repr(value))


def boolean(value: bool) -> Element:
    """True or false."""
    return _constant("boolean", "true" if value else "false")


def text(value: str) -> Element:
    """A text, which must neither begin nor end in white space."""
    return _constant("string", value)


def field(name: str) -> Element:
    """The value of a field or of a result before it."""
    return Element("FieldRef", field=name)


def is_text(name: str, value: str) -> Element:
    """1 where a field that is not missing has this text, else 0; the text is an attribute, which is kept as it is."""
    return Element("NormDiscrete", field=name, value=value)


def apply(function: str, *arguments: Element) -> Element:
    """A built-in function of its arguments; `if` without a third is missing where the first is false.

    >>> from xml.etree.ElementTree import tostring
    >>> tostring(apply("isMissing", field("age"))).decode()
    '<Apply function="isMissing"><FieldRef field="age" /></Apply>'
    """
    element = Element("Apply", function=function)
    element.extend(arguments)
    return element


def joined(function: str, arguments: list[Element]) -> Element:
    """`and` or `or` of one or more arguments."""
    return arguments[0] if len(arguments) == 1 else apply(function, *arguments)


def _constant(data_type: str, content: str) -> Element:
    element = Element("Constant", dataType=data_type)
    element.text = content
    return element
