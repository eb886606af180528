"""What plugin authors and our own tests check with: hostile models, hostile rows."""
