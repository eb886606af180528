    if (!is.null(baseline)) {
      code <- vapply(attributes, function(a) if (is.null(a$reason)) reason else a$reason, "")[attribute_of]
      below <- pmax(baseline - points, 0)
      item$shortfalls <- lapply(unique(code[below > 0]), function(one) {
        list(place = match(one, reason_order), below = ifelse(code == one, below, 0))
      })
    }
