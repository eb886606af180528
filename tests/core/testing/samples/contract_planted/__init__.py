"""Faults that once passed the contract: components of which each takes one wrong decision.

`contract_faulty` has plugins whose fault is one of form; here the numbers are wrong and all else is as it should be.
"""

from __future__ import annotations
