/** Reads a response's body up to a limit. */
import type { IncomingMessage } from "node:http";
import { OutboundError } from "./errors.ts";

export type BodyLimit = {
  readonly bytesMax: number;
  readonly whenTooLarge: "fail" | "truncate";
};

export type ReadBody = {
  readonly body: Buffer;
  readonly truncated: boolean;
};

/** Bytes are copied into one growing buffer: a sender of one-byte chunks cannot make us hold a million small buffers. */
export function readBody(response: IncomingMessage, limit: BodyLimit, hasBody: boolean): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const declaredBytes = Number(response.headers["content-length"] ?? 0);
    if (hasBody && limit.whenTooLarge === "fail" && declaredBytes > limit.bytesMax) {
      reject(tooLarge(limit));
      return;
    }
    let bytes = Buffer.alloc(0);
    let byteCount = 0;
    response.on("data", (chunk: Buffer) => {
      const wantedBytes = byteCount + chunk.length;
      if (wantedBytes > limit.bytesMax && limit.whenTooLarge === "fail") {
        reject(tooLarge(limit));
        return;
      }
      bytes = withRoomFor(bytes, Math.min(wantedBytes, limit.bytesMax), limit.bytesMax);
      byteCount += chunk.copy(bytes, byteCount, 0, limit.bytesMax - byteCount);
      if (wantedBytes > limit.bytesMax) resolve({ body: bytes.subarray(0, byteCount), truncated: true });
    });
    response.once("end", () => resolve({ body: bytes.subarray(0, byteCount), truncated: false }));
    response.once("error", reject);
    response.once("close", () => reject(new Error("the connection ended in the middle of the answer")));
  });
}

function withRoomFor(bytes: Buffer<ArrayBuffer>, wantedBytes: number, bytesMax: number): Buffer<ArrayBuffer> {
  if (wantedBytes <= bytes.length) return bytes;
  const roomier = Buffer.alloc(Math.min(Math.max(wantedBytes, bytes.length * 2, 4096), bytesMax));
  bytes.copy(roomier);
  return roomier;
}

function tooLarge(limit: BodyLimit): OutboundError {
  return new OutboundError("tooLarge", `The answer is longer than ${limit.bytesMax} bytes.`);
}
