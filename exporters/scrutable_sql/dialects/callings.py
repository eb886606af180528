"""How each engine calls a query with a value for each feature."""

from __future__ import annotations

from scrutable.plugins.bases import Calling

#: One SELECT, neither strict nor volatile: the planner puts it in the place of the call, for one row and for many.
POSTGRES = Calling(
    opening="CREATE FUNCTION {name} ({arguments})\nRETURNS TABLE ({results})\n"
    "LANGUAGE sql STABLE PARALLEL SAFE AS ${tag}$\n",
    closing="\n${tag}$",
    called="SELECT * FROM applicants CROSS JOIN LATERAL {name}(...)",
)

DUCKDB = Calling(
    opening="CREATE MACRO {name} ({arguments}) AS TABLE\n", argument="{name}", called="SELECT * FROM {name}(...)"
)

CLICKHOUSE = Calling(
    opening="CREATE VIEW {name} AS\n",
    value="{{{name}:{type}}}",
    plain=True,
    called="SELECT * FROM {name}(feature = ...)",
)

MARIADB = Calling(
    opening="CREATE PROCEDURE {name} ({arguments})\n", argument="IN {name} {type}", called="CALL {name}(...)"
)

TSQL = Calling(
    opening="CREATE FUNCTION {name} ({arguments}) RETURNS TABLE AS RETURN (\n",
    closing="\n)",
    argument="@{name} {type}",
    value="@{name}",
    plain=True,
    called="SELECT * FROM applicants CROSS APPLY {name}(...)",
)

BIGQUERY = Calling(opening="CREATE TABLE FUNCTION {name} ({arguments}) AS\n", called="SELECT * FROM {name}(...)")
