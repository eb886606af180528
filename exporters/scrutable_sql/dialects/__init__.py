"""The dialect table: everything in which the engines differ."""

from __future__ import annotations

from scrutable_sql.dialects.dialect import Dialect, Reading
from scrutable_sql.dialects.emitted import EMITTED
from scrutable_sql.dialects.proven import PROVEN

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (*PROVEN, *EMITTED)}

__all__ = ["DIALECTS", "EMITTED", "PROVEN", "Dialect", "Reading"]
