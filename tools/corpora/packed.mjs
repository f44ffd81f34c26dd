/**
 * Packed executables of 32 or 64 bits beside their originals, one folder for each packer and one called `original`. Counted are those that
 * unpack, and of these whose unpacked form is told as plain when it is sent again. Of what the original has, its entry point, the slots of
 * its imports, its relocated words, its other tables and its pages are compared. Nothing of them is executed outside the emulator.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DIRECTORY, mapPe, readPe } from "../../dist/services/unpack/pe/file.js";
import { DEFAULT_BUDGET } from "../../dist/services/unpack/unpacking/outcome.js";
import { unpackExecutable } from "../../dist/services/unpack/unpacking/unpack.js";
import { share } from "./support.mjs";

const PAGE = 0x1000;
const TABLES = [DIRECTORY.exports, DIRECTORY.resources, DIRECTORY.functions, DIRECTORY.tls];
/** What packers put elsewhere. */
const MOVED = [DIRECTORY.exports, DIRECTORY.resources];
const textAt = (image, at) => image.toString("latin1", at, image.indexOf(0, at));
const wordBytes = ({ isWide }) => (isWide ? 8 : 4);

/** Functions by the places of their slots. */
function importsOf(file, image) {
  const slots = new Map();
  const bytes = wordBytes(file);
  const isEntry = (at) => image.subarray(at, at + bytes).some((byte) => byte !== 0);
  const { address = 0 } = file.directories[DIRECTORY.imports] ?? {};
  for (let at = address; at > 0 && image.readUInt32LE(at + 16) !== 0; at += 20) {
    const library = textAt(image, image.readUInt32LE(at + 12)).toLowerCase();
    const first = image.readUInt32LE(at + 16);
    const lookups = image.readUInt32LE(at) || first;
    for (let offset = 0; isEntry(lookups + offset); offset += bytes) {
      const entry = image.readUInt32LE(lookups + offset);
      const isNumber = image[lookups + offset + bytes - 1] >= 0x80;
      slots.set(first + offset, `${library} ${isNumber ? `#${entry & 0xffff}` : textAt(image, entry + 2)}`);
    }
  }
  return slots;
}
/** Where words lie that change with the base. */
function relocatedOf(file, image) {
  const words = new Set();
  const { address = 0, bytes = 0 } = file.directories[DIRECTORY.relocations] ?? {};
  for (
    let at = address;
    at < address + bytes && image.readUInt32LE(at + 4) > 0;
    at += image.readUInt32LE(at + 4)
  )
    for (let entry = at + 8; entry < at + image.readUInt32LE(at + 4); entry += 2)
      if (image.readUInt16LE(entry) >> 12 !== 0)
        words.add(image.readUInt32LE(at) + (image.readUInt16LE(entry) & 0xfff));
  return words;
}
/** Pages of the original's sections, and how many of them are the same apart from slots of imports and relocations. */
function comparePages(original, unpacked) {
  const held = Buffer.alloc(original.file.imageBytes);
  const other = Buffer.alloc(original.file.imageBytes);
  original.image.copy(held);
  unpacked.image.copy(other);
  for (const slot of original.slots.keys())
    for (const image of [held, other]) image.fill(0, slot, slot + wordBytes(original.file));
  const own = [DIRECTORY.imports, DIRECTORY.relocations, ...MOVED].map(
    (number) => original.file.directories[number],
  );
  let [pages, same] = [0, 0];
  for (const { address, bytes } of original.file.sections) {
    if (own.some((table) => table.address >= address && table.address < address + bytes)) continue;
    for (let at = address; at < address + bytes; at += PAGE, pages += 1)
      if (held.subarray(at, at + PAGE).equals(other.subarray(at, at + PAGE))) same += 1;
  }
  return [pages, same];
}
function read(content) {
  const file = readPe(content);
  const image = Buffer.from(mapPe(file));
  return { file, image, slots: importsOf(file, image), words: relocatedOf(file, image) };
}
const RIGHTS = 0xa000_0000;
const isWritableCode = ({ characteristics }) => (characteristics & RIGHTS) >>> 0 === RIGHTS;

function compare(counts, original, unpacked) {
  const add = (what, all, right) => {
    counts[what].all += all;
    counts[what].right += right;
  };
  add("entry points", 1, original.file.entryPoint === unpacked.file.entryPoint ? 1 : 0);
  const named = [...original.slots].filter(([slot, name]) => unpacked.slots.get(slot) === name);
  add("slots of imports", original.slots.size, named.length);
  // Packers that leave no relocations leave nothing to be compared.
  if (unpacked.words.size > 0) {
    const kept = [...original.words].filter((word) => unpacked.words.has(word) || original.slots.has(word));
    add("relocated words", original.words.size, kept.length);
  }
  for (const number of TABLES) {
    const [one, other] = [original.file.directories[number], unpacked.file.directories[number]];
    const isSame = MOVED.includes(number) ? other.address !== 0 : one.address === other.address;
    if (one.address !== 0) add("other tables", 1, isSame ? 1 : 0);
  }
  add("pages", ...comparePages(original, unpacked));
}

/** With names of packers only those. */
export function figures(folder, words) {
  const packers = readdirSync(folder).filter(
    (name) => name !== "original" && (words.length === 0 || words.includes(name)),
  );
  const counts = { files: 0, unpacked: 0, again: 0, unbound: 0, writable: 0, instructions: 0 };
  const compared = Object.fromEntries(
    ["entry points", "slots of imports", "relocated words", "other tables", "pages"].map((what) => [
      what,
      { all: 0, right: 0 },
    ]),
  );
  const originals = new Map(readdirSync(join(folder, "original")).map((name) => [name.toLowerCase(), name]));
  for (const packer of packers)
    for (const name of readdirSync(join(folder, packer))) {
      counts.files += 1;
      const packed = readFileSync(join(folder, packer, name));
      const { verdict, content, report } = unpackExecutable(packed, DEFAULT_BUDGET);
      counts.instructions += report.instructions;
      if (verdict !== "unpacked") {
        console.error(`not unpacked: ${packer}/${name}: ${report.reason}`);
        continue;
      }
      counts.unpacked += 1;
      counts.unbound += report.unboundImports.length;
      const unpacked = read(content);
      if (unpacked.file.sections.some(isWritableCode)) counts.writable += 1;
      const original = originals.get(name.toLowerCase());
      if (original) compare(compared, read(readFileSync(join(folder, "original", original))), unpacked);
      if (unpackExecutable(content, DEFAULT_BUDGET).verdict === "plain") counts.again += 1;
      else console.error(`not plain: ${packer}/${name}`);
    }
  return {
    files: counts.files,
    unpacked: share(counts.unpacked, counts.files),
    "plain when sent again": share(counts.again, counts.unpacked),
    ...Object.fromEntries(
      Object.entries(compared).map(([what, { all, right }]) => [
        `${what} as in the original`,
        share(right, all),
      ]),
    ),
    "slots told as unbound": counts.unbound,
    "with a section that is writable and executable": share(counts.writable, counts.unpacked),
    "instructions emulated": counts.instructions,
  };
}
