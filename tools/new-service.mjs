/**
 * `npm run new-service -- podcasts S5 /podcasts/api/v2` makes a room, `npm run new-service -- lakes W Vendor.Lakes` a resource
 * manager, each from the example in src/examples, with every file a room has. `-` for what the contract does not promise.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [name, letter, place] = process.argv.slice(2);
const isManager = /^Vendor\.[A-Z][A-Za-z]+$/.test(place ?? "");
if (!/^[a-z][a-z-]*[a-z]$/.test(name ?? "") || !letter || !(isManager || place?.startsWith("/"))) {
  console.error(
    "say: npm run new-service -- podcasts S5 /podcasts/api/v2   (or, for a resource manager, Vendor.Podcasts)",
  );
  process.exit(2);
}
const folder = join("src/services", name);
if (existsSync(folder)) {
  console.error(`${folder} exists already`);
  process.exit(1);
}

const title = name[0].toUpperCase() + name.slice(1).replaceAll("-", " ");
const [, lastWord] = place.split(".");
/** In this order: words that hold others come first. */
const words = isManager
  ? [
      ["Vendor.Warehousing", place],
      ["Microsoft.Warehousing", `Microsoft.${lastWord}`],
      ["Warehousing", title],
      ["warehousing", name],
    ]
  : [
      ["/sketchbook", place],
      ["sketchbook_", `${name.replaceAll("-", "_")}_`],
      ["Sketchbook", title],
      ["sketchbook", name],
    ];
const respelt = (text) => words.reduce((so, [from, to]) => so.replaceAll(from, to), text);

const readme = `# ${title}

What the service does for a user, in four lines.

## First five minutes

Commands or code of the usual client library, from start to result.

## Decisions

What the contract does not show, and what was chosen.

## Limits

What may grow, and how far.
`;
const contractLine = letter === "-" ? "" : `\n  contract: "${letter}",`;
const changed = {
  "README.md": () => readme,
  "index.ts": (text) => text.replace(/\n {2}summary: .*,/, (line) => `${line}${contractLine}`),
};

const example = join("src/examples", isManager ? "warehousing" : "sketchbook");
for (const entry of readdirSync(example, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const from = join(entry.parentPath, entry.name);
  const file = respelt(from.slice(example.length + 1));
  const text = respelt(readFileSync(from, "utf8"));
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), changed[file]?.(text) ?? text);
}
console.log(`made ${folder}; add it to src/app/services.ts, then npm run contract`);
