/** Large bodies, as an operation that takes the kind `stream` sees them. */
import { Type } from "@sinclair/typebox";

/** Whole and within its limit, but never in memory: it lies on disk until the handler has ended, and can be read more than once. */
export type StreamedBody = {
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  chunks(): AsyncIterable<Buffer>;
};

/** What such an operation declares as its body. */
export const streamedBody = Type.Unsafe<StreamedBody>({ type: "string", format: "binary" });
