  # ---- What the function is made of ----

  # The place of each number: its own if it is one of `values`, else that of the rung that begins at the last number
  # of `from` that it reaches.
  place_of_numbers <- function(x, from, rungs = NULL, values = NULL, places = NULL, missing) {
    place <- findInterval(x, from)
    if (!is.null(rungs)) place <- rungs[place]
    for (i in seq_along(values)) place[which(x == values[i])] <- places[i]
    place[is.na(x)] <- missing
    place
  }

  # The place of each text: its own if it is one of `values`.
  place_of_texts <- function(x, values = character(), places = integer(), other, missing) {
    place <- c(places, other)[match(x, values, length(values) + 1L)]
    place[is.na(x)] <- missing
    place
  }

  # A condition that is NA does not hold.
  certain <- function(when) !is.na(when) & when

  # `then` where a condition holds, `otherwise` where it is FALSE or NA.
  pick <- function(when, then, otherwise) {
    chosen <- rep_len(otherwise, length(when))
    rows <- which(when)
    chosen[rows] <- if (length(then) == 1L) then else then[rows]
    chosen
  }

  # One of several, by a place.
  pick_at <- function(place, ...) {
    of <- list(...)
    chosen <- rep_len(of[[1L]], length(place))
    for (i in seq_along(of)[-1L]) {
      rows <- which(place == i)
      chosen[rows] <- if (length(of[[i]]) == 1L) of[[i]] else of[[i]][rows]
    }
    chosen
  }

  # Which of several conditions is the first that holds, or one more than there are.
  first_of <- function(n, conditions) {
    place <- rep(length(conditions) + 1L, n)
    for (i in rev(seq_along(conditions))) place[which(rep_len(conditions[[i]], n))] <- i
    place
  }

  # The words of the conditions that hold.
  spelled <- function(n, conditions, words) {
    text <- rep("", n)
    for (first in seq(1L, by = 30L, length.out = ceiling(length(words) / 30))) {
      some <- first:min(first + 29L, length(words))
      bits <- rep(0L, n)
      for (i in seq_along(some)) bits <- bits + as.integer(2^(i - 1L)) * conditions[[some[i]]]
      distinct <- unique(bits)
      pieces <- vapply(distinct, function(one) paste(words[some[as.logical(intToBits(one))[seq_along(some)]]], collapse = " "), "")
      piece <- pieces[match(bits, distinct)]
      both <- which(text != "" & piece != "")
      text[both] <- paste(text[both], piece[both])
      alone <- which(text == "")
      text[alone] <- piece[alone]
    }
    text
  }

  # The codes that fall short, those that do most first, of equal ones the first; and by how much.
  ranked <- function(n, shortfalls, k) {
    none <- length(shortfalls) + 1L
    short <- do.call(cbind, shortfalls)
    codes <- rep(list(rep(none, n)), k)
    below <- rep(list(rep(NA_real_, n)), k)
    for (place in seq_len(min(k, length(shortfalls)))) {
      most <- max.col(short, "first")
      cell <- seq_len(n) + (most - 1) * n
      value <- short[cell]
      short[cell] <- 0
      rest <- which(value <= 0)
      most[rest] <- none
      value[rest] <- NA
      codes[[place]] <- most
      below[[place]] <- value
    }
    list(code = codes, short = below)
  }

  # Results with those of some rows among them.
  put <- function(results, rows, those) {
    for (i in seq_along(those)) if (!is.null(those[[i]])) results[[i]][rows] <- those[[i]]
    results
  }
