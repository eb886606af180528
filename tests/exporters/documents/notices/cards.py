"""A scorecard whose reasons are known, and trees that decline without one."""

from __future__ import annotations

from cards import OUTCOME, ensemble, numbers, policy_of

from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    FrozenMapping,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Policy,
    Scorecard,
    Split,
    TreeEnsemble,
)

FEATURES = ("income", "debts", "delinquencies", "residence", "inquiries")
TEXTS = {
    "R1": "Income insufficient for amount of credit requested",
    "R2": "Excessive obligations in relation to income",
    "R3": "Delinquent past or present credit obligations",
    "R4": "Length of residence",
    "R5": "Number of recent inquiries on credit bureau report",
}
GERMAN = {
    "R1": "Einkommen im Verhältnis zur Kredithöhe",
    "R2": "Verpflichtungen im Verhältnis zum Einkommen",
    "R3": "Zahlungsrückstände",
    "R4": "Wohndauer",
    "R5": "Zahl der Kreditanfragen",
    "K1": "Laufendes Insolvenzverfahren",
}
CHINESE = {
    "R1": "收入与申请金额不符",
    "R2": "债务占收入比例过高",
    "R3": "逾期还款记录",
    "R4": "居住时间",
    "R5": "近期信用查询次数",
    "K1": "破产程序进行中",
}


def known_card() -> Scorecard:
    """Each feature gives 0 points below 1 and 20 from 1; 560 points are approved; a bankruptcy declines at once."""
    ladder = (
        Attribute(condition=Interval(upper=1), points=0),
        Attribute(condition=Interval(lower=1), points=20),
        Attribute(condition=Missing(), points=0),
    )
    baselines = dict(zip(FEATURES, (18.0, 17.0, 16.0, 15.0, 14.0), strict=True))
    return Scorecard(
        outcome=OUTCOME,
        features=numbers(*(*FEATURES, "bankrupt")),
        characteristics=tuple(Characteristic(feature=name, attributes=ladder) for name in FEATURES),
        base_points=500,
        cutoff=560,
        calibration=Calibration(slope=0.03, intercept=-16),
        policy=Policy(
            knock_outs=(KnockOut(code="K1", reason="Bankruptcy", when=(Clause("bankrupt", (Interval(lower=1),)),)),),
        ),
        reasons=policy_of(
            method="below-average",
            population="all applicants",
            cutoff=560,
            baselines=baselines,
            codes=dict(zip(FEATURES, TEXTS, strict=True)),
            texts=TEXTS,
            inquiries=("inquiries",),
            translations=FrozenMapping({"de": FrozenMapping(GERMAN), "zh": FrozenMapping(CHINESE)}),
        ),
    )


def helpless_trees() -> TreeEnsemble:
    """Declines an income below 1, which is no less than the baseline."""
    clause = Clause("income", (Interval(upper=1),))
    return ensemble(
        features=numbers("income"),
        trees=(Split(when=clause, then=Leaf(value=-1), otherwise=Leaf(value=1)),),
        reasons=policy_of(
            method="shapley",
            population="all applicants",
            baselines={"income": -1.0},
            codes={"income": "R1"},
            texts={"R1": TEXTS["R1"]},
        ),
    )
