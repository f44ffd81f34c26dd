/**
 * Packed executables beside their originals, one folder for each packer and one called `original`. Counted are those that unpack, and of
 * these whose unpacked form is told as plain when it is sent again. Of the import tables, the slots of the original that the unpacked
 * form has with the same function. Nothing of them is ever executed outside the emulator.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mapPe, readPe } from "../../dist/services/unpack/pe/file.js";
import { DEFAULT_BUDGET } from "../../dist/services/unpack/unpacking/outcome.js";
import { unpackExecutable } from "../../dist/services/unpack/unpacking/unpack.js";
import { share } from "./support.mjs";

const IMPORTS = 1;
const textAt = (image, at) => image.toString("latin1", at, image.indexOf(0, at));

/** Functions by the places of their slots. */
function importsOf(content) {
  const file = readPe(content);
  const image = Buffer.from(mapPe(file));
  const slots = new Map();
  const { address = 0 } = file.directories[IMPORTS] ?? {};
  for (let at = address; at > 0 && image.readUInt32LE(at + 16) !== 0; at += 20) {
    const library = textAt(image, image.readUInt32LE(at + 12)).toLowerCase();
    const first = image.readUInt32LE(at + 16);
    const lookups = image.readUInt32LE(at) || first;
    for (let offset = 0; image.readUInt32LE(lookups + offset) !== 0; offset += 4) {
      const entry = image.readUInt32LE(lookups + offset);
      const name = entry >= 0x8000_0000 ? `#${entry & 0xffff}` : textAt(image, entry + 2);
      slots.set(first + offset, `${library} ${name}`);
    }
  }
  return slots;
}
const RIGHTS = 0xa000_0000;
const isWritableCode = ({ characteristics }) => (characteristics & RIGHTS) >>> 0 === RIGHTS;

/** With names of packers only those. */
export function figures(folder, words) {
  const packers = readdirSync(folder).filter(
    (name) => name !== "original" && (words.length === 0 || words.includes(name)),
  );
  const counts = { files: 0, unpacked: 0, again: 0, slots: 0, slotsRight: 0, unbound: 0, writable: 0 };
  const originals = new Map(readdirSync(join(folder, "original")).map((name) => [name.toLowerCase(), name]));
  for (const packer of packers)
    for (const name of readdirSync(join(folder, packer))) {
      counts.files += 1;
      const { verdict, content, report } = unpackExecutable(
        readFileSync(join(folder, packer, name)),
        DEFAULT_BUDGET,
      );
      if (verdict !== "unpacked") continue;
      counts.unpacked += 1;
      counts.unbound += report.unboundImports.length;
      if (readPe(content).sections.some(isWritableCode)) counts.writable += 1;
      const original = originals.get(name.toLowerCase());
      if (original) {
        const slots = importsOf(content);
        for (const [slot, named] of importsOf(readFileSync(join(folder, "original", original)))) {
          counts.slots += 1;
          if (slots.get(slot) === named) counts.slotsRight += 1;
        }
      }
      if (unpackExecutable(content, DEFAULT_BUDGET).verdict === "plain") counts.again += 1;
      else console.error(`not plain: ${packer}/${name}`);
    }
  return {
    files: counts.files,
    unpacked: share(counts.unpacked, counts.files),
    "plain when sent again": share(counts.again, counts.unpacked),
    "slots of imports as in the original": share(counts.slotsRight, counts.slots),
    "slots told as unbound": counts.unbound,
    "with a section that is writable and executable": share(counts.writable, counts.unpacked),
  };
}
