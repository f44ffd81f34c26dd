/**
 * How much of a public corpus comes in right: `npm run build`, then `npm run corpora -- NAME FOLDER [words…]`.
 * Each corpus has a module of its name in tools/corpora; docs/corpora.md says where the corpora are from.
 */
import { readdirSync } from "node:fs";

const [name, folder, ...words] = process.argv.slice(2);
const names = readdirSync(new URL("corpora/", import.meta.url))
  .filter((file) => file.endsWith(".mjs") && file !== "support.mjs")
  .map((file) => file.slice(0, -".mjs".length));
if (!names.includes(name) || folder === undefined) {
  console.error(`say: npm run corpora -- ${names.join("|")} FOLDER`);
  process.exit(2);
}
const { figures } = await import(new URL(`corpora/${name}.mjs`, import.meta.url));
for (const [what, value] of Object.entries(await figures(folder, words))) console.log(`${what}: ${value}`);
