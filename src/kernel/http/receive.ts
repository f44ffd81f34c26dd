/** Receives a body within its limit: into memory, or to disk at the speed of the disk. */
import { createHash, hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ByteBudget } from "../blobs/byte-budget.ts";
import { TemporaryFile } from "../blobs/temporary-file.ts";
import { isMedia, MEDIA_KEPT_BYTES_MAX } from "../observe/media.ts";
import type { StreamedBody } from "../operation/bodies.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { ReceivedBody } from "../protocols/protocol.ts";

export const NO_BYTES = Buffer.alloc(0);
const SHA256_OF_NOTHING = hash("sha256", "", "hex");

/** In memory. Hashed only on request. */
export class ReceivedBytes implements ReceivedBody {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  get sha256(): string {
    return this.bytes.length === 0 ? SHA256_OF_NOTHING : hash("sha256", this.bytes, "hex");
  }
}

/** Counts received bytes. Throws if the budget is used up. */
type Take = (bytes: number) => void;

const tooLarge = (bytesMax: number) =>
  kernelErrors.bodyTooLarge(`The body is larger than the ${bytesMax} bytes allowed here.`);
const endedEarly = () => kernelErrors.malformedBody("The body ended early.");

/** True if a body may follow. A declared length over the limit is refused at once. */
export function announcesBody({ headers }: IncomingMessage, bytesMax: number): boolean {
  const length = headers["content-length"];
  if (length === undefined) return headers["transfer-encoding"] !== undefined;
  if (Number(length) > bytesMax) throw tooLarge(bytesMax);
  return length !== "0";
}

/** Synchronous if everything has already arrived. */
export function receiveBytes(
  request: IncomingMessage,
  bytesMax: number,
  take: Take,
): Promise<Buffer> | Buffer {
  if (request.complete && request.readableLength <= bytesMax) {
    take(request.readableLength);
    return (request.read() as Buffer | null) ?? NO_BYTES;
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: unknown) => {
      request.off("data", add);
      request.pause();
      reject(error);
    };
    const add = (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) {
        refuse(tooLarge(bytesMax));
        return;
      }
      try {
        take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    request.on("data", add);
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // A request also closes after its end, and creating an error is slow.
    request.on("close", () => {
      if (!request.readableEnded) reject(endedEarly());
    });
    request.on("error", () => reject(endedEarly()));
  });
}

/** `beginning`: the small part for the request log, only for pictures, sounds and forms. */
export type ReceivedFile = StreamedBody & { readonly beginning: Buffer; close(): Promise<void> };

export const emptyFile: ReceivedFile = {
  size: 0,
  sha256: SHA256_OF_NOTHING,
  beginning: NO_BYTES,
  async *chunks() {},
  async close() {},
};

/** Reads the next piece after the last is written, so a slow disk slows the caller down. */
export async function receiveFile(
  request: IncomingMessage,
  bytesMax: number,
  folder: string,
  budget: ByteBudget,
): Promise<ReceivedFile> {
  const file = await TemporaryFile.open(folder, budget);
  const hashing = createHash("sha256");
  let beginning: Buffer = NO_BYTES;
  try {
    for await (const chunk of piecesOf(request)) {
      if (file.size === 0 || beginning.length > 0) beginning = beginningWith(beginning, chunk, request);
      if (file.size + chunk.length > bytesMax) throw tooLarge(bytesMax);
      hashing.update(chunk);
      await file.append(chunk);
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    size: file.size,
    sha256: hashing.digest("hex"),
    beginning,
    chunks: () => file.chunks(),
    close: () => file.close(),
  };
}
function beginningWith(before: Buffer, chunk: Buffer, { headers }: IncomingMessage): Buffer {
  if (before.length >= MEDIA_KEPT_BYTES_MAX) return before;
  if (before.length === 0 && !isMedia(headers["content-type"] ?? "", chunk)) return before;
  return Buffer.concat([before, chunk.subarray(0, MEDIA_KEPT_BYTES_MAX - before.length)]);
}
/** If the body is refused half-way, the connection must stay open for the answer. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const pieces: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await pieces.next().catch(() => {
        throw endedEarly();
      });
      if (next.done) break;
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
  if (!request.complete) throw endedEarly();
}
