"""Who has a name that several distributions claim: Scrutable itself, or nobody without saying whose is meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from scrutable.plugins.component import Command, Component
from scrutable.plugins.origins import Origin, canonical

Descriptor = TypeVar("Descriptor", bound=Component | Command, covariant=True)


@dataclass(frozen=True, slots=True)
class Offer(Generic[Descriptor]):
    """A component or a command, and the plugin and distribution it comes from.

    Parameters
    ----------
    first_party : whether the distribution is Scrutable itself.
    owns_name : whether it is reached by its name alone.
    """

    descriptor: Descriptor
    plugin: str
    distribution: str
    version: str
    first_party: bool = False
    owns_name: bool = True

    @property
    def qualified(self) -> str:
        """The name that reaches it whatever else is installed."""
        return qualified(self.home, self.descriptor.name)

    @property
    def home(self) -> str:
        """The distribution, or the plugin where an entry point is of none."""
        return canonical(self.distribution or self.plugin)

    @property
    def name(self) -> str:
        """The shortest name that reaches it here and now."""
        return self.descriptor.name if self.owns_name else self.qualified

    def is_called(self, name: str) -> bool:
        """Whether a name reaches it: the shortest one, or the qualified one however its distribution is spelt."""
        distribution, _, short = name.rpartition(":")
        home = canonical(distribution)
        return name == self.name or (bool(home) and (home, short) == (self.home, self.descriptor.name))

    @property
    def recorded(self) -> str:
        """The name that files record: it means the same one day, whatever will be installed.

        A first-party component has its short name for ever, since no other can take it.
        """
        return self.descriptor.name if self.first_party else self.qualified

    @property
    def origin(self) -> Origin:
        """The plugin and its distribution."""
        return Origin(self.distribution, self.version, self.plugin)

    @property
    def whose(self) -> str:
        """The plugin and its distribution, in words."""
        return str(self.origin)


class Listing(Offer[Component]):
    """A component and the plugin and distribution it comes from."""

    __slots__ = ()

    @property
    def component(self) -> Component:
        """What its plugin says of it."""
        return self.descriptor


AnyOffer = Offer[Component | Command]


def qualified(distribution: str, name: str) -> str:
    """A name with the distribution before it.

    >>> qualified("Scrutable_Tiny", "equal-width")
    'scrutable-tiny:equal-width'
    """
    return f"{canonical(distribution)}:{name}"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A name that several distributions claim.

    Parameters
    ----------
    what : the kind of component, "command" with its group before it, or "engine".
    owner : the first-party one that has the name; None where only third parties claim it.
    others : who is reached by the qualified name only.
    repeated : whether the others are of one distribution, so that even that tells none of them.
    """

    what: str
    name: str
    owner: AnyOffer | None
    others: tuple[AnyOffer, ...]
    repeated: bool = False

    @property
    def reason(self) -> str:
        """What is so, and how each one is reached."""
        if self.repeated:
            return f"{self.what} {self.name!r} is offered more than once by {self.others[0].home}, so it is nobody's"
        reached = " or ".join(repr(qualified(each.home, self.name)) for each in self.others)
        whose = " and ".join(each.whose for each in self.others)
        if self.owner is not None:
            return f"{self.what} {self.name!r} is Scrutable's own; {whose} is reached as {reached}"
        return f"{self.what} {self.name!r} is claimed by {whose}; say which: {reached}"

    @property
    def fix(self) -> str:
        """What mends it."""
        homes = " and ".join(sorted({each.home for each in self.others}))
        return f"{homes} has to name each alone" if self.repeated else f"use the qualified name, or uninstall {homes}"


@dataclass(frozen=True, slots=True)
class Settled:
    """Who has which name.

    Parameters
    ----------
    owners : by what it is and name, as conflicts call it.
    conflicts : names that several distributions claim.
    repeated : names that one distribution claims twice, which reach nobody there.
    """

    owners: dict[tuple[str, str], AnyOffer]
    conflicts: tuple[Conflict, ...]
    repeated: tuple[Conflict, ...]


def settle(claims: Iterable[tuple[tuple[str, str], AnyOffer]]) -> Settled:
    """Give each name to who claims it alone, or to Scrutable."""
    by_name: dict[tuple[str, str], list[AnyOffer]] = defaultdict(list)
    for key, listing in claims:
        by_name[key].append(listing)
    owners: dict[tuple[str, str], AnyOffer] = {}
    conflicts: list[Conflict] = []
    repeated: list[Conflict] = []
    for key, listings in by_name.items():
        homes = [each.home for each in listings]
        single = [each for each in listings if homes.count(each.home) == 1]
        for home in dict.fromkeys(home for home in homes if homes.count(home) > 1):
            repeated.append(Conflict(*key, None, tuple(each for each in listings if each.home == home), repeated=True))
        owner = next((each for each in single if each.first_party), single[0] if len(single) == 1 else None)
        others = tuple(each for each in single if each is not owner)
        if owner is not None:
            owners[key] = owner
        if others:
            conflicts.append(Conflict(*key, owner, others))
    return Settled(owners, tuple(conflicts), tuple(repeated))


def reached(offer: Offer[Descriptor], owners: dict[tuple[str, str], AnyOffer]) -> Offer[Descriptor]:
    """The offer, told whether its name alone reaches it."""
    owner = owners.get((offer.descriptor.kind, offer.descriptor.name))
    return replace(offer, owns_name=owner is offer)
