"""What languages with the expressions and statements of C have in common; each spells the rest."""
