"""Plugins that cannot be used, and what they have to do with a name that reaches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrutable.plugins.origins import Origin, canonical

#: Characters of a reason that an error about something else quotes.
QUOTED = 300


@dataclass(frozen=True, slots=True)
class Failure:
    """A plugin that was found and refused, or that something is to be said of, and what.

    Parameters
    ----------
    plugin : name of its entry point.
    distribution : the one that brings it.
    fix : what mends it.
    """

    plugin: str
    reason: str
    distribution: str = ""
    fix: str = ""

    @property
    def whose(self) -> str:
        """The plugin and its distribution, in words."""
        return str(Origin(self.distribution, "", self.plugin))


def cannot_be_used(cause: Failure, offers: str, more: int = 0) -> tuple[str, str]:
    """That a name reaches nothing for want of a plugin that is blocked or failed, and the fix.

    Parameters
    ----------
    offers : what the plugin has to do with the name.
    more : how many other plugins cannot be used.

    Examples
    --------
    >>> cannot_be_used(Failure("tiny", "it is blocked", "tiny-cards", "unblock it"), "offers it")
    ("plugin 'tiny' of tiny-cards cannot be used, which offers it: it is blocked", 'unblock it; scrutable plugins ...')
    """
    told = cause.reason.removesuffix(".") if len(cause.reason) <= QUOTED else f"{cause.reason[:QUOTED]}…"
    others = f"; {more} more cannot be used" if more else ""
    fix = f"{cause.fix}; scrutable plugins doctor tells more"
    return f"{cause.whose} cannot be used, which {offers}: {told}{others}", fix


def why_unknown(name: str, causes: Sequence[Failure], near: str) -> tuple[str, str]:
    """What is wrong with a name that reaches nothing, and the fix: the likeliest cause first.

    Parameters
    ----------
    causes : plugins that cannot be used.
    near : which known name could have been meant; empty if none is close.

    Returns
    -------
    What is wrong, empty where no single plugin is suspected, and the fix, empty where nothing suggests one.
    """
    likely = [each for each in causes if _is_like(name, each)]
    if near and not likely:
        return "", near
    if likely or len(causes) == 1:
        return cannot_be_used((likely or causes)[0], "may have offered it", len(causes) - 1)
    if not causes:
        return "", ""
    whose = " and ".join(dict.fromkeys(each.whose for each in causes))
    return "", f"if one that cannot be used was to offer it ({whose}), scrutable plugins doctor tells why"


def _is_like(name: str, cause: Failure) -> bool:
    """Whether a name has that of the plugin in it, or the distribution before it."""
    distribution = canonical(name.rpartition(":")[0])
    if distribution and distribution == canonical(cause.distribution):
        return True
    return bool(cause.plugin) and canonical(cause.plugin) in canonical(name)
