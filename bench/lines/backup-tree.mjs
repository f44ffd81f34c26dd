/** Trees of files, the same in every run: mixed ones (prose, source, tables of numbers and what no longer gets smaller), and very many small ones. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SYLLABLES = "ba be ca co da di fa ga ka le li lo ma me mi no pa ra re ro sa so ta te ti vo".split(" ");
const WORDS = 20_000;
const FILES_PER_FOLDER = 100;

let seed = 20_260_101;
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
const pick = (list, weight = 1) => list[Math.floor(random() ** weight * list.length)];

const words = Array.from({ length: WORDS }, () =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join(""),
);
function textOf(bytes, makeLine) {
  const lines = [];
  for (let size = 0; size < bytes; size += lines.at(-1).length) lines.push(makeLine());
  return Buffer.from(lines.join("")).subarray(0, bytes);
}
const prose = () => `${Array.from({ length: 12 }, () => pick(words, 3)).join(" ")}.\n`;
const source = () =>
  `  const ${pick(words, 4)} = await ${pick(words, 4)}.${pick(words, 4)}(${Math.floor(random() * 1000)});\n`;
const table = () => `${Array.from({ length: 8 }, () => (random() * 1e4).toFixed(2)).join(",")}\n`;
/** As pictures, sound and archives are. */
function dense(bytes) {
  const parts = [];
  for (let at = 0; at < bytes; at += 32) parts.push(createHash("sha256").update(`${seed}-${at}`).digest());
  random();
  return Buffer.concat(parts).subarray(0, bytes);
}
const KINDS = [
  ["txt", (bytes) => textOf(bytes, prose)],
  ["js", (bytes) => textOf(bytes, source)],
  ["csv", (bytes) => textOf(bytes, table)],
  ["jpg", dense],
];

/** Two fifths of the bytes in files of some kilobytes, the others in files of some megabytes. Answers how many files. */
export function makeTree(folder, bytesTotal) {
  let files = 0;
  const put = (size) => {
    const [extension, make] = KINDS[files % KINDS.length];
    const place = join(folder, `folder-${Math.floor(files / FILES_PER_FOLDER)}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file-${files}.${extension}`), make(Math.round(size)));
    files += 1;
    return size;
  };
  for (let bytes = 0; bytes < 0.4 * bytesTotal; ) bytes += put(1000 + random() ** 3 * 120_000);
  for (let bytes = 0; bytes < 0.6 * bytesTotal; ) bytes += put(1e6 + random() ** 4 * 40e6);
  return files;
}

const SMALL_FILES_PER_FOLDER = 10_000;
/** Some hundred bytes in each, ten thousand to a folder. */
export function makeSmallFiles(folder, count) {
  for (let at = 0; at < count; at += 1) {
    const place = join(folder, `folder-${Math.floor(at / SMALL_FILES_PER_FOLDER)}`);
    if (at % SMALL_FILES_PER_FOLDER === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file-${at}.txt`), textOf(100 + Math.floor(random() * 900), prose));
  }
}
