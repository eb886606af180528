"""How much is written in one expression, and from where on it is looked up."""

from __future__ import annotations

#: The parts of an expression, nested or beside one another.
LIMIT = 24
#: Places, truths and cuts up to which each is compared; more are looked up.
FEW = 8
