  # What a path asks of a feature, and what its leaf adds for that feature. That depends on which of the path's features
  # have what it asks: none, the first, the second, the first and the second, the third, and so on.
  asks <- function(when, feature, ...) list(when = when, feature = feature, effects = c(...))

  # A condition that is NA does not hold.
  holds <- function(when) !is.na(when) & when
  fails <- function(when) is.na(when) | !when
