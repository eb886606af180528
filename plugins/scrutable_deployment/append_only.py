"""Tables to which rows are only added."""

from __future__ import annotations

from typing import Any

from scrutable_deployment.names import Named, apart, beside


def kept(exporter: Any, name: Named, key: str | None = None) -> list[str]:
    """What makes triggers that refuse to change or delete a row of a table; nothing where the engine has none.

    Parameters
    ----------
    key : the column that is the primary key. In SQLite, REPLACE takes the row of that key away past other triggers.

    Examples
    --------
    >>> from scrutable import create
    >>> [text.partition(" BEFORE")[0] for text in kept(create("exporter", "sql", dialect="sqlite"), "score_versions")]
    ['CREATE TRIGGER "score_versions_kept_update"', 'CREATE TRIGGER "score_versions_kept_delete"']
    """
    table, own = exporter.quoted(name), f"{apart(name)[1]}_kept"
    trigger = {each: exporter.quoted(f"{own}_{each.lower()}") for each in ("UPDATE", "DELETE")}
    schema = "" if apart(name)[0] is None else f"{exporter.quoted(apart(name)[0])}."
    if exporter.dialect == "sqlite":
        here, when = exporter.quoted(apart(name)[1]), dict.fromkeys(trigger, "")
        if key is not None:
            column = exporter.quoted(key)
            trigger["INSERT"] = exporter.quoted(f"{own}_insert")
            when["INSERT"] = f" WHEN EXISTS (SELECT 1 FROM {here} WHERE {column} = NEW.{column})"
        return [
            f"CREATE TRIGGER {schema}{made} BEFORE {each} ON {here}{when[each]}"
            " BEGIN SELECT RAISE(ABORT, 'rows are only added'); END"
            for each, made in trigger.items()
        ]
    if exporter.dialect == "mariadb":
        return [
            f"CREATE TRIGGER IF NOT EXISTS {schema}{made} BEFORE {each} ON {table} FOR EACH ROW"
            " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'rows are only added'"
            for each, made in trigger.items()
        ]
    if exporter.dialect == "postgres":
        function = exporter.quoted(beside(name, own))
        return [
            f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS"
            " 'BEGIN RAISE EXCEPTION ''rows are only added''; END'",
            f"CREATE TRIGGER {exporter.quoted(own)} BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            f" FOR EACH STATEMENT EXECUTE FUNCTION {function}()",
        ]
    return []
