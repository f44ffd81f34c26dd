/**
 * The lines that `npm run mutate` changes, and the tests that judge. Rules are in `domain` folders and in parts of the kernel.
 * A line is chosen by a hash of its text, so the sample stays the same while other lines change.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Of each service. A line has one to ten changes. */
const LINES = 3;
const KERNEL_LINES = 9;
/** Parts of the kernel that are rules: folders, or files without their ending. */
const KERNEL = [
  "arn",
  "auth/guessing",
  "auth/policies",
  "bytes",
  "clock",
  "http/forwarded",
  "http/mounts",
  "http/query",
  "jobs/slots",
  "odata",
  "outbound/address-ranges",
  "outbound/hostile-urls",
  "paging",
  "resource-provider/desired",
  "resource-provider/identifiers",
  "shape",
];
const DOMAIN = /^src\/services\/[^/]+\/(?:[^/]+\/)?domain(?:\/|\.(?:test\.)?ts$)/;
/** What decides or computes. */
const CHANGEABLE = /===|!==|&&|\|\||\?\?| [<>]=? | [-+*/%] |\breturn !|\.(?:some|every|filter)\(/;
const NOT_CODE = /^\s*(?:\/\/|\*|\/\*|import |export (?:type |\{|\*)|type |readonly )/;
/** Computed once while the file loads. Tests of one change at a time do not load it again. */
const LOADED_ONCE = /^(?:export )?const [A-Z0-9_]+\b/;

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
/** Lines that are not judged, each with its reason. */
const LEFT_OUT = [
  [/podcasts\/domain\/languages\.ts$/, /letters === 0/, "a shortcut: no letters are of no script either way"],
  [/^src\/services\/face\/domain\/portraits\.ts$/, /./, "coordinates of drawings: nothing is decided"],
];
const isLeftOut = ({ file, text }) =>
  LOADED_ONCE.test(text) || LEFT_OUT.some(([files, lines]) => files.test(file) && lines.test(text));
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
        .filter((line) => CHANGEABLE.test(line.text) && !NOT_CODE.test(line.text) && !isLeftOut(line)),
    )
    .map((line) => ({
      ...line,
      rank: createHash("sha1").update(`${line.file} ${line.text.trim()}`).digest("hex"),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const chosen = groupedBy(lines, ({ file }) => serviceOf(file));
  return [...chosen].flatMap(([service, all]) =>
    all
      .slice(0, service === "kernel" ? KERNEL_LINES : LINES)
      .map(({ file, number, text }) => `${file}:${number}:0-${number}:${text.length}`),
  );
}
