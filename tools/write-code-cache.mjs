/**
 * Starts the product twice. The first start runs all migrations, so the schema of an embedded database is known and the
 * code of every service is compiled. The second runs what every later start runs. Both are kept beside the bundle.
 */
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const SCHEMA = "dist/fresh-schema.json";
rmSync(SCHEMA, { force: true });
const { rememberedSchemas, saveCode, startMedley } = createRequire(import.meta.url)("../dist/load.cjs");
const startOnce = async () => {
  const medley = await startMedley();
  await fetch(`${medley.url}/_medley/ready`);
  await medley.stop();
};
await startOnce();
writeFileSync(SCHEMA, JSON.stringify(await rememberedSchemas()));
await startOnce();
saveCode();
