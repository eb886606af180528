
  # A column, of texts or a factor, as texts in UTF-8. They are compared by code point.
  texts <- function(data, name) {
    x <- column(data, name)
    if (all_missing(x)) return(rep(NA_character_, length(x)))
    if (is.factor(x)) x <- levels(x)[x]
    if (!is.character(x) || is.object(x) || !is.null(dim(x))) refuse(name, kind(x), "texts: character or factor")
    text <- enc2utf8(x)
    suspect <- which(!validUTF8(x))
    # outside of UTF-8 locales, what the session cannot read is now an ASCII text of other bytes
    if (!l10n_info()[["UTF-8"]]) suspect <- union(suspect, which(nchar(text, "bytes") != nchar(x, "bytes")))
    readable <- Encoding(text[suspect]) == "UTF-8" & validUTF8(text[suspect])
    if (!all(readable)) {
      refuse(name, paste("in row", min(suspect[!readable]), "a text of unknown encoding"), "texts whose encoding is declared")
    }
    text
  }
