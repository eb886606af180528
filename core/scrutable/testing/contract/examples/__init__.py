"""What components are checked on: data, models and rows."""
