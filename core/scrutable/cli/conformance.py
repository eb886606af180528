"""What a check of a component leaves for the catalogue: who made it, what it says of itself, and how it did."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING, Any

from scrutable import __version__
from scrutable.cli.component_descriptions import described
from scrutable.plugins.compatibility import HOOKS

if TYPE_CHECKING:
    from scrutable.plugins.registry import Listing
    from scrutable.testing.contract import Report


def conformance(listing: Listing, report: Report) -> dict[str, Any]:
    """A component's descriptor and maintainer, how many checks it passed, and what is to be said of the others.

    The same component gives the same values, whatever the machine's speed.
    """
    others = [outcome for outcome in report.outcomes if outcome.status != "passed"]
    return {
        **{key: value for key, value in described(listing).items() if key not in ("path", "installed")},
        "maintainer": maintainer(listing.distribution),
        "scrutable": __version__,
        "hooks": HOOKS,
        "checks": len(report.outcomes),
        "passed": len(report.outcomes) - len(others),
        "others": [{"check": each.check, "status": each.status, "reason": each.reason} for each in others],
    }


def maintainer(distribution: str) -> str:
    """Who keeps a distribution, as its metadata says; empty where it says nothing.

    >>> maintainer("scrutable")
    'The Scrutable developers'
    """
    try:
        said = metadata.metadata(distribution)
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    names = (said[key] for key in ("Maintainer", "Author", "Maintainer-email", "Author-email") if key in said)
    return next((name.partition("<")[0].strip().strip('"') for name in names), "")
