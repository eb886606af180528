"""The hooks: one a kind of component, and one for commands. Each returns light descriptors and imports nothing heavy.

A plugin package names itself in the entry-point group `scrutable` and implements any of these:

    from scrutable.plugins.hookspecs import hookimpl
    from scrutable.plugins.component import Component

    @hookimpl
    def scrutable_binners() -> list[Component]:
        return [Component(name="mine", kind="binner", path="my_package.binner:MyBinner", summary="…")]
"""

# pluggy reads the signatures only, so the hooks have no bodies.
# mypy: disable-error-code=empty-body

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from scrutable.plugins.component import Command, Component

PROJECT = "scrutable"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def scrutable_binners() -> Iterable[Component]:
    """Binners: subclasses of `scrutable.plugins.bases.Binner`."""


@hookspec
def scrutable_learners() -> Iterable[Component]:
    """Learners: subclasses of `scrutable.plugins.bases.Learner`."""


@hookspec
def scrutable_constraints() -> Iterable[Component]:
    """Fairness constraints: subclasses of `scrutable.plugins.bases.FairnessConstraint`."""


@hookspec
def scrutable_explainers() -> Iterable[Component]:
    """Explainers: subclasses of `scrutable.plugins.bases.Explainer`."""


@hookspec
def scrutable_exporters() -> Iterable[Component]:
    """Exporters: subclasses of `scrutable.plugins.bases.Exporter`."""


@hookspec
def scrutable_importers() -> Iterable[Component]:
    """Importers: subclasses of `scrutable.plugins.bases.Importer`."""


@hookspec
def scrutable_dialects() -> Iterable[Component]:
    """Dialects of SQL: each a `scrutable.plugins.bases.Dialect`."""


@hookspec
def scrutable_selectors() -> Iterable[Component]:
    """Selectors of characteristics: subclasses of `scrutable.plugins.bases.Selector`."""


@hookspec
def scrutable_sources() -> Iterable[Component]:
    """Sources of rows: subclasses of `scrutable.plugins.bases.RowSource`."""


@hookspec
def scrutable_commands() -> Iterable[Command]:
    """Commands of `scrutable`: functions as Typer takes them."""
