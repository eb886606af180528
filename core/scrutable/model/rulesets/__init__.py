"""Reading rule sets: rules as sentences, how many there are to read, and which of them voted on an applicant."""

from scrutable.model.rulesets.figures import RuleSetFigures, rule_set_figures
from scrutable.model.rulesets.hits import hits_of, rule_hits
from scrutable.model.rulesets.learned_rows import RULES, RuleSeen, rules_entry, rules_seen
from scrutable.model.rulesets.reading import RuleReading, deciding_sentence, fallback_sentences, read_rules, rule_length
from scrutable.model.rulesets.votes import RowVotes, row_votes

__all__ = [
    "RULES",
    "RowVotes",
    "RuleReading",
    "RuleSeen",
    "RuleSetFigures",
    "deciding_sentence",
    "fallback_sentences",
    "hits_of",
    "read_rules",
    "row_votes",
    "rule_hits",
    "rule_length",
    "rule_set_figures",
    "rules_entry",
    "rules_seen",
]
