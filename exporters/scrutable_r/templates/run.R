# Scores the rows of every job in the folder. The names of jobs come from the command line; transfer.py in the exporter
# says what rows.bin and results.bin are.

integers <- function(file, n) readBin(file, "integer", n, size = 4L, endian = "little")

text <- function(file) {
  found <- rawToChar(readBin(file, "raw", integers(file, 1L)))
  Encoding(found) <- "UTF-8"
  found
}

texts <- function(file, n) vapply(seq_len(n), function(i) text(file), "")

put_integers <- function(x, file) writeBin(as.integer(x), file, size = 4L, endian = "little")

put_text <- function(x, file) {
  bytes <- charToRaw(enc2utf8(x))
  put_integers(length(bytes), file)
  writeBin(bytes, file)
}

read_rows <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  n <- integers(file, 1L)
  columns <- names <- list()
  for (i in seq_len(integers(file, 1L))) {
    names[[i]] <- text(file)
    columns[[i]] <- if (integers(file, 1L) == 0L) {
      readBin(file, "double", n, size = 8L, endian = "little")
    } else {
      known <- texts(file, integers(file, 1L))
      known[integers(file, n)]
    }
  }
  structure(columns, names = unlist(names), row.names = seq_len(n), class = "data.frame")
}

write_results <- function(data, path) {
  file <- file(path, "wb")
  on.exit(close(file))
  put_integers(c(nrow(data), length(data)), file)
  for (i in seq_along(data)) {
    put_text(names(data)[i], file)
    x <- data[[i]]
    if (is.double(x)) {
      put_integers(0L, file)
      writeBin(x, file, size = 8L, endian = "little")
    } else if (is.integer(x)) {
      put_integers(c(1L, x), file)
    } else {
      known <- unique(x[!is.na(x)])
      put_integers(c(2L, length(known)), file)
      for (one in known) put_text(one, file)
      put_integers(match(x, known), file)
    }
  }
}

for (job in commandArgs(trailingOnly = TRUE)) {
  defined <- new.env()
  source(file.path(job, "score.R"), local = defined, keep.source = FALSE)
  score <- get(ls(defined, all.names = TRUE), envir = defined)
  write_results(score(read_rows(file.path(job, "rows.bin"))), file.path(job, "results.bin"))
}
