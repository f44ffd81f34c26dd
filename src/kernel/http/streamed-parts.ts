/** A multipart form that is too large for memory: its parts one by one, in the order of the request. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { kernelErrors } from "../operation/errors.ts";
import { ENDLESS_HEAD, lastTurns } from "./multipart.ts";

export type StreamedPart =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly filename: string;
      /** Must be read before the next part is requested. The rest of it is then skipped. */
      readonly chunks: AsyncIterable<Uint8Array>;
    };

const PARTS_MAX = 200;
const FIELD_BYTES_MAX = 1024 * 1024;

const refusal = (message: string) =>
  kernelErrors.malformedBody(`The multipart form is not valid: ${message}.`);

function parserFor(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: PARTS_MAX, fieldSize: FIELD_BYTES_MAX },
    });
  } catch (error) {
    throw refusal((error as Error).message);
  }
}

async function* contentOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw refusal((error as Error).message);
  }
}

/** `file`: the content of this part, of which nobody may have read all. */
type FoundPart = { readonly part: StreamedPart; readonly file?: Readable };

/** Parts that the parser has found and nobody has taken yet. There are several if they are small. */
class Found {
  readonly #parts: FoundPart[] = [];
  #wake: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;
  #isFed = false;
  add(part: FoundPart): void {
    this.#parts.push(part);
    this.#wake?.();
  }
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }
  /** The parser has got the last byte. */
  fed(): void {
    this.#isFed = true;
    this.#wake?.();
  }
  /** Call it only when all parts so far have been read or skipped. */
  async next(): Promise<FoundPart | undefined> {
    for (let isLast = false; ; ) {
      if (this.#end?.error !== undefined) throw this.#end.error;
      const part = this.#parts.shift();
      if (part || this.#end) return part;
      if (isLast) throw refusal(ENDLESS_HEAD);
      isLast = this.#isFed;
      if (isLast) await lastTurns();
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

export async function* streamedParts(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamedPart> {
  const parser = parserFor(contentType);
  const found = new Found();
  parser.on("field", (name, value, _nameTruncated, truncated) => {
    if (truncated) found.end(refusal(`the field ${name} is too long`));
    else if (value.includes("\0")) found.end(refusal(`the field ${name} holds the NUL character`));
    else found.add({ part: { name, value } });
  });
  parser.on("file", (name, stream, filename) => {
    // There may be no reader when it breaks off.
    stream.on("error", () => {});
    found.add({ part: { name, filename: filename ?? "", chunks: contentOf(stream) }, file: stream });
  });
  parser.on("prefinish", () => found.fed());
  const source = Readable.from(chunks);
  parser.on("partsLimit", () => {
    found.end(refusal("it has too many parts"));
    // Nobody would handle the error of a part beyond the limit that breaks off.
    source.destroy();
  });
  const fed = pipeline(source, parser).then(
    () => found.end(),
    (error) => found.end(refusal((error as Error).message)),
  );
  try {
    for (let one = await found.next(); one; one = await found.next()) {
      yield one.part;
      one.file?.resume();
    }
  } finally {
    source.destroy();
    parser.destroy();
    await fed;
  }
}
