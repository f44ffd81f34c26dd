/**
 * Unpacks every file of a folder and compares it with its original: `node tools/unpack-folder.mjs <folder> [packer…]`, after
 * `npm run build`. The folder holds one folder per packer and one called `original` with files of the same names. A file counts as
 * unpacked where 97 % of its original's code is equal at the same address; nothing of it is ever executed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const built = new URL("../dist/services/unpack/", import.meta.url);
const { unpackExecutable } = await import(new URL("unpacking/unpack.js", built));
const { DEFAULT_BUDGET } = await import(new URL("unpacking/outcome.js", built));
const { mapPe, readPe } = await import(new URL("pe/file.js", built));

const UNPACKED_SHARE = 0.97;
const CODE = 0x2000_0020;
const DIRECTORY = { imports: 1, debug: 6, importTable: 12 };

/** What linkers put between code though it is none: import tables, their names, debug data. */
function* dataRanges(file, image) {
  const view = new DataView(image.buffer);
  const long = (at) => (at > 0 && at + 4 <= image.length ? view.getUint32(at, true) : 0);
  const textEnd = (at) => {
    const end = image.indexOf(0, at);
    return end < 0 ? image.length : end + 1;
  };
  const { address: table, bytes } = file.directories[DIRECTORY.importTable];
  yield [table, table + bytes];
  const debug = file.directories[DIRECTORY.debug];
  yield [debug.address, debug.address + debug.bytes];
  for (let at = debug.address; at < debug.address + debug.bytes; at += 28)
    yield [long(at + 20), long(at + 20) + long(at + 16)];
  for (let at = file.directories[DIRECTORY.imports].address; long(at + 12) !== 0; at += 20) {
    yield [at, at + 20];
    yield [long(at + 12), textEnd(long(at + 12))];
    for (const start of [long(at), long(at + 16)])
      for (let entry = start; long(entry) !== 0; entry += 4) {
        yield [entry, entry + 4];
        const name = long(entry);
        if (start === (long(at) || long(at + 16)) && name < image.length) yield [name, textEnd(name + 2)];
      }
  }
}
function* relocated(file, image) {
  const view = new DataView(image.buffer);
  const { address, bytes } = file.directories[5];
  for (let at = address; at + 8 <= Math.min(address + bytes, image.length); ) {
    const block = view.getUint32(at + 4, true);
    if (block < 8) return;
    for (let entry = at + 8; entry + 2 <= Math.min(at + block, image.length); entry += 2) {
      const value = view.getUint16(entry, true);
      if (value >> 12 === 3) yield view.getUint32(at, true) + (value & 0xfff);
    }
    at += block;
  }
}
/** The share of the original's code that is in the dump, and whether it begins where the original does. */
function compare(original, dump) {
  const file = readPe(original);
  const image = mapPe(file);
  const other = readPe(dump);
  const otherImage = mapPe(other);
  const counts = new Uint8Array(image.length);
  for (const { address, bytes, fileBytes, characteristics } of file.sections)
    if (characteristics & CODE) counts.fill(1, address, address + Math.min(bytes, fileBytes));
  for (const [from, to] of dataRanges(file, image)) counts.fill(0, from, Math.max(from, to));
  if (other.base !== file.base) for (const at of relocated(file, image)) counts.fill(0, at, at + 4);
  let all = 0;
  let same = 0;
  for (const [at, byte] of image.entries()) {
    if (counts[at] === 0 || byte === 0) continue;
    all += 1;
    if (otherImage[at] === byte) same += 1;
  }
  return { code: all === 0 ? 0 : same / all, isEntryRight: other.entryPoint === file.entryPoint };
}

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) {
  console.error("node tools/unpack-folder.mjs <folder> [packer…]");
  process.exit(2);
}
const originals = new Map(readdirSync(join(folder, "original")).map((name) => [name.toLowerCase(), name]));
const packers = wanted.length > 0 ? wanted : readdirSync(folder).filter((name) => name !== "original");
const totals = { files: 0, unpacked: 0, entries: 0 };
const seconds = [];
for (const packer of packers)
  for (const name of readdirSync(join(folder, packer))) {
    totals.files += 1;
    const before = process.cpuUsage();
    const { verdict, content, report } = unpackExecutable(
      readFileSync(join(folder, packer, name)),
      DEFAULT_BUDGET,
    );
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
    let found = "";
    if (content) {
      const original = readFileSync(join(folder, "original", originals.get(name.toLowerCase()) ?? name));
      const { code, isEntryRight } = compare(original, content);
      if (code >= UNPACKED_SHARE) totals.unpacked += 1;
      if (code >= UNPACKED_SHARE && isEntryRight) totals.entries += 1;
      found = `code ${(code * 100).toFixed(1)} %, entry point ${isEntryRight ? "right" : "wrong"}, ${report.imports.length} import tables`;
    }
    const figures = `${seconds.at(-1).toFixed(1)} s, ${(report.instructions / 1e6).toFixed(1)} M instructions`;
    console.log(
      [`${packer}/${name}`, verdict, report.packer?.name ?? "unknown", found, figures, report.reason].join(
        " | ",
      ),
    );
  }
const median = seconds.toSorted((a, b) => a - b)[seconds.length >> 1];
console.log(
  `unpacked ${totals.unpacked} of ${totals.files}, entry point right in ${totals.entries}, median ${median.toFixed(2)} processor seconds`,
);
