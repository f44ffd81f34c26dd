/** Large bodies, for operations that take the kind `stream`. */
import { Type } from "@sinclair/typebox";

/**
 * Complete and within its limit, but on disk instead of in memory, until the handler has ended. It can be read
 * several times.
 */
export type StreamedBody = {
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  chunks(): AsyncIterable<Buffer>;
};

/** The body that such an operation declares. */
export const streamedBody = Type.Unsafe<StreamedBody>({ type: "string", format: "binary" });
