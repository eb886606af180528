
  # A column as doubles.
  numbers <- function(data, name) {
    x <- column(data, name)
    if (all_missing(x)) return(rep(NA_real_, length(x)))
    if (is.object(x) || !is.null(dim(x)) || !(is.double(x) || is.integer(x) || is.logical(x))) {
      refuse(name, kind(x), "numbers: double, integer or logical, of no other class")
    }
    as.double(x)
  }
