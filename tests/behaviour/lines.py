"""Command lines whose files and outputs are recorded: all commands but `review`, every kind of model and dialect."""

from __future__ import annotations

from itertools import product

PLAIN = "--target credit_risk --favourable good --protected sex --drop age --drop personal_status"
PLAIN += " --drop marital_status --drop foreign_worker --drop age_group --drop loan"
#: Columns of the lender's own.
OWN = "--drop applied --drop weight --drop accepted"
ROLES = f"{PLAIN} {OWN}"
NO_ROLES = "--drop sex --drop credit_risk --drop loan"
QUICK = "--binner quantile --binner-option max_bins=4"
TWO = f"{ROLES} --test-size 0.3"
DIVERGENCE = "--constraint fairness-information-value:bound=0.05"
RATES = "--constraint false-positive-rate:slack=0.1,positive=unfavourable"
SEGMENTS = 'segments={"young":"duration_months<13","rest":"else"}'
WITHOUT = PLAIN.replace(" --drop loan", "")
#: What is fitted, by the name of the file of the model; its evidence is written beside it.
FITS = {
    "card": f"loans.csv {WITHOUT} {OWN} --id loan",
    "quick": f"loans.csv {WITHOUT} {OWN} {QUICK} --id loan --seed 3",
    "time": f"loans.csv {PLAIN} --drop weight --drop accepted {QUICK} --date applied --out-of-time 0.3",
    "declined": f"loans.csv {PLAIN} --drop weight --drop applied {QUICK} --accepted accepted --reject-inference fuzzy",
    "weighted": f"loans.csv {PLAIN} --drop applied --drop accepted {QUICK} --weight weight --reference sex=female",
    "missing": f"gaps.csv {PLAIN} {QUICK} --refuse-missing all",
    "edited": f"loans.csv {TWO} {QUICK} --edits edits.toml",
    "lda": f"loans.csv {TWO} --learner lda-xgb1 {DIVERGENCE}",
    "boosted": f"loans.csv {TWO} --learner fairgbm --option n_estimators=20 {RATES}",
    "rules": f"loans.csv {TWO} --learner rug --option iterations=5",
    "tree": f"loans.csv {TWO} --learner fcca-tree --option max_depth=2 --option leaf_penalty=0",
    "segments": f"loans.csv {TWO} --learner segmented --option {SEGMENTS}",
    "quantity": f"loans.csv {OWN} --target credit_amount --learner scorecard-regressor {NO_ROLES}",
    "three": f"loans.csv {OWN} --target savings --learner rug {NO_ROLES}",
    **{
        f"binner-{name}": f"loans.csv {TWO} --binner {name}"
        for name in ("fiv-bounded", "optbinning", "optimal", "xgb1", "fcca")
    },
}
#: Models that everything below is asked of.
MODELS = ("quick", "lda", "boosted", "rules", "tree", "segments", "quantity", "three", "missing")
DIALECTS = ("duckdb", "sqlite", "postgres", "mariadb", "clickhouse", "spark", "mysql", "bigquery", "snowflake")
DIALECTS += ("tsql", "oracle", "redshift", "databricks", "trino")
JUDGED = "--target credit_risk --protected sex"


def lines() -> dict[str, str]:
    """Each command line by a name; they run in this order in one folder."""
    made = {
        f"fit {name}": f"fit {given} -o {name}.json --evidence {name}-evidence.json" for name, given in FITS.items()
    }
    made["fit json"] = f"fit loans.csv {TWO} {QUICK} -o json.json --json"
    made["lender"] = "notices --example-lender"
    for model in MODELS:
        made |= _of(model)
    for dialect, form in product(DIALECTS, ("select", "view")):
        named = "" if form == "select" else "--name scores"
        asked = f"export quick.json --to sql --dialect {dialect} --form {form} {named} --id loan"
        made[f"sql {dialect} {form}"] = f"{asked} --option test_rows=20 -o sql-{dialect}-{form}/"
    made["dbt"] = "export quick.json --to sql --form dbt --name scores -o dbt/"
    return made | _scorecards() | _others()


def _of(model: str) -> dict[str, str]:
    made = {
        "show": f"show {model}.json",
        "score": f"score {model}.json loans.csv -o {model}-scores.csv",
        "score points": f"score {model}.json loans.csv --points --reasons --json",
        "explain": f"explain {model}.json loans.csv --row 7",
        "explain json": f"explain {model}.json loans.csv --row 7 --json",
        "explain counterfactual": f"explain {model}.json loans.csv --explainer counterfactual --row 7 --json",
        "plot": f"plot {model}.json -o {model}.svg",
        "plot json": f"plot {model}.json --json",
        "reasons": f"reasons {model}.json",
        "report": f"report {model}.json --evidence {model}-evidence.json -o {model}-report.html",
        "report data": f"report {model}.json --data loans.csv {JUDGED} -o {model}-data.html",
        "validate": f"validate {model}.json loans.csv {JUDGED}",
        "validate json": f"validate {model}.json loans.csv {JUDGED} --json",
        "monitor": f"monitor {model}.json loans.csv gaps.csv {JUDGED} -o {model}-monitoring/",
        "monitor json": f"monitor {model}.json loans.csv gaps.csv --json",
        "verify": f"verify {model}.json --engine duckdb --json",
    }
    for exporter in (
        "json",
        "onnx",
        "python",
        "r",
        "c",
        "java",
        "javascript",
        "excel",
        "points-table",
        "reason-document",
        "sql",
    ):
        made[f"export {exporter}"] = f"export {model}.json --to {exporter} -o {model}-{exporter}/"
    return {f"{what} of {model}": line for what, line in made.items()}


def _scorecards() -> dict[str, str]:
    asked = "loans.csv --target credit_risk --protected sex"
    rule = "--knock-out N1 --when duration_months>42 --reason Length --who x"
    notices = "quick.json loans.csv --lender lender.toml --date 2026-11-22 --id loan"
    return {
        "calibrate": f"calibrate quick.json {asked} -o calibrated.json --picture reliability.svg",
        "calibrate json": f"calibrate quick.json {asked} --central-tendency 0.05 -o calibrated5.json --json",
        "rescale": "rescale quick.json --pdo 40 --decimals 0 --data loans.csv -o rescaled.json --json",
        "bands": f"strategy bands quick.json {asked} --picture bands.svg --json",
        "cutoff": f"strategy cutoff quick.json {asked} --approval-rate 0.6 --curve curve.csv -o recut.json --json",
        "swap": f"strategy swap quick.json lda.json {asked} --at approval-rate --json",
        "rounding": f"strategy rounding quick.json {asked} -o rounded.json --json",
        "bands shown": f"strategy bands quick.json {asked}",
        "cutoff shown": f"strategy cutoff quick.json {asked} --max-bad-rate 0.2",
        "swap shown": f"strategy swap quick.json lda.json {asked}",
        "rounding shown": f"strategy rounding quick.json {asked}",
        "compare": f"compare quick.json lda.json binner-optimal.json --data loans.csv {JUDGED} -o compared",
        "compare json": f"compare quick.json lda.json --data loans.csv {JUDGED} --require 0.8 -o compared2 --json",
        "policy add": f"policy add quick.json {rule} --why x -o ruled.json",
        "policy list": "policy list ruled.json",
        "policy test": f"policy test ruled.json {asked} --picture effect.svg",
        "policy test json": f"policy test ruled.json {asked} --json",
        "policy remove": "policy remove ruled.json N1 --who x --why x -o unruled.json --json",
        "combine": "combine young=quick.json rest=lda.json --when young=duration_months<13 -o combined.json",
        "search": f"search loans.csv {ROLES} --learner lda-xgb1 --require 0.85 -o search",
        "search json": f"search loans.csv {ROLES} --learner lda-xgb1 --at 0.5 -o search2 --json",
        "reasons toml": "reasons quick.json --toml",
        "reasons near": "reasons quick.json --method near-cutoff --reference loans.csv --output near.json",
        "notices": f"notices {notices} --format html --format docx --draft -o notices",
        "summary": "explain quick.json loans.csv --explainer counterfactual --summary --protected sex --json",
        "import": "import quick-points-table/points.csv --classes bad,good --favourable good --cutoff 500 -o in.json",
    }


def _others() -> dict[str, str]:
    bins = {
        f"bins {name}": f"bins loans.csv {ROLES} --binner {name} --json"
        for name in ("optimal", "quantile", "fiv-bounded")
    }
    kinds = ("binner", "learner", "constraint", "explainer", "exporter")
    new = {f"new {kind}": f"new {kind} a-thing -o new-{kind}" for kind in kinds}
    plugins = {f"plugins {what}": f"plugins {what}" for what in ("list", "list --json", "show rug", "doctor", "--json")}
    refused = {
        "refused model": "score no.json loans.csv",
        "refused target": "fit loans.csv --target no -o no.json",
        "refused option": f"fit loans.csv {TWO} --option no=1 -o no.json",
        "help": "--help",
        "help fit": "fit --help",
    }
    drawn = {
        "bins drawn": f"bins loans.csv {ROLES} {QUICK} --feature purpose -o pictures",
        "bins shown": f"bins loans.csv {ROLES}",
    }
    return bins | drawn | new | plugins | refused | {"demo": "demo -o demo"}
