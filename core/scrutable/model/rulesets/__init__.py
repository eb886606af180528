"""Reading rule sets: rules as sentences, how many there are to read, and which of them voted on an applicant."""

from scrutable.model.rulesets.figures import rule_set_figures
from scrutable.model.rulesets.hits import hits_of, rule_hits
from scrutable.model.rulesets.learned_rows import RULES, rules_entry
from scrutable.model.rulesets.reading import deciding_sentence, fallback_sentences, read_rules
from scrutable.model.rulesets.votes import row_votes

__all__ = [
    "RULES",
    "deciding_sentence",
    "fallback_sentences",
    "hits_of",
    "read_rules",
    "row_votes",
    "rule_hits",
    "rule_set_figures",
    "rules_entry",
]
