import { connect } from "node:net";
import type { Instance } from "./medley.ts";

/** Sends a text exactly as written. Resolves to all that comes back until the connection closes. */
export function sendBytes(instance: Instance, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(instance.url).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    // The server may close before it has read everything; what it answered has arrived by then.
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}
