    item
  }

  # The slot of each row.
  slot_of <- function(item, x) {
    if (is.null(item$from)) {
      slot <- match(x, item$values, item$other)
    } else {
      slot <- findInterval(x, item$from)
      for (i in seq_along(item$values)) slot[which(x == item$values[i])] <- length(item$from) + i
    }
    slot[is.na(x)] <- item$missing
    slot
  }
