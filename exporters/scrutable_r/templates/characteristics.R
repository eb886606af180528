  # ---- Characteristics ----

  # An attribute: its points, and who has it: numbers from `from` up to where the next attribute begins; the values in
  # `is`, of which NA stands for missing; with neither, every value that no other attribute names. Values that `is`
  # names are not in any of the intervals.
  attribute <- function(points, from = NULL, is = NULL, reason = NULL) {
    list(points = points, from = from, is = is, reason = reason)
  }

  # The attributes of a characteristic as a table of slots: intervals, single values, any other value, missing.
  characteristic <- function(..., baseline = NULL, reason = NULL) {
    attributes <- list(...)
    from <- unlist(lapply(attributes, `[[`, "from"))
    is <- lapply(attributes, `[[`, "is")
    named <- rep(seq_along(is), lengths(is))
    values <- unlist(is)
    missing <- which(is.na(values))
    in_ladder <- which(!vapply(attributes, function(a) is.null(a$from), NA))
    other <- setdiff(seq_along(attributes), c(in_ladder, named))
    attribute_of <- c(in_ladder, named[-missing], other, named[missing])
    points <- vapply(attributes, `[[`, 0, "points")[attribute_of]
    slots <- length(attribute_of)
    item <- list(points = points, from = from, values = values[-missing], other = slots - 1L, missing = slots)
