"""Statements for the texts of reasons: a table of them by model, its rows, and a view of what was declined and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrutable.errors import UnsupportedModel
from scrutable.model import Model, RegressionScorecard, fingerprint
from scrutable_sql.common import Plan
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import FINGERPRINT, SQLOptions
from scrutable_sql.quoting import Qualified, literal, name, qualified
from scrutable_sql.render import templates, words_of

#: The columns of the table.
COLUMNS = (FINGERPRINT, "language", "code", "reason")
#: The language of texts that are in none by name.
DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class ReasonTexts:
    """A table for the texts of reasons, of any models, in a dialect; nothing that is added to it is added twice.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from scrutable_sql.dialects import dialect_named
    >>> texts = ReasonTexts("reason_texts", dialect_named("duckdb"))
    >>> texts.create().split("(")[0].strip()
    'CREATE TABLE IF NOT EXISTS "reason_texts"'
    >>> texts.rows(models_named()["stumps"])[0][1:3]
    ('default', 'K1')
    """

    table: Qualified
    target: Dialect

    def create(self, about: Sequence[str] = ()) -> str:
        """What makes the table, unless it is there where the dialect can; `about` are lines to stand above."""
        d = self.target
        columns = ", ".join(f"{name(column, d)} {d.stored('categorical')}" for column in COLUMNS)
        create = d.create_columns.format(name=qualified(self.table, d), columns=columns)
        return self._laid_out("texts.sql.jinja", about, create=create)

    def rows(self, model: Model) -> list[tuple[str, str, str, str]]:
        """What the table holds of a model, row by row.

        Raises
        ------
        UnsupportedModel : a code has several texts.
        """
        return list(_texts(model))

    def fill(self, model: Model, about: Sequence[str] = ()) -> str:
        """What adds the texts of a model, unless some are there; errors as of `rows`."""
        rows = [[literal(each, self.target) for each in row] for row in self.rows(model)]
        own = literal(fingerprint(model), self.target)
        return self._laid_out("texts_rows.sql.jinja", about, rows=rows, fingerprint=own)

    def view(
        self,
        view: Qualified,
        results: Qualified,
        *,
        ids: Sequence[str],
        reasons: Sequence[str],
        declined: tuple[str, str] | None = None,
        model: str | None = None,
        about: Sequence[str] = (),
    ) -> str:
        """What makes a view with a row for each reason of each declined row of some results, in each language.

        Parameters
        ----------
        results : the view or table of results; `ids` are columns that its rows are known by.
        reasons : its columns of codes, in order.
        declined : a column and its value in declined rows, as SQL; None where only these have reasons.
        model : the fingerprint of the model that decided all rows; None where a column says it of each.
        about : lines to stand above.
        """
        d = self.target
        own = None if model is None else literal(model, d)
        return self._laid_out(
            "reasons.sql.jinja",
            about,
            view=qualified(view, d),
            results=qualified(results, d),
            ids=[name(each, d) for each in ids],
            place=name("place", d),
            reasons=[name(each, d) for each in reasons],
            declined="" if declined is None else f"s.{name(declined[0], d)} = {declined[1]}",
            same=_same(d),
            fingerprint="r.decided_by" if own is None else own,
            by_row=own is None,
        )

    def _laid_out(self, template: str, about: Sequence[str], **words: object) -> str:
        d = self.target
        given = {"names": [name(column, d) for column in COLUMNS], "texts": qualified(self.table, d), "engine": d}
        return templates().get_template(template).render(header=about, end=";", **given, **words)


def statements(model: Model, plan: Plan, header: Sequence[str], options: SQLOptions) -> dict[str, str]:
    """Texts of files by what they are called after the main one's name.

    Raises
    ------
    UnsupportedModel : the model gives no reasons, or none are returned, or a code has several texts.
    """
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
    texts, about = ReasonTexts(options.texts, options.target), words_of(header)
    view = texts.view(
        options.reasons_view,
        options.name,
        ids=options.ids,
        reasons=reasons,
        declined=None if options.reasons_for == "declined" else ("approved", "0"),
        model=None if options.fingerprint else fingerprint(model),
        about=about,
    )
    return {"texts": texts.create(about), "texts_rows": texts.fill(model, about), "reasons": view}


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
