"""Statements for the texts of reasons: a table of them by model, its rows, and a view of what was declined and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scrutable.errors import UnsupportedModel
from scrutable.model import Model, RegressionScorecard, fingerprint
from scrutable_sql.common import Plan
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.quoting import literal, name, qualified
from scrutable_sql.render import templates, words_of

#: The columns of the table.
COLUMNS = ("model_fingerprint", "language", "code", "reason")
#: The language of texts that are in none by name.
DEFAULT = "default"


def statements(model: Model, plan: Plan, header: Sequence[str], options: SQLOptions) -> dict[str, str]:
    """Texts of files by what they are called after the main one's name.

    Raises
    ------
    UnsupportedModel : the model gives no reasons, or none are returned, or a code has several texts.
    """
    d = options.target
    assert options.texts is not None, "asked for"
    assert options.name is not None, "checked before"
    assert options.reasons_view is not None, "there is a name"
    reasons = [each.name for each in plan.results if each.name.startswith(("reason_", "declined_reason_"))]
    if not reasons:
        raise UnsupportedModel(
            "no reasons are returned that texts could be joined to",
            where="option texts",
            got=options.texts,
            fix="give the model a reason policy, and leave the option reasons out",
        )
    words = {
        "names": [name(column, d) for column in COLUMNS],
        "texts": qualified(options.texts, d),
        "fingerprint": literal(fingerprint(model), d),
        "engine": d,
        "end": ";",
    }
    rows = [[literal(each, d) for each in row] for row in _texts(model)]
    columns = ", ".join(f"{name(column, d)} {d.stored('categorical')}" for column in COLUMNS)
    create = d.create_columns.format(name=qualified(options.texts, d), columns=columns)
    view = {
        "view": qualified(options.reasons_view, d),
        "results": qualified(options.name, d),
        "ids": [name(each, d) for each in options.ids],
        "place": name("place", d),
        "reasons": [name(each, d) for each in reasons],
        "declined": "" if options.reasons_for == "declined" else f"s.{name('approved', d)} = 0",
        "same": _same(d),
    }
    about = words_of(header)
    return {
        "texts": _laid_out("texts.sql.jinja", about, create=create, **words),
        "texts_rows": _laid_out("texts_rows.sql.jinja", about, rows=rows, **words),
        "reasons": _laid_out("reasons.sql.jinja", about, **words, **view),
    }


def _texts(model: Model) -> Iterator[tuple[str, str, str, str]]:
    """A row for each language and code."""
    own, known = fingerprint(model), dict[tuple[str, str], str]()
    for part in model.parts:
        if isinstance(part, RegressionScorecard):
            continue
        policy = part.reasons
        texts: dict[str, Mapping[str, str]] = {DEFAULT: {**part.policy.reasons, **(policy.texts if policy else {})}}
        if policy is not None:
            texts |= policy.translations
        for language, by_code in texts.items():
            for code, words in by_code.items():
                if known.setdefault((language, code), words) != words:
                    raise UnsupportedModel(
                        "a code has different texts in different segments",
                        where=f"code {code!r}",
                        got=words,
                        allowed=repr(known[language, code]),
                        fix="give each text a code of its own",
                    )
    yield from ((own, language, code, words) for (language, code), words in known.items())


def _same(d: Dialect) -> str:
    """Whether two codes are the same character by character."""
    return f"{d.categorical.value.format('t.' + name('code', d))} = {d.categorical.value.format('r.code')}"


def _laid_out(template: str, header: Sequence[str], **words: object) -> str:
    return templates().get_template(template).render(header=header, **words)
