/** Breaks each rule of `tools/import-rules.cjs`, `tools/layers.cjs` and `tools/room-rules.mjs` on purpose: exactly that rule complains. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";

const project = join(import.meta.dirname, "../..");
const tool = join(project, "tools/import-rules.mjs");
const require = createRequire(import.meta.url);
const { forbidden } = require("../../tools/import-rules.cjs") as { forbidden: { name: string }[] };
const { ROOMS } = require("../../tools/layers.cjs") as { ROOMS: Record<string, string[]> };
const LAYER_RULES = ["doors-show-no-higher-layer", "every-file-has-a-layer", "layers-run-downwards"];
const SYNTAX_RULES = [
  "plain-constants-in-upper-case",
  "ports-hold-types-alone",
  "queries-only-in-store",
  "store-takes-database-and-account-first",
  "tables-carry-the-prefix",
];

const rooms = Object.entries(ROOMS).flatMap(([service, names]) =>
  names.map((name, index) => ({ service, name, next: names[index + 1] })),
);
/** The doors of a service of several rooms: each room knows the next. */
const doors = Object.fromEntries([
  ...Object.entries(ROOMS).map(([service, [first]]) => [
    `src/services/${service}/index.ts`,
    `export * from "./${first}/index.ts";\n`,
  ]),
  ...rooms.map(({ service, name, next }) => [
    `src/services/${service}/${name}/index.ts`,
    `export { ${name} } from "./operations.ts";\n${next ? `export * from "../${next}/index.ts";\n` : ""}`,
  ]),
  ...rooms.map(({ service, name }) => [
    `src/services/${service}/${name}/operations.ts`,
    `export const ${name} = () => 1;\n`,
  ]),
  ...Object.keys(ROOMS).map((service) => [`src/services/${service}/protocol.ts`, "export {};\n"]),
]);

/** A tree that keeps every rule: one of each kind of file, two services, and services of several rooms. */
const good: Record<string, string> = {
  "src/kernel/operation/index.ts": 'export * from "./errors.ts";\n',
  "src/kernel/operation/errors.ts": "export const kernelErrors = {};\n",
  "src/kernel/db/index.ts": 'import pg from "pg";\nexport const driver = pg;\n',
  "src/kernel/http/index.ts": 'import router from "find-my-way";\nexport const made = router;\n',
  "src/ports/tokens.ts": 'export type { kernelErrors } from "#kernel/operation";\n',
  "src/app/index.ts": 'export { room } from "../services/room/index.ts";\n',
  "src/admin/store.ts": "export const list = (db: any) => db.selectFrom('medley_job');\n",
  "src/services/room/index.ts":
    'export { handle as room } from "./operations/things.ts";\nexport { tables } from "./tables.ts";\n',
  "src/services/room/backup-source.ts": 'import "./actions.ts";\n',
  "src/services/room/actions.ts": 'import "./jobs.ts";\n',
  "src/services/room/settings.ts": 'import "./domain/rules.ts";\n',
  "src/services/room/operations/things.ts":
    'import "../actions.ts";\nimport "../jobs.ts";\nimport "../wire.ts";\nimport "#kernel/operation";\nimport "#ports/tokens";\nexport const handle = () => 1;\n',
  "src/services/room/wire.ts": 'import "./domain/rules.ts";\n',
  "src/services/room/jobs.ts": 'import "./state.ts";\nimport "./store.ts";\n',
  "src/services/room/store.ts":
    'import "kysely";\nimport "./domain/rules.ts";\nimport "./tables.ts";\nexport const find = (db: any, account: string, id: string) => db.selectFrom("room_thing").where(account, id);\nexport const countThings = (db: any) => db.selectFrom("room_thing");\n',
  "src/services/room/tables.ts":
    'import type { Kysely } from "kysely";\nexport type Db = Kysely<Tables>;\nexport type Tables = { room_thing: { id: string } };\nexport const tables = ["room_thing"];\n',
  "src/services/room/migrations.ts":
    'export const up = (db: any) => db.schema.createTable("room_thing").execute();\n',
  "src/services/room/domain/rules.ts": 'import "../errors.ts";\n',
  "src/services/room/errors.ts": 'import "#kernel/operation";\n',
  "src/services/room/seed.ts": 'import "./operations/things.ts";\n',
  "src/services/room/state.ts": 'import "./store.ts";\nimport "./settings.ts";\n',
  "src/services/other-room/index.ts": "export const other = () => 1;\n",
  ...doors,
  "src/services/identity/connect/domain/rules.ts": 'export * from "../../clients/index.ts";\n',
  "src/services/identity/connect/store.ts": "export const none = () => 1;\n",
};

const room = "src/services/room";
const identity = "src/services/identity";
type Breach = { readonly rule: string; readonly file: string; readonly text: string };
const importing = (rule: string, file: string, target: string): Breach => ({
  rule,
  file,
  text: `import "${target}";\n`,
});
/** The same rule broken in several ways, each in a file of its own. */
const written = (rule: string, folder: string, texts: readonly string[]): Breach[] =>
  texts.map((text, index) => ({
    rule,
    file: `${folder}/breach-${index}.ts`,
    text: `/** On purpose. */\n${text}\n`,
  }));

const breaches: readonly Breach[] = [
  importing("services-never-import-each-other", `${room}/operations/foreign.ts`, "../../other-room/index.ts"),
  importing("services-see-only-kernel-and-ports", `${room}/operations/admin.ts`, "../../../admin/store.ts"),
  importing("kernel-knows-no-service", "src/kernel/operation/service.ts", "../../ports/tokens.ts"),
  importing("ports-know-only-the-kernel", "src/ports/bad.ts", "../admin/store.ts"),
  importing("only-index-is-public", "src/app/inside.ts", "../services/room/store.ts"),
  importing("domain-is-pure", `${room}/domain/reads.ts`, "node:fs"),
  importing("domain-is-pure", `${room}/domain/serves.ts`, "#ports/tokens"),
  importing("domain-is-pure", `${identity}/connect/domain/reads.ts`, "node:fs"),
  { rule: "every-file-has-a-layer", file: `${room}/effects/pay.ts`, text: "export {};\n" },
  { rule: "every-file-has-a-layer", file: `${room}/loose.ts`, text: "export {};\n" },
  { rule: "every-file-has-a-layer", file: `${identity}/people/effects/pay.ts`, text: "export {};\n" },
  { rule: "every-file-has-a-layer", file: "src/strange/part.ts", text: "export {};\n" },
  // Each layer asks the one above it; so no chain leads up either.
  importing("layers-run-downwards", `${room}/errors/asks.ts`, "../domain/rules.ts"),
  importing("layers-run-downwards", `${room}/domain/asks.ts`, "../settings.ts"),
  importing("layers-run-downwards", `${room}/settings/asks.ts`, "../store.ts"),
  importing("layers-run-downwards", `${room}/store/asks.ts`, "../state.ts"),
  importing("layers-run-downwards", `${room}/migrations/asks.ts`, "../state.ts"),
  importing("layers-run-downwards", `${room}/state/asks.ts`, "../jobs.ts"),
  importing("layers-run-downwards", `${room}/jobs/asks.ts`, "../actions.ts"),
  importing("layers-run-downwards", `${room}/actions/asks.ts`, "../backup-source.ts"),
  importing("layers-run-downwards", `${room}/port/asks.ts`, "../wire.ts"),
  importing("layers-run-downwards", `${room}/wire/asks.ts`, "../operations/things.ts"),
  importing("layers-run-downwards", `${room}/operations/asks.ts`, "../index.ts"),
  importing("layers-run-downwards", `${identity}/connect/domain/asks.ts`, "../store.ts"),
  // Through a door as well.
  {
    rule: "doors-show-no-higher-layer",
    file: `${identity}/connect/jobs/asks.ts`,
    text: 'import { people } from "../../people/index.ts";\nexport const job = people;\n',
  },
  // What jobs may know reaches for what they may not.
  importing("layers-run-downwards", `${room}/state/answers.ts`, "../operations/things.ts"),
  importing("layers-run-downwards", `${room}/actions/spells.ts`, "../wire.ts"),
  importing("layers-run-downwards", `${room}/backup-source/answers.ts`, "../operations/things.ts"),
  importing("sql-only-in-store", `${room}/operations/sql.ts`, "kysely"),
  importing("drivers-only-in-kernel-db", "src/kernel/jobs/driver.ts", "pg"),
  importing("router-only-in-kernel-http", "src/kernel/operation/router.ts", "find-my-way"),
  ...rooms.flatMap(({ service, name }) => [
    importing(
      `${service}-${name}-has-a-door`,
      `src/services/${service}/operations/into-${name}.ts`,
      `../${name}/operations.ts`,
    ),
    importing(
      `${service}-${name}-knows-nothing-above`,
      `src/services/${service}/${name}/operations/asks.ts`,
      "../../protocol.ts",
    ),
  ]),
  // Types count as well.
  {
    rule: "no-circles",
    file: "src/kernel/operation/one.ts",
    text: 'import type { Two } from "./two.ts";\nexport type One = Two | undefined;\n',
  },
  ...written("queries-only-in-store", `${room}/operations`, [
    'export const handle = (db: any) => db.selectFrom("room_thing");',
    'export const handle = (db: any) => db["insertInto"]("room_thing");',
    "export const handle = ({ updateTable: change }: any) => change;",
    'export const handle = (db: any) => db.with("x", (inner: any) => inner.deleteFrom("room_thing"));',
    "export const handle = (sql: any) => sql`select 1`;",
    'export const handle = (db: any) => db.schema.alterTable("room_thing");',
  ]),
  ...written("queries-only-in-store", "src/admin/operations", [
    "export const handle = (db: any) => db.selectFrom('medley_job');",
  ]),
  ...written("ports-hold-types-alone", "src/ports/code", [
    "export const join = (offers: string[]) => offers;",
    "export function join(offers: string[]) {\n  return offers;\n}",
    "export class PortError extends Error {}",
  ]),
  ...written("plain-constants-in-upper-case", "src/kernel/operation/limits", [
    "export const sizeMax = 10 * 1024;",
    'const words = ["a", "b"] as const;\nexport { words };',
    "export const pattern = /^a$/;",
    'export const known: ReadonlySet<string> = new Set(["a"]);',
    'export const names = new Map([["a", 1]]);',
    "const SIZE = 2;\nexport const double = SIZE * 2;",
    "export const READ_ALL = (text: string) => text;",
  ]),
  ...written("store-takes-database-and-account-first", `${room}/store/functions`, [
    'export const find = ({ db, account }: any) => db.selectFrom("room_thing").where("account", "=", account);',
    'export function find(account: string, db: any) {\n  return db.selectFrom("room_thing").where("account", "=", account);\n}',
    "export async function find(db: any, id: string, account: string) {\n  return [db, id, account];\n}",
    "export const find = (db: any, id: string, { account }: any) => [db, id, account];",
    "export const find = (context: any) => context.db;",
  ]),
  ...written("tables-carry-the-prefix", `${room}/store`, [
    "export type Tables = { room_thing: string; thing: string };",
    "export type MoreTables = { room_thing: string } & { other_thing: string };",
    'export const tables = ["room_thing", "rooms"];',
    'export const tables: readonly string[] = ["medley_job"];',
    'export const service = { name: "room", tables: ["medley_job"] };',
  ]),
  ...written("tables-carry-the-prefix", `${room}/migrations`, [
    'export const up = (db: any) => db.schema.createTable("thing");',
    'export const up = (db: any, createTable: any) => createTable(db, "other_room_thing", {});',
    'export const up = (db: any) => db.schema.alterTable("room_thing").renameTo("thing");',
  ]),
];

function run(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), "medley-rules-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const file of ["package.json", "tsconfig.json"])
    writeFileSync(join(root, file), readFileSync(join(project, file)));
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  const { stderr, stdout } = spawnSync(process.execPath, [tool, root], { encoding: "utf8" });
  rmSync(root, { recursive: true });
  expect(stdout, stderr).toMatch(/^\d+ files, \d+ problems$/m);
  return stderr.split("\n").filter((line) => line !== "");
}

let complaints: string[];
beforeAll(() => {
  const broken = breaches.map(({ file, text }) => [file, text]);
  const circle = {
    "src/kernel/operation/two.ts":
      'import type { One } from "./one.ts";\nexport type Two = { readonly one: One };\n',
  };
  complaints = run({ ...good, ...circle, ...Object.fromEntries(broken) });
});

it("nothing is said where every rule is kept", () => {
  expect(run(good)).toEqual([]);
});
it.each(breaches)("$rule: $file", ({ rule, file }) => {
  const about = complaints.filter((line) => line.includes(` ${file}`) && !line.includes(`-> ${file}`));
  expect(about).toEqual([expect.stringMatching(`^${rule}: ${file}`)]);
});
it("each rule is broken here, and nothing else is complained of", () => {
  const rules = [...forbidden.map(({ name }) => name), ...LAYER_RULES, ...SYNTAX_RULES];
  expect([...new Set(breaches.map(({ rule }) => rule))].sort()).toEqual(rules.sort());
  expect(complaints).toHaveLength(breaches.length);
});
it("a checker that reads nothing is noticed", () => {
  expect(run({ "src/services/room/index.ts": "export {};\n", "src/admin/store.ts": "export {};\n" })).toEqual(
    ["no #kernel import was resolved, so no rule was really checked"],
  );
});
