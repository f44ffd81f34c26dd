/** Runs all migrations on an empty embedded database and keeps the statements that make the same schema. */
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const SCHEMA = "dist/fresh-schema.json";
rmSync(SCHEMA, { force: true });
const { rememberedSchemas, startMedley } = createRequire(import.meta.url)("../dist/load.cjs");
await (await startMedley()).stop();
writeFileSync(SCHEMA, JSON.stringify(await rememberedSchemas()));
