/** A grey JPEG of 64 x 64 pixels, whose brightness comes with the first scan. All others change nothing. */
const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};
/** One code of one bit. */
const tableOf = (kind: number, symbol: number): Buffer =>
  segment(0xc4, Buffer.from([kind, 1, ...Array(15).fill(0), symbol]));

export function jpegOfScans(scans: number): Buffer {
  const first = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])), Buffer.alloc(8)]);
  // The code for "64 blocks without details": a bit, and six more that say how many.
  const other = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])), Buffer.from([1])]);
  return Buffer.concat([
    Buffer.from("ffd8", "hex"),
    segment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    segment(0xc2, Buffer.from([8, 0, 64, 0, 64, 1, 1, 0x11, 0])),
    tableOf(0x00, 0),
    tableOf(0x10, 0x60),
    first,
    ...Array<Buffer>(scans - 1).fill(other),
    Buffer.from("ffd9", "hex"),
    Buffer.alloc(1024),
  ]);
}

/** EXIF data with one directory, whose entries all point to itself. */
export function exifWith(entries: number): Buffer {
  const exif = Buffer.alloc(20 + entries * 12);
  exif.write("Exif\0\0II*\0\x08", 0, "latin1");
  exif.writeUInt16LE(entries, 14);
  for (let at = 16; at + 12 < exif.length; at += 12) {
    exif.writeUInt16LE(0x8769, at);
    exif.writeUInt16LE(4, at + 2);
    exif.writeUInt32LE(1, at + 4);
    exif.writeUInt32LE(8, at + 8);
  }
  return exif;
}
export function jpegWithExif(jpeg: Buffer, entries: number): Buffer {
  const exif = exifWith(entries);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 4);
  return Buffer.concat([head, exif, jpeg.subarray(2)]);
}
