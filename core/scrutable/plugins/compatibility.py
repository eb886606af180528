"""What plugins of other releases can count on: the version of the hooks, and old hooks that still work for a while.

A hook is replaced, never changed: the old one goes on working for two minor releases, with a warning that says what
takes its place and when it goes. See docs/plugins/compatibility.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from scrutable.errors import PluginError
from scrutable.plugins.component import OFFERED, Command, Component, Offered

#: Version of the hooks. It rises when a hook is replaced or a base class asks more of plugins.
HOOKS = 1
#: The oldest version that plugins may be written for.
OLDEST = 1
#: Minor releases that a replaced hook goes on working.
KEPT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OldHook:
    """A hook that another one has replaced.

    Parameters
    ----------
    name : of the hook, for example "scrutable_constraints".
    kind : of the components that it returns, or "command".
    instead : what takes its place.
    replaced : the release that replaced it, for example "0.3".
    components : what the hook returned, as descriptors of today.

    Examples
    --------
    >>> OldHook(name="scrutable_scorers", kind="learner", instead="scrutable_learners", replaced="0.3").gone
    '0.5'
    """

    name: str
    kind: Offered
    instead: str
    replaced: str
    components: Callable[[Any], Iterable[Component | Command]] = list

    @property
    def gone(self) -> str:
        """The release that no longer has it."""
        major, minor = self.replaced.split(".")[:2]
        return f"{major}.{int(minor) + KEPT}"

    @property
    def remark(self) -> str:
        """What is said to those who use it."""
        return f"the hook {self.name} is replaced by {self.instead}, and gone in scrutable {self.gone}"


#: Every hook that is replaced and not yet gone.
OLD_HOOKS: tuple[OldHook, ...] = ()


def current_hook(kind: Offered) -> str:
    """The name of the hook of a kind of component, or of commands.

    >>> current_hook("binner")
    'scrutable_binners'
    """
    return f"scrutable_{kind}s"


def check_hooks(module: Any) -> None:
    """That a plugin is written for hooks that are here; it may say which in `SCRUTABLE_HOOKS`.

    Raises
    ------
    PluginError : it is written for hooks that are gone, or that are yet to come.
    """
    version = getattr(module, "SCRUTABLE_HOOKS", HOOKS)
    if isinstance(version, int) and OLDEST <= version <= HOOKS:
        return
    later = isinstance(version, int) and version > HOOKS
    raise PluginError(
        "the plugin is written for other hooks",
        where="SCRUTABLE_HOOKS",
        got=version,
        allowed=str(HOOKS) if OLDEST == HOOKS else f"{OLDEST} to {HOOKS}",
        fix="upgrade scrutable" if later else "upgrade the plugin",
    )


def check_known(hooks: Iterable[str], old: Iterable[OldHook]) -> None:
    """That every hook a plugin implements is one.

    Raises
    ------
    PluginError : a hook that there is not.
    """
    known = {*map(current_hook, OFFERED), *(each.name for each in old)}
    for hook in hooks:
        if hook not in known:
            raise PluginError(
                "there is no such hook",
                got=hook,
                allowed=", ".join(map(current_hook, OFFERED)),
                fix="correct the name, or upgrade scrutable where the hook is newer",
            )
