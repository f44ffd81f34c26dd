/** A request of the process to itself. It passes all steps of a normal request, but never leaves the process. */
import { request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { InnerAnswer, InnerRequest } from "../runtime/inner-calls.ts";
import { innerConnection } from "./inner-connection.ts";

/** Stops reading at the limit, and marks a truncated body. */
async function readUpTo(
  message: IncomingMessage,
  bytesMax: number,
): Promise<{ body: Buffer; isWhole: boolean }> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of message) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length > bytesMax) break;
  }
  const body = Buffer.concat(pieces);
  return { body: body.subarray(0, bytesMax), isWhole: length <= bytesMax };
}

export function sendInside(server: Server, wanted: InnerRequest): Promise<InnerAnswer> {
  const { server: far, client: near } = innerConnection(wanted.remoteAddress);
  server.emit("connection", far);
  const beganMs = performance.now();
  return new Promise<InnerAnswer>((resolve, reject) => {
    const request = httpRequest({
      method: wanted.method,
      path: wanted.path,
      headers: { ...wanted.headers, "content-length": String(wanted.body.length), connection: "close" },
      createConnection: () => near,
      signal: AbortSignal.timeout(wanted.timeoutMs),
    });
    request.on("error", reject);
    request.on("response", (message) => {
      readUpTo(message, wanted.answerBytesMax)
        .then(({ body, isWhole }) =>
          resolve({
            status: message.statusCode ?? 0,
            headers: message.headers,
            body,
            isWhole,
            durationMs: performance.now() - beganMs,
          }),
        )
        .catch(reject);
    });
    request.end(wanted.body);
  }).finally(() => near.destroy());
}
