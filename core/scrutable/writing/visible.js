/**
 * A text in one line, in which whatever would not be seen is shown escaped; the rule is that of `scrutable.writing.visible`.
 *
 * A joiner stands before a letter, after one of a script that joins or after a mark, as a virama is.
 */
function visible(text) {
  const joined = "(?<=[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Nkoo}\\p{sc=Mand}\\p{sc=Adlm}\\p{sc=Rohg}]\\p{Mn}*|\\p{M})";
  const unseen = "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}]";
  return text.replace(new RegExp(`(?!${joined}\\p{Join_Control}\\p{L})${unseen}`, "gu"), (character) => {
    const code = character.codePointAt(0);
    const [mark, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return `\\${mark}${code.toString(16).padStart(digits, "0")}`;
  });
}
