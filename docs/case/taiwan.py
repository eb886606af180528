# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From the champion a bank has to the challenger it can defend
#
# The applicants are the 30,000 card holders of Yeh and Lien (2009), UCI data set 350, as `taiwan_default.csv.gz` in the
# folder that the environment variable `SCRUTABLE_DATA` names. What is written goes to the folder that `SCRUTABLE_CASE`
# names, or to `case/`. The same steps are the script `docs/case/taiwan.py` and the notebook `docs/case/taiwan.ipynb`.

# %%
import json
import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from optbinning import BinningProcess
from optbinning import Scorecard as BanksScorecard
from sklearn.linear_model import LogisticRegression

from scrutable import create, dump, evaluate
from scrutable.fairness import Groups
from scrutable.model import Outcome, Scaling, dump_evidence, fingerprint
from scrutable.plugins.nothing_known import UnseenMissingWarning, refusing_missing
from scrutable.proof import certify, exporter_at, to_html, verification_rows
from scrutable_lifecycle.calibration import calibrate, rescale
from scrutable_lifecycle.monitoring import monitor
from scrutable_lifecycle.search import compare_models
from scrutable_lifecycle.strategy import Profit, choose_cutoff, rounding_effect, score_bands, swap_set
from scrutable_points_table.tables import read_points_table
from scrutable_review import Review

DATA = Path(os.environ["SCRUTABLE_DATA"]) / "taiwan_default.csv.gz"
OUTPUT = Path(os.environ.get("SCRUTABLE_CASE", "case"))
OUTPUT.mkdir(parents=True, exist_ok=True)
SEED = 0

# %% [markdown]
# ## The raw file
#
# Its columns have no names. Sex, age and marital status are no inputs: they serve to compare groups by. (In this file
# `X_1` is 1 for women and `X_0` is the credit limit.) Models learn from one part of the rows, the choice is made on a
# second, figures are taken on a third, and the fourth plays the applicants to come.

# %%
names = {"X_0": "limit", "X_1": "sex", "X_2": "education", "X_3": "marriage", "X_4": "age", "y": "default"}
for place, month in enumerate(("september", "august", "july", "june", "may", "april")):
    names |= {f"X_{5 + place}": f"months_late_{month}", f"X_{11 + place}": f"bill_{month}"}
    names |= {f"X_{17 + place}": f"payment_{month}"}
raw = pd.read_csv(DATA).rename(columns=names)
people = raw.assign(
    sex=raw["sex"].map({1: "female", 0: "male"}),
    education=raw["education"].map({1: "graduate school", 2: "university", 3: "high school"}).fillna("other"),
)
inputs = [name for name in people if name not in ("sex", "age", "marriage", "default")]
generator = np.random.default_rng(SEED)
parts = {"train": 0.5, "choice": 0.2, "test": 0.15, "new": 0.15}
drawn = generator.choice(list(parts), size=len(people), p=list(parts.values()))
train, choice, test, new = (people[drawn == name].reset_index(drop=True) for name in parts)
print({name: int((drawn == name).sum()) for name in parts})

# %% [markdown]
# ## The champion
#
# The points table that the bank runs. Here OptBinning makes one of five columns, as a stand-in for a table that has
# been in production for years; only the CSV file goes on from here. It comes in with a report of what it leaves open.

# %%
few = ["limit", "months_late_september", "months_late_august", "payment_september", "education"]
banks = BanksScorecard(
    binning_process=BinningProcess(few, categorical_variables=["education"]),
    estimator=LogisticRegression(),
    scaling_method="pdo_odds",
    scaling_method_params={"pdo": 20, "odds": 50, "scorecard_points": 600},
    rounding=True,
).fit(train[few], train["default"])
banks.table(style="detailed").to_csv(OUTPUT / "champion.csv", index=False)

imported = read_points_table(
    OUTPUT / "champion.csv",
    outcome=Outcome(target="default", classes=(0, 1), favourable=0),
    scaling=Scaling(pdo=20, base_score=600, base_odds=50, decimals=0),
    cutoff=530,
)
champion = imported.model
print(imported.report.describe())
same = evaluate(champion, people).score == banks.score(people[few])
print(f"equal scores: {same.sum():,} of {len(people):,}")
assert same.all()

# %% [markdown]
# ## Review of the bins
#
# Two edits by hand, each with who and why. They are kept with their effect on the information value about the outcome
# and about sex, and both learners that start from bins take them: `scorecard` and `lda-xgb1`.

# %%
review = Review(
    train[inputs],
    train["default"],
    favourable=0,
    sensitive_features=train[["sex"]],
    who="A. Modeller",
)
review.merges(
    "education",
    [["high school", "other"], ["graduate school"], ["university"]],
    why="the group 'other' mixes codes that the code book does not explain; too few to stand alone",
)
review.trend("months_late_september", "descending", why="points must not rise with months in arrears")
review.save(OUTPUT / "review.toml", overwrite=True)
for edit in review.audit:
    print(f"{edit.feature}: {edit.detail}; IV {edit.iv_before:.3f} to {edit.iv_after:.3f}; {edit.why}")

# %% [markdown]
# ## Four challengers
#
# A scorecard on the reviewed bins, a scorecard whose characteristics tell little about sex, weighted rules, and boosted
# stumps; the last two with a bound on the difference in opportunity. No value is missing in this file, so `fit` warns
# that an applicant of whom nothing is known would be approved. Whichever model is picked will decline them, see below.

# %%
warnings.simplefilter("ignore", UnseenMissingWarning)
bound = create("constraint", "fairness-information-value", bound=0.01)
opportunity = create("constraint", "opportunity", slack=0.02)
learners = {
    "scorecard": create("learner", "scorecard", binner=review.binner(), favourable=0),
    "lda-xgb1": create("learner", "lda-xgb1", binner=review.binner(), constraints=[bound], favourable=0),
    "rug": create("learner", "rug", constraints=[opportunity], penalty=0.1, favourable=0),
    "fairgbm depth 1": create("learner", "fairgbm", max_depth=1, constraints=[opportunity], favourable=0),
}
for name, learner in learners.items():
    learner.fit(train[inputs], train["default"], sensitive_features=train[["sex"]])
    print(f"{name}: {learner.model_!r}")

# %% [markdown]
# ## The choice, with its log
#
# Each model is cut to approve what the champion approves of the rows they learned from. The pick is the most accurate
# one whose ratio of approval rates between women and men is at least 0.9, on rows that none of them saw. The log says
# of each other model why not; rules have few scores, so theirs may approve more than asked, and are not compared then.

# %%
result = compare_models(
    {"champion": champion} | {name: learner.model_ for name, learner in learners.items()},
    choice[inputs],
    choice["default"],
    sensitive_features=choice[["sex"]],
    development=train[inputs],
    evidence={name: learner.evidence_ for name, learner in learners.items()},
    required_ratio=0.9,
    margin=0,
    random_state=SEED,
)
for candidate in result.candidates:
    print(f"{candidate.name}: AUC {candidate.auc:.4f}, ratio {candidate.ratio.value:.3f}. {candidate.why}")
assert result.picked.name != "champion"
(OUTPUT / "choice.json").write_text(json.dumps(result.to_dict(), indent=2) + "\n")

# %% [markdown]
# ## Points that people can read
#
# The pick says its probability anew on the rows it learned from, gets points on the usual scale (600 are odds of 50
# to 1, 20 more double them), and then whole points. Rounding has a price, and it is measured. A knock-out declines
# applicants of whom every input is missing, which no row of training shows how to score.

# %%
calibrated = calibrate(result.picked.model, train[inputs], train["default"])
scaled = rescale(calibrated.model, Scaling(pdo=20, base_score=600, base_odds=50)).model
rounded = rounding_effect(scaled, choice, (choice["default"] == 0).to_numpy())
whole = rounded.same_approval_rate
print(f"AUC {rounded.auc[0]:.4f} to {rounded.auc[1]:.4f}; {whole.flipped:.2%} of the decisions change")
challenger, evidence = refusing_missing(
    whole.model, replace(result.evidence(), model_sha256=fingerprint(whole.model)), "all"
)

# %% [markdown]
# ## Reasons in words
#
# A declined applicant is told specific reasons, not the names of columns.

# %%
words = {"limit": "Amount of the credit limit", "education": "Level of education"}
for month in ("september", "august", "july", "june", "may", "april"):
    words[f"months_late_{month}"] = f"Payments past due in {month.title()}"
    words[f"bill_{month}"] = f"Balance of the account in {month.title()}"
    words[f"payment_{month}"] = f"Amount paid in {month.title()}"
codes = challenger.reasons.codes
told = create("explainer", "reason-codes", codes=codes, texts={code: words[name] for name, code in codes.items()})
challenger = told.with_words(challenger)
evidence = replace(evidence, model_sha256=fingerprint(challenger))
dump(challenger, OUTPUT / "model.json", overwrite=True)
dump_evidence(evidence, OUTPUT / "evidence.json", overwrite=True)

# %% [markdown]
# ## The swap set
#
# Who would be decided otherwise than today, and how those people paid, at the same approval rate; on the third part of
# the rows, which nothing was chosen on.

# %%
good = (test["default"] == 0).to_numpy()
groups = Groups.from_frame(test[["sex"]])
swapped = swap_set(champion, challenger, test, good, groups=groups, at="approval rate")
for name, cell in swapped.parts.items():
    print(f"{name}: {cell.counts.applicants:,.0f} applicants, bad rate {cell.counts.bad_rate:.1%}")
for change in swapped.changes:
    print(f"{change.group}: approved {change.champion_rate:.1%} before, {change.challenger_rate:.1%} after")
assert swapped.swapped_in.counts.bad_rate < swapped.swapped_out.counts.bad_rate

# %% [markdown]
# ## Bands, and a cutoff by profit
#
# The amounts stand in for the bank's own: what a good payer brings, and what a bad one costs.

# %%
found = evaluate(challenger, test)
score, challenger_rate = found.score, found.approved.mean()
for band in score_bands(score, good, bands=5).bands:
    print(f"{band.title}: {band.part.counts.share:.0%}, bad rate {band.part.counts.bad_rate:.1%}")
best = choose_cutoff(score, good, profit=Profit(approved_good=100, approved_bad=-400), groups=groups)
print(f"most profit: cutoff {best.cutoff:.0f}, approving {best.decided.approval_rate:.1%}")
print(f"the model keeps {challenger.cutoff:.0f}, approving {challenger_rate:.1%}")

# %% [markdown]
# ## Notices, SQL, and a certificate
#
# The first three declined applicants get their letters. DuckDB runs the SQL on all test rows, on a thousand drawn at
# random and on edge values; the certificate says what was compared and that nothing differed.

# %%
lender = {
    "name": "Example Bank",
    "address": ["1 Main Street", "Springfield, IL 62701"],
    "agency": {
        "name": "Bureau of Consumer Financial Protection",
        "address": ["1700 G Street NW.", "Washington, DC 20552"],
    },
}
declined = test[~found.approved].head(3)
notices = create("exporter", "notices", applicants=declined, lender=lender, date="2026-11-22")
notices.export(challenger).write(OUTPUT / "notices", overwrite=True)
for person in create("explainer", "reason-codes").explain(challenger, declined):
    print(f"{person.score:.0f} points:", "; ".join(reason.describe() for reason in person.reasons))

sql = exporter_at("duckdb", table="applicants")
sql.export(challenger).write(OUTPUT / "sql", overwrite=True)
certificate = certify(challenger, [sql], verification_rows(challenger, test[inputs], n_random=1000, seed=SEED))
(OUTPUT / "certificate.html").write_text(to_html(certificate), encoding="utf-8")
print(f"{sum(certificate.rows[kind] for kind in ('edge', 'drawn', 'data')):,} rows; passed: {certificate.passed}")
assert certificate.passed

# %% [markdown]
# ## Monitoring
#
# New applicants like those before raise no alert. Then the same people in a downturn: more of them in arrears.

# %%
quiet = monitor(challenger, test, new, y_baseline=test["default"], y=new["default"])
late = new.assign(
    months_late_september=new["months_late_september"] + generator.integers(0, 3, len(new)),
    payment_september=new["payment_september"] // 4,
)
alarmed = monitor(challenger, test, late, y_baseline=test["default"])
(OUTPUT / "monitoring.html").write_text(alarmed.html(), encoding="utf-8")
print(f"as before: {quiet.status}; in the downturn: {alarmed.status}")
for alert in alarmed.alerts:
    print(f"{alert.title} of {alert.subject}: {alert.value:.2f}")
assert quiet.status == "ok"
assert alarmed.status == "alert"
