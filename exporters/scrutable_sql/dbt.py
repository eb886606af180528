"""Models for dbt: SQL in which dbt's template language, Jinja, stands for nothing but the header and the table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from scrutable_sql.new_rows import new_rows
from scrutable_sql.options import SQLOptions
from scrutable_sql.quoting import Qualified, literal, parts, qualified

#: Stands for the table, its name, its schema, and the text of both, until all else is plain; no name, literal or
#: comment can hold any of these.
_TABLE, _NAME, _SCHEMA, _WRITTEN = "\x00", "\x01", "\x02", "\x03"
#: Stands for the rows of the table that are not in the model's own table yet.
NEW_ROWS = "\x04"
_OWN = "\x05"
#: What Jinja would read as its own, also once the line ends are replaced that it would change, and the table.
_READ_BY_JINJA = re.compile(r"\{(?=[{%#\r\0]|\n\Z)|\r|\n\Z")


def relation(options: SQLOptions) -> str:
    """What stands where the table does."""
    return _TABLE if options.form == "dbt" else qualified(options.table, options.target)


def relation_in_words(options: SQLOptions) -> tuple[str, str, str]:
    """Literals of the table's name, of its schema, empty where none is named, and of both as identifiers."""
    d = options.target
    if options.form == "dbt":
        return f"'{_NAME}'", f"'{_SCHEMA}'", f"'{_WRITTEN}'"
    *schema, table = parts(options.table)
    quoted = ".".join(exp.Identifier(this=part, quoted=True).sql(d.sqlglot) for part in parts(options.table))
    return literal(table, d), literal(schema[0], d) if schema else "", literal(quoted, d)


def model_text(sql: str, options: SQLOptions, *, configured: bool = True) -> str:
    """The text that dbt renders to exactly this SQL, with the relation that it knows the table by.

    Parameters
    ----------
    configured : whether the text is a model's, which says how dbt materializes it.

    Examples
    --------
    >>> options = SQLOptions(form="dbt", name="scores", table=("bank", "applicants"), relation="source")
    >>> print(model_text("SELECT '{{ 1 }}' FROM " + relation(options), options).strip())
    {{ config(materialized='view') }}
    SELECT '{{ '{' }}{ 1 }}' FROM {{ source('bank', 'applicants') }}
    """
    arguments = ", ".join(map(_text, parts(options.table)))
    table = f"{options.relation}({arguments})"
    config = f"{{{{ config({_config(options)}) }}}}\n" if configured else ""
    text = plain(sql.rstrip("\n"))
    for mark, words in ((_NAME, f"{table}.identifier"), (_SCHEMA, f"{table}.schema"), (_WRITTEN, f"{table} | string")):
        text = text.replace(mark, f"{{{{ ({words}) | replace({_text(chr(39))}, {_text(chr(39) * 2)}) }}}}")
    if NEW_ROWS in text:
        new = plain(new_rows(_TABLE, _OWN, options)).replace(_OWN, "{{ this }}")
        text = text.replace(NEW_ROWS, f"{{% if is_incremental() %}}{new}{{% else %}}{_TABLE}{{% endif %}}")
    return config + text.replace(_TABLE, f"{{{{ {table} }}}}") + "\n"


def _config(options: SQLOptions) -> str:
    told: dict[str, str] = {"materialized": options.materialized}
    if options.materialized == "incremental":
        told |= {"on_schema_change": "fail"} | ({} if options.key is None else {"unique_key": options.key})
    return ", ".join(f"{key}={_text(value)}" for key, value in told.items())


def plain(words: str) -> str:
    """Words that Jinja renders to these very words."""
    return _READ_BY_JINJA.sub(lambda match: "{{ '{' }}" if match[0] == "{" else f"{{{{ {_text(match[0])} }}}}", words)


def compiled(text: str, options: SQLOptions) -> tuple[str, SQLOptions]:
    """What dbt makes of a model: the query that it runs, and the options of that query."""
    from jinja2.sandbox import SandboxedEnvironment

    def table(*names: str) -> str:
        table_name: Qualified = names[0] if len(names) == 1 else (names[0], names[1])
        return qualified(table_name, options.target)

    template = SandboxedEnvironment().from_string(text)
    query = template.render(config=lambda **_: "", ref=table, source=table, is_incremental=lambda: False)
    return query, options.of_a_select()


def yaml(words: str) -> str:
    """Words as a YAML scalar in double quotes, which dbt renders too.

    Examples
    --------
    >>> print(yaml('a "b"' + chr(10) + "{{ c }}"))
    "a \\"b\\"\\x0a{{ '{' }}{ c }}"
    """
    return f'"{_escaped(plain(words), quotes=chr(34))}"'


def _text(words: str) -> str:
    """A text literal of Jinja, in which nothing but letters, digits and blanks stands for itself."""
    return f"'{''.join(c if c.isascii() and (c.isalnum() or c in ' _') else _escape(c) for c in words)}'"


def _escaped(words: Sequence[str], quotes: str) -> str:
    return "".join(f"\\{c}" if c in (quotes, "\\") else c if " " <= c <= "~" else _escape(c) for c in words)


def _escape(character: str) -> str:
    r"""As \x0a, \u2028 or \U0001f600, which Python, Jinja and YAML read alike."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
