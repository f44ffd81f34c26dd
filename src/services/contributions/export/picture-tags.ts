/** Writes author and description into a JPEG, where image programs look for them. */

const TAGS = { description: 0x010e, artist: 0x013b, copyright: 0x8298 } as const;
const TYPE_TEXT = 2;
const SEGMENT_MARKER = Buffer.from([0xff, 0xe1]);

function entryOf(tag: number, bytes: number, at: number): Buffer {
  const entry = Buffer.alloc(12);
  entry.writeUInt16LE(tag, 0);
  entry.writeUInt16LE(TYPE_TEXT, 2);
  entry.writeUInt32LE(bytes, 4);
  entry.writeUInt32LE(at, 8);
  return entry;
}
/** Longer than four bytes, so that each value follows the entries. */
const contentOf = (text: string): Buffer => {
  const bytes = Buffer.from(text.replace(/\0/g, " "));
  return Buffer.concat([bytes, Buffer.alloc(Math.max(1, 5 - bytes.length))]);
};

/** Insert it after the first two bytes of a JPEG. */
export function tagSegment(headline: string, attribution: string): Buffer {
  const values = (
    [
      [TAGS.description, headline],
      [TAGS.artist, attribution],
      [TAGS.copyright, attribution],
    ] as const
  ).filter(([, text]) => text !== "");
  if (values.length === 0) return Buffer.alloc(0);
  const contents = values.map(([, text]) => contentOf(text));
  let at = 8 + 2 + values.length * 12 + 4;
  const entries = values.map(([tag], i) => {
    const bytes = (contents[i] as Buffer).length;
    const entry = entryOf(tag, bytes, at);
    at += bytes;
    return entry;
  });
  const count = Buffer.alloc(2);
  count.writeUInt16LE(values.length);
  const head = Buffer.from("49492a0008000000", "hex");
  const content = Buffer.concat([
    Buffer.from("Exif\0\0"),
    head,
    count,
    ...entries,
    Buffer.alloc(4),
    ...contents,
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([SEGMENT_MARKER, length, content]);
}

export async function* withTags(
  chunks: AsyncIterable<Uint8Array>,
  segment: Buffer,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) yield Buffer.concat([chunk.subarray(0, 2), segment, chunk.subarray(2)]);
    else yield chunk;
    isFirst = false;
  }
}
