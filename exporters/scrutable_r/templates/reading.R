  # ---- Reading columns: by name, refused where they are of another kind. NA and NaN are missing. ----

  refuse <- function(name, got, expected) {
    stop("column ", encodeString(name, quote = "'"), ": got ", got, "; expected ", expected, call. = FALSE)
  }

  column <- function(data, name) {
    at <- which(names(data) == name)
    if (length(at) == 0L) refuse(name, "no such column", "one column of this name")
    if (length(at) > 1L) refuse(name, paste(length(at), "columns of this name"), "one")
    .subset2(data, at)
  }

  # Whether there is nothing but NA in a column, so that it is of no kind.
  all_missing <- function(x) is.atomic(x) && (is.factor(x) || !is.object(x)) && is.na(x[1L]) && all(is.na(x))

  kind <- function(x) paste("a column of class", paste(class(x), collapse = ", "))
