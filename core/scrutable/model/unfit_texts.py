"""What keeps the texts of reasons from being sent to an applicant, beside what no model may hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from scrutable.model.characteristics import Characteristic
from scrutable.model.conditions import Interval
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import DecisionModel, SingleModel

COLUMN = "is the name of a column, which nobody has put into words"
GROUP = "names a prohibited basis (12 CFR 1002.2(z))"
BOTH_SIDES = "says which way is better, and is given on both sides of the values with most points"
UNTRANSLATED = "is nowhere put into this language: all texts are those of the model"

#: Words for what may not count, in English, German, French and Spanish. Age is none of them: a scoring system may use
#: it (12 CFR 1002.6(b)(2)(ii)), and what it used has to be told.
_PROHIBITED = re.compile(
    "|".join(
        (
            r"\b(race|racial|skin colou?r|religio\w*|sex|gender|male|female|m[ae]n|wom[ae]n|sexual orientation)\b",
            r"\b(marital|married|divorced|widow\w*|pregnan\w*|childbearing|public assistance|welfare)\b",
            r"\b(national origin|nationality|ethnic\w*|foreign\w*|immigra\w*|citizenship|(place|country) of birth)\b",
            r"\b(geschlecht\w*|religion\w*|konfession\w*|rasse|hautfarbe|herkunft(sland)?|abstammung|ausländ\w*)\b",
            r"\b(nationalität|staatsangehörigkeit|familienstand|verheiratet\w*|ledig\w*|geschieden\w*|verwitwet\w*)\b",
            r"\b(schwanger\w*|männlich\w*|weiblich\w*|geburtsort|sozialhilfe|bürgergeld|ethnisch\w*)\b",
            r"\b(sexe|couleur de peau|origine (nationale|ethnique)|nationalité|état civil|situation matrimoniale)\b",
            r"\b(mariée?s?|divorcée?s?|grossesse|enceinte|étrang(er|ère)s?|lieu de naissance|aide sociale)\b",
            r"\b(sexo|género|raza|color de piel|religión|nacionalidad|origen (nacional|étnico)|estado civil)\b",
            r"\b(casad[oa]s?|solter[oa]s?|divorciad[oa]s?|embaraz\w*|extranjer[oa]s?|lugar de nacimiento)\b",
        )
    )
)

#: Words for one side of a number, in English, German, French and Spanish.
_SIDED = re.compile(
    "|".join(
        (
            r"\b(too|insufficient\w*|inadequate\w*|excessive\w*|lack of|high(er)?(?! school)|low(er)?|few(er)?)\b",
            r"\bzu (hoch|hoh|niedrig|viel|wenig|lang|kurz|groß|klein|gering|alt|jung|neu)\w*",
            r"\b(unzureichend\w*|übermäßig\w*|hohe[nrms]?|niedrige?[nrms]?|geringe?[nrms]?)\b",
            r"\b(trop|insuffisan\w+|excessi\w+|élevée?s?|faibles?)\b",
            r"\b(demasiad[oa]s?|insuficientes?|excesiv[oa]s?|elevad[oa]s?)\b",
        )
    )
)


class TextFault(NamedTuple):
    """A text that is not fit to be sent.

    Parameters
    ----------
    code : of the reason.
    language : of the text; empty for the model's own texts.
    text : what the reason says.
    fault : what is wrong with it, to be read after the text.
    """

    code: str
    language: str
    text: str
    fault: str


def text_faults(model: DecisionModel, language: str | None = None) -> list[TextFault]:
    """Texts of a model's reasons that are not fit to be sent, in the order of its segments and codes.

    A text has to be in words that somebody wrote, no name of a column; to differ from those of the other codes of the
    same model, since the same reason twice tells one; to name no prohibited basis; and to say neither "too high" nor
    "too low" where points rise and fall again, so that some get it for a low number and others for a high one. A
    language in which all texts are those of the model is none. That nothing is wrong here does not mean that a text is
    specific enough: somebody has to read it. What is commonly written and explains nothing no policy can hold, nor a
    code without a text, nor a language in which one lacks; see `scrutable.model.reason_texts`.

    Parameters
    ----------
    language : texts in this language alone; the model's own and all its languages if None; "" for its own alone.

    Raises
    ------
    ModelError : a language that a policy has no texts in.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> for each in text_faults(card(words="Marital status", code="c"))[:2]:
    ...     print(each.code, repr(each.text), each.fault)
    1c 'Marital status' names a prohibited basis (12 CFR 1002.2(z))
    2c 'Marital status' is the text of 1c, too
    """
    faults = (fault for part in model.parts for fault in _of_part(part, language))
    return list(dict.fromkeys(faults))


def _of_part(part: SingleModel, language: str | None) -> Iterator[TextFault]:
    policy = part.reasons
    if policy is None:
        return
    languages: Iterable[str] = ("", *policy.languages) if language is None else (language,)
    rules = part.policy.reasons
    own, two_sided = {**policy.texts, **rules}, _two_sided(part, policy)
    for each in languages:
        texts = {code: policy.words(code, each) for code in own} if each else own
        if each and texts == own:
            yield from (TextFault(code, each, words, UNTRANSLATED) for code, words in texts.items())
        columns = {} if each else _columns(part, policy)
        first: dict[str, str] = {}
        for code, words in texts.items():
            plain = " ".join(words.casefold().split())
            if code in columns:
                yield TextFault(code, each, words, COLUMN)
            if first.setdefault(plain, code) != code:
                yield TextFault(code, each, words, f"is the text of {first[plain]}, too")
            if _PROHIBITED.search(plain):
                yield TextFault(code, each, words, GROUP)
            if code in two_sided and _SIDED.search(plain):
                yield TextFault(code, each, words, BOTH_SIDES)


def _columns(part: SingleModel, policy: ReasonPolicy) -> set[str]:
    """Codes whose text is the name of a column that has no label.

    Letters do not tell a word from `amt`, `dti` or `crdlim`, so a name that reads as words, as checking_status does,
    counts too: whoever labels the feature has read it.
    """
    names = {each.name: {each.title, f"Value of {each.title}"} for each in part.features if not each.label}
    carried = policy.features()
    return {code for code in policy.order if any(policy.texts[code] in names.get(name, ()) for name in carried[code])}


def _two_sided(part: SingleModel, policy: ReasonPolicy) -> set[str]:
    """Codes that a scorecard gives for a number that is too low for more points, and for one that is too high."""
    if not isinstance(part, Scorecard):
        return set()
    made = set()
    for code, carriers in policy.carriers(part).items():
        for position, indices in carriers:
            if position < len(part.characteristics):
                own = part.characteristics[position]
                if _is_two_sided(own, indices, policy.baselines[own.feature]):
                    made.add(code)
    return made


def _is_two_sided(characteristic: Characteristic, indices: Collection[int], baseline: float) -> bool:
    """Whether of these attributes one below the baseline is outdone by higher numbers alone, and one by lower alone."""
    cells = characteristic.cells
    numbers = [i for i, each in enumerate(characteristic.conditions) if isinstance(each, Interval)]
    sides = set()
    for i in numbers:
        if i in indices and cells[i] < baseline:
            better = {"above" if j > i else "below" for j in numbers if cells[j] > cells[i]}
            sides |= better if len(better) == 1 else set()
    return len(sides) > 1
