"""The PMML document: fields, output and characteristics, written through an XML library that escapes."""

from __future__ import annotations

import math
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Otherwise,
    Scorecard,
    Special,
    fingerprint,
)

from scrutable_interchange.pmml.baselines import ranking_baselines
from scrutable_interchange.pmml.output import add_output

NAMESPACE = "http://www.dmg.org/PMML-4_4"


def document(scorecard: Scorecard) -> str:
    """The whole file, ASCII, so that no reader can take it for another encoding."""
    root = Element("PMML", xmlns=NAMESPACE, version="4.4")
    description = f"{scorecard.outcome.target}; model fingerprint (SHA-256) {fingerprint(scorecard)}"
    header = SubElement(root, "Header", description=description)
    SubElement(header, "Application", name="scrutable-interchange")
    fields = SubElement(root, "DataDictionary", numberOfFields=str(len(scorecard.features)))
    for feature in scorecard.features:
        optype, data_type = _KINDS[feature.kind]
        about = {"name": feature.name, "displayName": feature.title, "optype": optype, "dataType": data_type}
        SubElement(fields, "DataField", about)
    _add_scorecard(root, scorecard)
    indent(root)
    content: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return content.decode("ascii") + "\n"


#: Operational and data type by kind of feature.
_KINDS = {"numeric": ("continuous", "double"), "categorical": ("categorical", "string")}


def _add_scorecard(root: Element, scorecard: Scorecard) -> None:
    policy = scorecard.reasons
    element = SubElement(
        root,
        "Scorecard",
        modelName="scorecard",
        functionName="regression",
        initialScore=repr(scorecard.base_points),
        useReasonCodes="false" if policy is None else "true",
        reasonCodeAlgorithm="pointsBelow",
        baselineMethod="other",
    )
    schema = SubElement(element, "MiningSchema")
    for feature in scorecard.features:  # unseen categories and missing values are left as they are, for their attribute
        SubElement(schema, "MiningField", name=feature.name, invalidValueTreatment="asIs", missingValueTreatment="asIs")
    add_output(element, scorecard)
    features = {feature.name: feature for feature in scorecard.features}
    baselines = {} if policy is None else ranking_baselines(scorecard, policy)
    parts = SubElement(element, "Characteristics")
    for item in scorecard.characteristics:
        part = SubElement(parts, "Characteristic", name=item.feature)
        code = None
        if policy is not None:
            code = policy.codes[item.feature]
            part.attrib |= {"reasonCode": code, "baselineScore": repr(baselines[item.feature])}
            _add_notes(part, {"baseline": repr(policy.baselines[item.feature]), "reason": policy.texts[code]})
        for attribute in _in_order(item):
            _add_attribute(part, attribute, features[item.feature], code)


def _add_notes(part: Element, notes: dict[str, str]) -> None:
    for name, value in notes.items():
        SubElement(part, "Extension", extender="scrutable", name=name, value=value)


def _in_order(item: Characteristic) -> list[Attribute]:
    """Special codes first, since the first attribute that holds counts and intervals may hold a code; the rest last."""
    order = (Special, Missing, Interval, Categories, Otherwise)
    return sorted(item.attributes, key=lambda attribute: order.index(type(attribute.condition)))


def _add_attribute(part: Element, attribute: Attribute, feature: Feature, code: str | None) -> None:
    element = SubElement(part, "Attribute", partialScore=repr(attribute.points))
    if code is not None:
        element.set("reasonCode", attribute.reason_code or code)
    condition, name = attribute.condition, feature.name
    if isinstance(condition, Missing):
        SubElement(element, "SimplePredicate", field=name, operator="isMissing")
    elif isinstance(condition, Otherwise):
        SubElement(element, "SimplePredicate", field=name, operator="isNotMissing")
    elif isinstance(condition, Interval):
        _add_tests(element, name, "and", _ends(condition))
    else:
        values = condition.values if isinstance(condition, Categories) else condition.codes
        texts = [value if isinstance(value, str) else repr(value) for value in values]
        _add_tests(element, name, "or", [("equal", text) for text in texts])


def _ends(interval: Interval) -> list[tuple[str, str]]:
    ends = []
    if interval.lower != -math.inf:
        ends.append(("greaterOrEqual", repr(interval.lower)))
    if interval.upper != math.inf:
        ends.append(("lessThan", repr(interval.upper)))
    return ends


def _add_tests(element: Element, name: str, joined: str, tests: list[tuple[str, str]]) -> None:
    if not tests:
        SubElement(element, "SimplePredicate", field=name, operator="isNotMissing")
        return
    if len(tests) > 1:
        element = SubElement(element, "CompoundPredicate", booleanOperator=joined)
    for operator, value in tests:
        SubElement(element, "SimplePredicate", field=name, operator=operator, value=value)
