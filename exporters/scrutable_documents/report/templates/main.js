// Where the page starts: a table of rows to evaluate where one is put into the page, else the form.

const WORDS = read("words-json");

if (document.getElementById("rows-json") === null) {
  const form = document.getElementById("applicant");
  const refresh = () => {
    const row = readForm(WORDS.form);
    if (row === null) {
      showIncomplete();
    } else {
      show(WORDS, row);
    }
  };
  form.addEventListener("input", refresh);
  form.addEventListener("reset", () => setTimeout(refresh));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("what-if").hidden = false;
  refresh();
} else {
  const results = document.createElement("pre");
  results.id = "results";
  results.textContent = asciiJson(evaluateRows(read("rows-json")));
  document.body.replaceChildren(results);
}

/** What a block of the page holds as JSON. */
function read(id) {
  return JSON.parse(document.getElementById(id).textContent);
}
