
  # The codes that fall short most, largest first, ties in the order of `reason_order`, and by how much each does, NA
  # where that cannot be said. A knock-out comes before them, and stands alone where the score has `passed`.
  # `shortfalls` is a list in that order, NULL for some codes.
  rank_reasons <- function(shortfalls, knock_out, passed, k) {
    n <- length(knock_out)
    heard <- is.na(knock_out) | !passed
    reasons <- rep(list(rep(NA_character_, n)), k)
    points <- rep(list(rep(NA_real_, n)), k)
    carried <- which(!vapply(shortfalls, is.null, NA))
    codes <- reason_order[carried]
    short <- do.call(cbind, shortfalls[carried])
    for (place in seq_len(min(k, length(carried)))) {
      largest <- max.col(short, "first")
      cell <- seq_len(n) + (largest - 1) * n
      falls <- which(short[cell] > 0 & heard)
      reasons[[place]][falls] <- codes[largest[falls]]
      points[[place]][falls] <- short[cell[falls]]
      short[cell] <- 0
    }
    out <- which(!is.na(knock_out))
    for (place in rev(seq_len(k - 1L))) {
      reasons[[place + 1L]][out] <- reasons[[place]][out]
      points[[place + 1L]][out] <- points[[place]][out]
    }
    reasons[[1L]][out] <- knock_out[out]
    points[[1L]][out] <- NA
    c(reasons, points)
  }
