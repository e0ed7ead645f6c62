// Reading a race: one request, whose answer is a stream of messages. Unlike an EventSource it never begins again by itself.

import { address } from "../api.js";

/**
 * Calls `tell` with every message until the race is over or the signal aborts it.
 * @param {string} path
 * @param {AbortSignal} signal
 * @param {(message: any) => void} tell
 */
export async function readRace(path, signal, tell) {
  const answer = await fetch(address(path), { signal });
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({ error: `the server said ${answer.status}` }));
    throw new Error(said.error);
  }
  let rest = "";
  for await (const piece of pieces(answer.body.pipeThrough(new TextDecoderStream()))) {
    const messages = (rest + piece).split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      if (message.startsWith("data: ")) tell(JSON.parse(message.slice("data: ".length)));
    }
  }
}

async function* pieces(stream) {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
