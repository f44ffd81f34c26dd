/** Serves stored or computed bytes: the whole, a range, or 304 if nothing has changed. */
import { Type } from "@sinclair/typebox";
import { type Answer, answer, media, noBody } from "../operation/answers.ts";
import type { Blob, Blobs } from "./blobs.ts";

type Range = { readonly first: number; readonly last: number };

/** One range of bytes from the `Range` header; undefined for all of them, null if it cannot be satisfied. */
export function rangeOf(header: string | undefined, size: number): Range | undefined | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return from > to || from >= size ? null : { first: from, last: to };
}

const header = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 500, description, examples: [example] }));

/** The headers that such an operation declares. */
export const CONTENT_HEADERS = {
  range: header("Which bytes; all of them when absent.", "bytes=0-99"),
  "if-none-match": header(
    "Tags of what the caller has: answered with 304 when nothing has changed.",
    '"9f86d081"',
  ),
  "if-range": header("The tag of what the caller has a part of: another makes the range void.", '"9f86d081"'),
};
export const contentAnswers = (...types: readonly [string, ...string[]]) => ({
  200: media(...types),
  206: media(...types),
  304: noBody,
  416: noBody,
});

type Asked = { readonly range?: string; readonly "if-none-match"?: string; readonly "if-range"?: string };
type Content = AsyncIterable<Uint8Array>;

const namesTag = (tags: string, tag: string): boolean =>
  tags.split(",").some((one) => one.trim().replace(/^W\//, "") === tag || one.trim() === "*");

type ChunkRange = { readonly start: number; readonly end: number };
/** Bytes of a known length, read or computed from any position. */
type SeekableContent = {
  readonly size: number;
  readonly type: string;
  /** Changes whenever the bytes do. */
  readonly tag: string;
  chunks(range: ChunkRange): Content;
};

export function seekableAnswer(
  { size, type, tag, chunks }: SeekableContent,
  asked: Asked,
  headers: Readonly<Record<string, string>> = {},
): Answer<Content | undefined> {
  const etag = `"${tag}"`;
  const general = { "accept-ranges": "bytes", etag, ...headers };
  if (namesTag(asked["if-none-match"] ?? "", etag)) return answer(304, undefined, general);
  const stillHolds = asked["if-range"] === undefined || asked["if-range"] === etag;
  const range = stillHolds ? rangeOf(asked.range, size) : undefined;
  if (range === null) return answer(416, undefined, { "content-range": `bytes */${size}` });
  const { first, last } = range ?? { first: 0, last: size - 1 };
  return answer<Content>(range ? 206 : 200, chunks({ start: first, end: last + 1 }), {
    ...general,
    "content-type": type,
    "content-length": String(last - first + 1),
    ...(range && { "content-range": `bytes ${first}-${last}/${size}` }),
  });
}

/** The first part is read before the head is sent, so that bytes that cannot be had become an error. */
async function begun(content: Content): Promise<Content> {
  const parts = content[Symbol.asyncIterator]();
  const first = await parts.next();
  async function* all(): AsyncGenerator<Uint8Array> {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => parts };
  }
  return all();
}

export async function contentAnswer(
  blobs: Blobs,
  { id, size, type, sha256 }: Blob,
  asked: Asked,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Content | undefined>> {
  const content = { size, type, tag: sha256, chunks: (range: ChunkRange) => blobs.chunks(id, range) };
  const shown = seekableAnswer(content, asked, headers);
  return shown.body === undefined ? shown : answer(shown.status, await begun(shown.body), shown.headers);
}
