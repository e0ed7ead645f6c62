// Talking to the server. An answer that is an error becomes an Error with the server's own line.

/** Where the site begins: the root of the server, or the folder that the pages were exported to. */
const root = new URL("../../", import.meta.url).href;

/** Whether these pages were exported and play a recorded run. */
export const recorded = document.documentElement.dataset.source === "recorded";

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
    throw request.signal?.aborted ? problem : new Error("the server does not answer; is regretlab serve still running?");
  });
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({ error: `the server said ${answer.status}` }));
  throw Object.assign(new Error(said.error), { status: answer.status });
}
