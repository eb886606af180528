  # ---- Trees ----

  # `then` where a condition holds, `otherwise` where it is FALSE or NA.
  pick <- function(when, then, otherwise) {
    chosen <- rep_len(otherwise, length(when))
    rows <- which(when)
    chosen[rows] <- if (length(then) == 1L) then else then[rows]
    chosen
  }
