/** The parts of a stored multipart body, for display only, so nothing is refused. */

export type KeptPart = {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string;
  readonly bytes: Buffer;
  /** False for the last part of a truncated body. */
  readonly isWhole: boolean;
};

const PARTS_MAX = 100;
const BLANK_LINE = "\r\n\r\n";
const BOUNDARY = /boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;

const TYPE = /^content-type:[ \t]*([^\r\n]{0,200})/im;

/** The quoted text after a name. */
function wordIn(head: string, name: string): string | undefined {
  const [, after] = head.split(` ${name}="`, 2);
  return after?.split('"', 1)[0];
}

function partOf(bytes: Buffer, isWhole: boolean): KeptPart | undefined {
  const end = bytes.indexOf(BLANK_LINE);
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end).toString("utf8");
  return {
    name: wordIn(head, "name") ?? "",
    filename: wordIn(head, "filename"),
    type: TYPE.exec(head)?.[1] ?? "",
    bytes: bytes.subarray(end + BLANK_LINE.length),
    isWhole,
  };
}

/** Undefined if it is no multipart body. */
export function partsOf(body: Uint8Array, contentType: string): readonly KeptPart[] | undefined {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (!/^multipart\//i.test(contentType) || boundary === undefined) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const mark = `--${boundary}`;
  const parts: KeptPart[] = [];
  let at = bytes.indexOf(mark);
  while (at >= 0 && parts.length < PARTS_MAX) {
    const from = at + mark.length;
    const next = bytes.indexOf(`\r\n${mark}`, from);
    const part = partOf(bytes.subarray(from, next < 0 ? bytes.length : next), next >= 0);
    if (part) parts.push(part);
    at = next < 0 ? -1 : next + 2;
  }
  return parts;
}
