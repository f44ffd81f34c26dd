/**
 * How many entries the EXIF data of a JPEG, PNG or WebP have. The decoder reads all of them, and its time grows with
 * the square of their number: 60 KB with 5,000 entries took 20 seconds.
 */
/** Cameras write 100 or so. */
export const EXIF_ENTRIES_MAX = 1000;

/** Segments of JPEG begin with the first, chunks of PNG with the second, and chunks of WebP with the third. */
const MARKS = ["Exif\0\0", "eXIf", "EXIF"] as const;
/** Between the mark of a WebP and its data is the length of the chunk. */
const GAPS = [0, 4] as const;
const NOT_FOUND = -1;
/** The directories of the camera, of its position, and of interoperability. */
const POINTERS: ReadonlySet<number> = new Set([0x8769, 0x8825, 0xa005]);
const ENTRY_BYTES = 12;

type Read = (at: number) => number;

/** The directories that entries point to, and the next one. */
function* placesIn(data: Buffer, { from, count, short, long }: Directory): Generator<number> {
  for (let at = from; at < from + count * ENTRY_BYTES; at += ENTRY_BYTES)
    if (POINTERS.has(short(at))) yield long(at + 8);
  const next = from + count * ENTRY_BYTES;
  if (next + 4 <= data.length && long(next) !== 0) yield long(next);
}
type Directory = { readonly from: number; readonly count: number; readonly short: Read; readonly long: Read };

function entriesFrom(data: Buffer, most: number): number {
  const order = data.toString("latin1", 0, 4);
  const isLittle = order === "II*\0";
  if (data.length < 8 || (!isLittle && order !== "MM\0*")) return 0;
  const short: Read = (at) => (isLittle ? data.readUInt16LE(at) : data.readUInt16BE(at));
  const long: Read = (at) => (isLittle ? data.readUInt32LE(at) : data.readUInt32BE(at));
  const places = new Set([long(4)]);
  let entries = 0;
  for (const place of places) {
    const from = place + 2;
    const count =
      from > data.length ? 0 : Math.min(short(place), Math.floor((data.length - from) / ENTRY_BYTES));
    // A directory counts too, so that a chain of empty ones ends.
    entries += 1 + count;
    if (entries >= most) return most;
    if (from > data.length) continue;
    for (const other of placesIn(data, { from, count, short, long })) places.add(other);
  }
  return entries;
}

/** Of all EXIF data together, with their directories. Counts to `most` at the most. */
export function exifEntriesOf(bytes: Uint8Array, most: number): number {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let entries = 0;
  for (const mark of MARKS)
    for (let at = all.indexOf(mark, 0, "latin1"); at !== NOT_FOUND && entries < most; ) {
      const data = at + mark.length;
      for (const gap of GAPS) entries += entriesFrom(all.subarray(data + gap), most);
      at = all.indexOf(mark, data, "latin1");
    }
  return Math.min(entries, most);
}
