"""Columns as they are in real data frames: kinds, classes, encodings, row names; and what is refused."""

from __future__ import annotations

from dataclasses import replace

from cards import card, categories, ladder, numbers, reason_policy

from scrutable.model import Clause, Interval, KnockOut, Outcome, Policy, Rule, RuleSet
from scrutable_r.exporter import RExporter

from .conftest import RunR

MODEL = card(ladder("x", 18.0), categories("job", "caf\u00e9", "1", "NA"))
TEXT = RExporter().export(MODEL).text
HEAD = r"""
native <- rawToChar(as.raw(c(0x63, 0x61, 0x66, 0xc3, 0xa9)))
latin <- "caf\xe9"; Encoding(latin) <- "latin1"
utf8 <- native; Encoding(utf8) <- "UTF-8"
frame <- function(x, job) structure(list(x = x, job = job), row.names = seq_along(x), class = "data.frame")
scores <- function(x, job = rep("1", length(x))) cat(score(frame(x, job))$score, "")
message_of <- function(code) cat(tryCatch({ code; "no error" }, error = conditionMessage), "\n")
"""


def test_kinds_that_are_read(run_r: RunR) -> None:
    code = r"""
    scores(c(17, 18, NA, NaN, Inf, -Inf)); scores(c(17L, 18L, NA)); scores(c(TRUE, NA)); scores(c(a = 18)); cat("\n")
    scores(c(1, 1, 1), c("1", "NA", NA)); scores(rep(1, 4), factor(c("1", "x", NA, latin), levels = c("x", "1", latin)))
    scores(c(1, 1), addNA(factor(c("1", NA)))); scores(c(1, 1, 1), c(latin, utf8, "cafe\u{301}")); cat("\n")
    scores(c(NA, NA), c(NA, NA)); scores(NA_character_, NA_real_); scores(factor(NA), factor(NA)); cat("\n")
    """
    assert [line.strip() for line in run_r(TEXT, HEAD + code).splitlines()] == [
        "502 512 497 497 512 502 502 512 497 502 497 512",
        "502 503 495 502 500 495 501 502 495 501 501 500",
        "490 490 490 490",
    ]


REFUSED = {
    'frame("18", "1")': "column 'x': got a column of class character; expected numbers: double, integer or logical",
    'frame(factor("18"), "1")': "column 'x': got a column of class factor; expected numbers",
    'frame(as.Date("2020-01-01"), "1")': "column 'x': got a column of class Date; expected numbers",
    'frame(structure(8.9e-323, class = "integer64"), "1")': "column 'x': got a column of class integer64",
    'frame(1i, "1")': "column 'x': got a column of class complex",
    'frame(list(1), "1")': "column 'x': got a column of class list",
    'frame(matrix(1), "1")': "column 'x': got a column of class matrix, array",
    "frame(1, 1)": "column 'job': got a column of class numeric; expected texts: character or factor",
    "frame(1, TRUE)": "column 'job': got a column of class logical; expected texts",
    'frame(1, I("1"))': "column 'job': got a column of class AsIs; expected texts",
    "data.frame(x = 1)": "column 'job': got no such column; expected one column of this name",
    'data.frame(X = 1, job = "1")': "column 'x': got no such column",
    'data.frame(x = 1, x = 2, job = "1", check.names = FALSE)': "column 'x': got 2 columns of this name; expected one",
    'list(x = 1, job = "1")': "expected a data.frame, got an object of class list",
    "NULL": "expected a data.frame, got an object of class NULL",
    r'frame(1, {x <- "\xe9"; Encoding(x) <- "UTF-8"; x})': "column 'job': got in row 1 a text of unknown encoding",
    r'frame(c(1, 1), c("1", "caf\xe9"))': "column 'job': got in row 2 a text of unknown encoding",
}


def test_what_is_refused(run_r: RunR) -> None:
    lines = run_r(TEXT, HEAD + "\n".join(f"message_of(score({data}))" for data in REFUSED)).splitlines()
    for line, message in zip(lines, REFUSED.values(), strict=True):
        assert line.startswith(message)


def test_texts_without_an_encoding_are_read_as_the_locale_says_or_refused(run_r: RunR, locale: str) -> None:
    found = run_r(TEXT, HEAD + 'message_of(scores(1, native)); message_of(scores(c(1, 1), c("<c3><a9>", "<e9>")))')
    if locale == "C":
        assert found.startswith("column 'job': got in row 1 a text of unknown encoding")
    else:
        assert found.startswith("501 no error")
    assert "500 500 no error" in found


def test_arguments_and_rows(run_r: RunR) -> None:
    plain = card(*(ladder(name, 18.0) for name in "xyz"))
    model = replace(
        plain,
        reasons=reason_policy(plain, order="zxy"),
        policy=Policy(
            knock_outs=(
                KnockOut(code="K1", reason="low", when=(Clause("x", (Interval(upper=-5),)),)),
                KnockOut(code="K2", reason="lower", when=(Clause("x", (Interval(upper=-1),)),)),
            )
        ),
    )
    code = """
    data <- data.frame(z = c(0, 0, NA), other = "text", y = c(0, 20, 20), x = c(0, -2, -9))
    rownames(data) <- c("c", "a", "b")
    cat(names(score(data)), "\n"); cat(names(score(data, points = FALSE)), "\n")
    cat(names(score(data, reasons = FALSE)), "\n"); cat(rownames(score(data)), "\n")
    found <- score(data); cat(found$reason_1, found$reason_2, "\n"); cat(found$knock_out, class(found$approved), "\n")
    cat(found$short_1, found$short_2, "\n")
    cat(dim(score(data[0, ])), identical(names(score(data[0, ])), names(found)), "\n")
    """
    points = "points_x points_y points_z"
    assert [line.strip() for line in run_r(RExporter().export(model).text, code).splitlines()] == [
        f"score probability approved knock_out {points} reason_1 reason_2 short_1 short_2",
        "score probability approved knock_out reason_1 reason_2 short_1 short_2",
        f"score probability approved knock_out {points}",
        "c a b",
        "R z K2 K1 R x NA R z",
        "NA K2 K1 integer",
        "10 NA NA 10 NA 15",
        "0 11 TRUE",
    ]


def test_nothing_but_the_function_is_left_behind(run_r: RunR) -> None:
    code = """
    state <- function() list(options(), Sys.getlocale(), search(), Sys.getenv(), getwd())
    rm(score); before <- state(); source("score.R"); invisible(score(data.frame(x = 1, job = "1"))); after <- state()
    cat(identical(before, after), ls(all.names = TRUE))
    """
    assert run_r(TEXT, code) == "TRUE after before score state"


def test_options_of_the_session_change_nothing(run_r: RunR) -> None:
    model = RuleSet(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=numbers("x"),
        rules=tuple(Rule(when=(Clause("x", (Interval(lower=i),)),), outcome=i % 2) for i in range(12)),
        fallback=(Rule(when=(), outcome=1),),
    )
    code = """
    data <- data.frame(x = c(-1:12, NA)); before <- score(data)
    options(warn = 2, stringsAsFactors = FALSE, scipen = -20, OutDec = ",", digits = 3)
    cat(identical(before, score(data)), score(data)$rules[12], dim(score(data[0, , drop = FALSE])))
    """
    assert run_r(RExporter().export(model).text, code) == "TRUE 1 2 3 4 5 6 7 8 9 10 11 0 5"
