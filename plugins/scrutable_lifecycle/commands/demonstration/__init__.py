"""What `scrutable demo` does (`run`) and how it is shown (`page`)."""

#: The files that it writes.
FILES = ("model.json", "plain.json", "evidence.json", "score.sql", "certificate.html", "demo.svg")
