"""Texts of reasons: what Regulation B calls insufficient is refused."""

from __future__ import annotations

import re

from scrutable.data.values import name
from scrutable.errors import ModelError

_INTERNAL = "12 CFR 1002.9(b)(2): a statement that the action was based on internal standards or policies"
_SCORE = "12 CFR 1002.9(b)(2): a statement that the applicant failed to achieve a qualifying score"
_VAGUE = "12 CFR 1002.9(b)(2): the statement of reasons must be specific"
#: A score of somebody else is a factor that was considered.
_OURS = r"^(?!.*\b(bureau|agency|report)\b).*"

#: Expressions in lower case, and the rule that each breaks. English, German, French, Spanish. What can begin in many
#: places goes no further than a word from there, or is tried once, so that long texts take time in proportion.
_REFUSED = tuple(
    (re.compile(expression), rule)
    for expression, rule in (
        (
            r"\b(internal|our|lending|underwriting|bank|company|credit|risk)( \w+)? "
            r"(standards?|polic(y|ies)|criteria|guidelines?)\b(?! (type|number|term|holder|amount))",
            _INTERNAL,
        ),
        (r"\bpolicy (decline|rejection|rule|reasons?)\b", _INTERNAL),
        (r"\bkreditrichtlinien?\b", _INTERNAL),
        (r"\binterne[nrms]? (\w+)?(richtlinien?|vorgaben?|standards?|kriterien)\b", _INTERNAL),
        (r"\b(normes|politiques?|critères) (de (crédit|risque) )?internes?\b", _INTERNAL),
        (r"\b(normas|políticas?|criterios) (de (crédito|riesgo) )?internas?\b", _INTERNAL),
        (r"\b(qualifying|passing|minimum|required|sufficient) (credit )?score\b", _SCORE),
        (_OURS + r"\b(insufficient|low|too few) (credit )?(score|points)\b", _SCORE),
        (_OURS + r"\bscore (is |was )?(too low|insufficient|(is |was )?below)\b", _SCORE),
        (_OURS + r"\bscore (did|does|do) not (meet|reach|pass)\b", _SCORE),
        (r"\bfail(ed|s|ure)? (the |our |to pass )?(the |our )?(credit )?(scoring|score|scorecard)\b", _SCORE),
        (
            r"\b(punktzahl|score|scorewert)s? (ist )?(zu niedrig|nicht erreicht|nicht ausreichend|unzureichend)\b",
            _SCORE,
        ),
        (r"\b(kein ausreichender|unzureichender|zu niedriger) score", _SCORE),
        (r"\b(mindest(punktzahl|score)|zu wenige? punkte)\b", _SCORE),
        (r"\bscore (est )?(insuffisant|trop (bas|faible))\b", _SCORE),
        (r"\b(puntuación|puntaje) (es )?(insuficiente|demasiado baj[oa]|mínim[oa])\b", _SCORE),
        (
            r"\bcredit ?worthiness\b|^(?>.*?\bbonität\b).*\bausreichend\b|\bunzureichende bonität\b|^credit risk\W*$",
            _VAGUE,
        ),
        (
            r"^(other|others|various|miscellaneous|n/?a|unknown|none|sonstiges?|autres?|otros?|reasons?|tbd|todo)\W*$",
            _VAGUE,
        ),
        (r"\b(does not|do not|did not) (meet|satisfy) (our |the )?(requirements|criteria|credit criteria)\b", _VAGUE),
    )
)


def refuse_generic(words: str, where: str) -> str:
    """The text of a reason, unless it has no letter or is known to explain nothing.

    That a text passes does not mean that it is specific enough: the list holds what is commonly written.

    Raises
    ------
    ModelError : naming the rule that the text breaks.

    Examples
    --------
    >>> refuse_generic("Length of employment", "text of reason code 'R01'")
    'Length of employment'
    >>> refuse_generic("Internal standards", "text of reason code 'R01'")
    Traceback (most recent call last):
    ...
    scrutable.errors.ModelError: text of reason code 'R01': too general to be a reason...
    """
    if not any(letter.isalpha() for letter in name(words, where)):
        raise ModelError("a reason is told in words", where=where, got=words)
    plain = " ".join(words.casefold().split())
    for expression, rule in _REFUSED:
        if expression.search(plain):
            raise ModelError(
                f"too general to be a reason ({rule})",
                where=where,
                got=words,
                fix="name what was considered, for example 'Length of employment'",
            )
    return words
