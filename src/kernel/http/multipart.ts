/** Multipart forms: fields as text, files as bytes, with limits on count and size. */
import type { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import { kernelErrors } from "../operation/errors.ts";
import type { UploadedFile } from "../operation/operation.ts";
import { runInSteps } from "../workers/yielding.ts";

const PARTS_MAX = 1100;
const FIELD_BYTES_MAX = 1024 * 1024;
/** Of the smallest parts, so many bytes take some 20 ms. */
const PARSED_TOGETHER_BYTES = 64 * 1024;

/** The parser waits for the head of such a part without end. */
export const ENDLESS_HEAD = "a part has no complete head";
const LAST_TURNS = 10;
/** After its last byte, the parser comes to an end within fewer turns: its streams wait for nobody. */
export async function lastTurns(): Promise<void> {
  for (let turn = 0; turn < LAST_TURNS; turn += 1) await nextTurn();
}

type Fields = Record<string, unknown>;

/** A name given several times becomes a list. */
function add(fields: Fields, name: string, value: unknown): void {
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (before === undefined) fields[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else fields[name] = [before, value];
}

export function parseMultipart(contentType: string, bytes: Buffer): Promise<Fields> {
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (message: string) => {
      hasFailed = true;
      reject(kernelErrors.malformedBody(`The multipart form is not valid: ${message}.`));
    };
    const fields: Fields = Object.create(null);
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        limits: { parts: PARTS_MAX, fieldSize: FIELD_BYTES_MAX },
      });
    } catch (error) {
      fail((error as Error).message);
      return;
    }
    parser.on("field", (name, value, _nameTruncated, truncated) => {
      if (truncated) fail(`the field ${name} is too long`);
      else if (value.includes("\0")) fail(`the field ${name} holds the NUL character`);
      else add(fields, name, value);
    });
    parser.on("file", (name, stream, filename, _encoding, type) => {
      const chunks: Buffer[] = [];
      // Where a form breaks off, the parser has an error as well. One that nobody handles would end the process.
      stream.on("error", () => {});
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () =>
        add(fields, name, {
          filename,
          type,
          bytes: new Uint8Array(Buffer.concat(chunks)),
        } satisfies UploadedFile),
      );
    });
    parser.on("partsLimit", () => fail("it has too many parts"));
    parser.on("error", (error) => fail((error as Error).message));
    parser.on("finish", () => resolve({ ...fields }));
    parser.on("prefinish", () => lastTurns().then(() => fail(ENDLESS_HEAD)));
    runInSteps(fed(parser, bytes, () => hasFailed)).catch(reject);
  });
}
/** Others are served between the pieces. After a refusal the rest is not parsed. */
function* fed(parser: Writable, bytes: Buffer, isRefused: () => boolean): Generator<void, void> {
  for (let from = 0; from < bytes.length && !isRefused(); from += PARSED_TOGETHER_BYTES) {
    parser.write(bytes.subarray(from, from + PARSED_TOGETHER_BYTES));
    yield;
  }
  if (!isRefused()) parser.end();
}
