
  # A feature that can be a reason: where its shortfall starts, and its code.
  feature <- function(start, code) list(start = start, code = code)

  # A code falls short by the most that one of its features does.
  by_code <- function(short) {
    codes <- vapply(reasoned, `[[`, "", "code")
    lapply(reason_order, function(code) if (code %in% codes) do.call(pmax.int, short[codes == code]))
  }
