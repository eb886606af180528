"""Models as source code of languages that application servers are written in: C, JavaScript and Java."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl

_KINDS = ("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model")


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporters `c`, `java` and `javascript`."""
    return [
        Component(
            name="c",
            kind="exporter",
            path="scrutable_source_code.c.exporter:CExporter",
            summary="One file of C11 without dependencies: a function for a row, and one for columns of many rows",
            reference="ISO/IEC 9899:2011 with its annex F for the doubles of IEEE 754",
            accepts=_KINDS,
            produces=("c",),
            engines=("cc",),
        ),
        Component(
            name="java",
            kind="exporter",
            path="scrutable_source_code.java.exporter:JavaExporter",
            summary="One class of Java 8 or newer without dependencies: a method for a row",
            reference="The Java Language Specification, Java SE 8; The JVM Specification, 4.11, for limits",
            accepts=_KINDS,
            produces=("java",),
            engines=("jvm",),
        ),
        Component(
            name="javascript",
            kind="exporter",
            path="scrutable_source_code.javascript.exporter:JavaScriptExporter",
            summary="One module of JavaScript without dependencies, for servers and browsers: a function for a row",
            reference="ECMA-262, 13th edition (ECMAScript 2022)",
            accepts=_KINDS,
            produces=("javascript",),
            engines=("node",),
        ),
    ]
