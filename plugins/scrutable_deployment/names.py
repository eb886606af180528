"""Names of tables, views and functions, as people write them and as statements need them."""

from __future__ import annotations

from scrutable.errors import InputError

#: A table, view or function: its name, or schema and name.
Named = str | tuple[str, str]


def named(text: str, where: str) -> Named:
    """A name, or schema and name with a dot between; double quotes keep a dot within a name.

    Raises
    ------
    InputError : more parts than two, or one that is empty.

    Examples
    --------
    >>> named("score", "--deployed"), named("Risk.score_v1", "--deployed"), named('risk."a.b"', "--deployed")
    ('score', ('Risk', 'score_v1'), ('risk', 'a.b'))
    """
    parts = _parts(text)
    if not 1 <= len(parts) <= 2 or not all(parts):
        raise InputError(
            "not a name of a table, view or function",
            where=where,
            got=text,
            allowed="name or schema.name",
            fix="put a name that holds a dot or a quote between double quotes: 'risk.\"a.b\"'",
        )
    return parts[0] if len(parts) == 1 else (parts[0], parts[1])


def apart(name: Named) -> tuple[str | None, str]:
    """The schema, if there is one, and the name.

    >>> apart("score"), apart(("risk", "score"))
    ((None, 'score'), ('risk', 'score'))
    """
    return (None, name) if isinstance(name, str) else (name[0], name[1])


def spoken(name: Named) -> str:
    """The name as people read it.

    >>> spoken(("risk", "score"))
    'risk.score'
    """
    return name if isinstance(name, str) else ".".join(name)


def written(name: Named) -> str:
    """The name as `named` reads it, with quotes where it needs them.

    >>> print(written(("risk", "a.b")))
    risk."a.b"
    """
    parts = [part for part in apart(name) if part is not None]
    return ".".join(in_quotes(part) if "." in part or '"' in part else part for part in parts)


def in_quotes(name: Named) -> str:
    """The name as SQL writes it, for functions that take a name as a text; letters beyond ASCII stay as they are.

    >>> print(in_quotes(("Risk", 'a"b')))
    "Risk"."a""b"
    """
    return ".".join('"{}"'.format(part.replace('"', '""')) for part in apart(name) if part is not None)


def beside(name: Named, other: str) -> Named:
    """Another name in the same schema.

    >>> beside(("risk", "score"), "score_v3")
    ('risk', 'score_v3')
    """
    return other if isinstance(name, str) else (name[0], other)


def is_same(name: Named, other: Named) -> bool:
    """Whether two names may be of one thing: engines put the schema before a name, or leave it away.

    >>> is_same("score", ("risk", "score")), is_same(("risk", "score"), ("test", "score"))
    (True, False)
    """
    (schema, own), (other_schema, other_own) = apart(name), apart(other)
    return own == other_own and (schema is None or other_schema is None or schema == other_schema)


def free(wished: str, *texts: str) -> str:
    """A name that stands nowhere in some texts.

    >>> free("rows", "SELECT * FROM rows_1"), free("rows", "SELECT 1")
    ('rows_x', 'rows')
    """
    name = wished
    while any(name.casefold() in text.casefold() for text in texts):
        name += "_x"
    return name


def _parts(text: str) -> list[str]:
    """What stands between the dots that stand between no quotes; two quotes within quotes are one."""
    parts, within, i = [""], False, 0
    while i < len(text):
        if text[i] == '"' and within and text[i + 1 : i + 2] == '"':
            parts[-1], i = parts[-1] + '"', i + 1
        elif text[i] == '"':
            within = not within
        elif text[i] == "." and not within:
            parts.append("")
        else:
            parts[-1] += text[i]
        i += 1
    return [] if within else parts
