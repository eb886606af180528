"""A SAS DATA step that scores a table."""
