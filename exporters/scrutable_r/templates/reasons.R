
  # The codes that fall short most, largest first, ties in the order of `reason_order`; a knock-out comes before them.
  rank_reasons <- function(shortfalls, knock_out, k) {
    n <- length(knock_out)
    ranked <- rep(list(rep(NA_character_, n)), k)
    carried <- which(!vapply(shortfalls, is.null, NA))
    codes <- reason_order[carried]
    short <- do.call(cbind, shortfalls[carried])
    for (place in seq_len(min(k, length(carried)))) {
      largest <- max.col(short, "first")
      cell <- seq_len(n) + (largest - 1) * n
      code <- codes[largest]
      code[short[cell] == 0] <- NA
      ranked[[place]] <- code
      short[cell] <- 0
    }
    out <- which(!is.na(knock_out))
    for (place in rev(seq_len(k - 1L))) ranked[[place + 1L]][out] <- ranked[[place]][out]
    ranked[[1L]][out] <- knock_out[out]
    ranked
  }
