/**
 * The lines that `npm run mutate` changes, and the tests that judge. Rules are in `domain` folders and in parts of the kernel.
 * A line is chosen by a hash of its text, so the sample stays the same while other lines change.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Of each service. A line has one to four changes. */
const LINES = 5;
/** Parts of the kernel that are rules and have quick tests. */
const KERNEL = ["arn", "bytes", "clock", "odata", "paging", "shape"];
const DOMAIN = /^src\/services\/[^/]+\/(?:[^/]+\/)?domain(?:\/|\.ts$)/;
/** What decides or computes. */
const CHANGEABLE = /===|!==|&&|\|\||\?\?| [<>]=? | [-+*/%] |\breturn !|\.(?:some|every|filter)\(/;
const NOT_CODE = /^\s*(?:\/\/|\*|\/\*|import |export (?:type |\{)|type |readonly )/;

export const serviceOf = (file) => {
  const [, service = "kernel"] = /src\/services\/([^/]+)\//.exec(file) ?? [];
  return service;
};
export function groupedBy(all, keyOf) {
  const groups = new Map();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

const files = readdirSync("src", { recursive: true })
  .map((name) => join("src", name))
  .filter((name) => name.endsWith(".ts"));
const isRule = (file) =>
  DOMAIN.test(file) || KERNEL.some((folder) => file.startsWith(`src/kernel/${folder}/`));
const isTest = (file) => file.endsWith(".test.ts");

/** Tests beside the rules. They start no server. */
export const sampleTests = () => files.filter((file) => isTest(file) && isRule(file));

export function sampledLines() {
  const lines = files
    .filter((file) => isRule(file) && !isTest(file))
    .flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .map((text, at) => ({ file, number: at + 1, text }))
        .filter(({ text }) => CHANGEABLE.test(text) && !NOT_CODE.test(text)),
    )
    .map((line) => ({
      ...line,
      rank: createHash("sha1").update(`${line.file} ${line.text.trim()}`).digest("hex"),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const chosen = groupedBy(lines, ({ file }) => serviceOf(file));
  return [...chosen.values()].flatMap((all) =>
    all.slice(0, LINES).map(({ file, number, text }) => `${file}:${number}:0-${number}:${text.length}`),
  );
}
