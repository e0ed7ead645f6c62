// One request, whose answer is a stream of messages. Unlike an EventSource it never begins again by itself.

import { reach } from "./api.js";

/**
 * Calls `tell` with every message until the stream ends, the connection breaks, or the signal aborts it.
 * @param {string} path
 * @param {AbortSignal} signal
 * @param {(message: any) => void} tell
 */
export async function readStream(path, signal, tell) {
  const answer = await reach(path, { signal });
  let rest = "";
  for await (const piece of pieces(answer.body.pipeThrough(new TextDecoderStream()), signal)) {
    const messages = (rest + piece).split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      if (message.startsWith("data: ")) tell(JSON.parse(message.slice("data: ".length)));
    }
  }
}

async function* pieces(stream, signal) {
  const reader = stream.getReader();
  const read = () =>
    reader.read().catch((problem) => {
      if (signal.aborted) throw problem;
      return { done: true };
    });
  for (let next = await read(); !next.done; next = await read()) yield next.value;
}
