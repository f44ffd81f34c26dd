/**
 * Packed executables beside their originals, one folder for each packer and one called `original`. Counted are those that unpack, and of
 * these whose unpacked form is told as plain when it is sent again. Nothing of them is ever executed outside the emulator.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_BUDGET } from "../../dist/services/unpack/unpacking/outcome.js";
import { unpackExecutable } from "../../dist/services/unpack/unpacking/unpack.js";
import { share } from "./support.mjs";

/** With names of packers only those. */
export function figures(folder, words) {
  const packers = readdirSync(folder).filter(
    (name) => name !== "original" && (words.length === 0 || words.includes(name)),
  );
  const counts = { files: 0, unpacked: 0, again: 0 };
  for (const packer of packers)
    for (const name of readdirSync(join(folder, packer))) {
      counts.files += 1;
      const { verdict, content } = unpackExecutable(readFileSync(join(folder, packer, name)), DEFAULT_BUDGET);
      if (verdict !== "unpacked") continue;
      counts.unpacked += 1;
      if (unpackExecutable(content, DEFAULT_BUDGET).verdict === "plain") counts.again += 1;
      else console.error(`not plain: ${packer}/${name}`);
    }
  return {
    files: counts.files,
    unpacked: share(counts.unpacked, counts.files),
    "plain when sent again": share(counts.again, counts.unpacked),
  };
}
