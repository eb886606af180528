"""What mends a plugin that cannot be imported, as far as its error and its distribution's requirements tell."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from scrutable.errors import ScrutableError
from scrutable.plugins.machine import chain, missing_library
from scrutable.plugins.origins import OURS, Origin


def remedy(error: Exception, origin: Origin) -> str | None:
    """What an error of an import is mended by; None where only the plugin's makers can tell.

    Parameters
    ----------
    its : whose code was imported.

    Examples
    --------
    >>> tiny = Origin("tiny", "1.0", "tiny")
    >>> remedy(ImportError("no name 'Later' in scrutable.plugins.bases", name="scrutable.plugins.bases"), tiny)
    'upgrade scrutable, or tiny if that is the older of them'
    >>> remedy(ZeroDivisionError(), tiny)
    """
    said = error if isinstance(error, ScrutableError) and error.fix else missing_library(error)
    if said is not None:
        return said.fix
    for module in _wanted(error):
        top = module.partition(".")[0]
        if fix := _required(top, origin):
            return fix
        if top == OURS and not origin.first_party:
            return f"upgrade {OURS}, or {origin.distribution or 'the plugin'} if that is the older of them"
    return None


def _wanted(error: Exception) -> Iterator[str]:
    """Modules that an error, or what led to it, says are missing or lack a name."""
    for each in chain(error):
        if isinstance(each, ImportError) and each.name:
            yield each.name
        if isinstance(each, AttributeError) and isinstance(each.obj, ModuleType):
            yield each.obj.__name__


def _required(package: str, origin: Origin) -> str | None:
    """What would meet the requirement of a plugin's distribution for the package that is missing, or too old or new."""
    from scrutable.plugins.requirements import installed, unmet  # heavy for what every command imports

    distribution = installed(origin.distribution)
    fixes = {each.name.replace("-", "_"): each.fix for each in (unmet(distribution) if distribution else ())}
    return fixes.get(package.replace("-", "_").lower())
