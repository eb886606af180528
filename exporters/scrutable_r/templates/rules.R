  # ---- Rules ----

  # A rule: when it applies, and its votes for a class, by position. One that votes against the applicant may name the
  # features that it reads, by position: they fall short by its weight.
  rule <- function(when, class, weight, against = NULL) {
    list(when = when, class = class, weight = weight, against = against)
  }

  # The positions of the rules that apply, written after those already there. Bit i of `hits` stands for rule first + i.
  add_positions <- function(positions, hits, first) {
    distinct <- unique(hits)
    words <- vapply(distinct, function(bits) {
      paste(first - 1L + which(as.logical(intToBits(bits))), collapse = " ")
    }, "")
    words <- words[match(hits, distinct)]
    both <- which(positions != "" & words != "")
    words[both] <- paste(positions[both], words[both])
    rows <- which(words != "")
    positions[rows] <- words[rows]
    positions
  }
