"""Models for dbt: SQL in which dbt's template language, Jinja, stands for nothing but the header and the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrutable_sql.options import SQLOptions
from scrutable_sql.quoting import Qualified, parts, qualified

#: Stands for the table until all else is plain; no name, literal or comment can hold it.
_TABLE = "\x00"
#: What Jinja would read as its own, also once the line ends are replaced that it would change, and the table.
_READ_BY_JINJA = re.compile(r"\{(?=[{%#\r\0]|\n\Z)|\r|\n\Z")


def relation(options: SQLOptions) -> str:
    """What stands where the table does."""
    return _TABLE if options.form == "dbt" else qualified(options.table, options.target)


def model_text(sql: str, options: SQLOptions) -> str:
    """The text that dbt renders to exactly this SQL, with the relation that it knows the table by.

    Examples
    --------
    >>> options = SQLOptions(form="dbt", name="scores", table=("bank", "applicants"), relation="source")
    >>> print(model_text("SELECT '{{ 1 }}' FROM " + relation(options), options).strip())
    {{ config(materialized='view') }}
    SELECT '{{ '{' }}{ 1 }}' FROM {{ source('bank', 'applicants') }}
    """
    arguments = ", ".join(map(_text, parts(options.table)))
    table = f"{{{{ {options.relation}({arguments}) }}}}"
    config = f"{{{{ config(materialized={_text(options.materialized)}) }}}}\n" if _TABLE in sql else ""
    return config + plain(sql.rstrip("\n")).replace(_TABLE, table) + "\n"


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
    query = template.render(config=lambda **_: "", ref=table, source=table)
    return query, replace(options, form="select", name=None)


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
