// What the page asks of its server. Addresses are relative, so that the secret of the page's own address goes along.

export class Refused extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

export function get(path) {
  return answer(path, { method: "GET" });
}

export function post(path, body) {
  return answer(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
}

// Runs calls one after the other, in the order in which they are asked for.
export function inTurn(run) {
  let last = Promise.resolve();
  return (...given) => {
    const done = last.then(() => run(...given));
    last = done.catch(() => {});
    return done;
  };
}

// Runs one call at a time, and of those that come meanwhile only the newest.
export function latest(run) {
  let running = false;
  let next = null;
  return async (...given) => {
    next = given;
    if (running) return;
    running = true;
    while (next !== null) {
      const now = next;
      next = null;
      await run(...now);
    }
    running = false;
  };
}

async function answer(path, request) {
  let response;
  try {
    response = await fetch(`api/${path}`, { ...request, cache: "no-store" });
  } catch {
    throw new Refused("The server does not answer. Edits that were recorded are saved; start scrutable review again.", 0);
  }
  const body = await response.json();
  if (!response.ok) throw new Refused(body.error, response.status);
  return body;
}
