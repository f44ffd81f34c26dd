/** The body that a test server received. */
import type { IncomingMessage } from "node:http";

/** Undefined if the sender gave up before its end: there is nobody to answer. */
export async function wholeBodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part as Buffer);
  } catch (error) {
    if (request.errored) return undefined;
    throw error;
  }
  return Buffer.concat(parts);
}
