// Talking to the server. An answer that is an error becomes an Error with the server's own line.

/** Where the site begins: the root of the server, or the folder that the pages were exported to. */
const root = new URL("../../", import.meta.url).href;

/** Whether these pages were exported and play a recorded run. */
export const recorded = document.documentElement.dataset.source === "recorded";

/** In place of an answer's status, where there is no answer. */
export const AWAY = 0;
const UNAUTHORISED = 401;

const SECONDS_TO_ANSWER = 5;

/** The status with which the server answers now. */
async function answering() {
  const request = { cache: "no-store", signal: AbortSignal.timeout(1000 * SECONDS_TO_ANSWER) };
  return fetch(address("static/icon.svg"), request).then(({ status }) => status, () => AWAY);
}

const WAITING = {
  [AWAY]: "The server does not answer. This page keeps trying, and goes on where it is when regretlab serve runs again.",
  [UNAUTHORISED]: "The server has a new token: open the address that it has printed. Then this page goes on where it is.",
};

/** Whether waiting helps against a problem: the server is away, or does not know us since it was started again. */
export const passes = (problem) => problem.status in WAITING;

/**
 * Resolves when the server answers. @param {(text: string) => void} say tells people what is waited for; nothing at the end
 */
export async function serverIsBack(say) {
  for (let status = await answering(); status in WAITING; status = await answering()) {
    say(WAITING[status]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  say("");
}

/**
 * The address of something on this site, such as "api/recipes" or "learn/cfr-plus?t=3".
 * @param {string} path
 */
export function address(path) {
  const [page, query] = path.split("?");
  const ending = recorded && !page.includes(".") ? ".html" : "";
  return root + page + ending + (query ? `?${query}` : "");
}

/**
 * What an export holds under a name, such as "data/cfr-plus". It comes in a script: a page that was opened from a folder
 * may fetch nothing.
 * @param {string} name
 */
export async function exported(name) {
  if (!(name in regretlab)) {
    await new Promise((resolve, reject) => {
      const script = document.createElement("script");
      Object.assign(script, { src: address(`${name}.js`), onload: resolve });
      script.onerror = () => reject(new Error(`this folder has no ${name}.js; export it once more`));
      document.head.append(script);
    });
  }
  return regretlab[name];
}

/**
 * GET, or POST when there is a body. @param {string} path such as "api/recipes" @param {object} [body] @param {string} [method]
 * @returns {Promise<any>}
 */
export async function ask(path, body, method = body ? "POST" : "GET") {
  const request = { method, keepalive: method === "DELETE" };
  if (body) Object.assign(request, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const answer = await reach(path, request);
  return answer.status === 204 ? null : answer.json();
}

/** The answer to a request, if it is not an error. @param {string} path @param {RequestInit} request */
export async function reach(path, request) {
  const answer = await fetch(address(path), request).catch((problem) => {
    if (request.signal?.aborted) throw problem;
    throw Object.assign(new Error("the server does not answer; is regretlab serve still running?"), { status: AWAY });
  });
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({ error: `the server said ${answer.status}` }));
  throw Object.assign(new Error(said.error), { status: answer.status });
}
