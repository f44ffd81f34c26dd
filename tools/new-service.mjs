/** `npm run new-service -- <name> <contract letter> <mount>`: a folder with every file a service has. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [name, letter, mount] = process.argv.slice(2);
if (!/^[a-z][a-z-]+$/.test(name ?? "") || !letter || !mount?.startsWith("/")) {
  console.error("say: npm run new-service -- podcasts S5 /podcasts/api/v2");
  process.exit(2);
}
const folder = join("src/services", name);
if (existsSync(folder)) {
  console.error(`${folder} exists already`);
  process.exit(1);
}
const table = `${name.replaceAll("-", "_")}_thing`;
const title = name[0].toUpperCase() + name.slice(1).replaceAll("-", " ");

const files = {
  "README.md": `# ${title}\n\nWhat it does for a user, in a paragraph.\n\n## Story\n\nA user with their usual client library, start to finish.\n\n## Decisions\n\nWhat the contract does not show, and what was chosen.\n`,
  "errors.ts": `/** What can go wrong. */\nimport { defineErrors } from "#kernel/operation";\n\nexport const errors = defineErrors({ noSuchThing: ["ThingNotFound", 404] });\n`,
  "wire.ts": `/** Shapes exactly as clients spell them. */\nimport { Type } from "@sinclair/typebox";\n\nexport const ThingId = Type.String({ minLength: 1, maxLength: 64 });\nexport const Thing = Type.Object({ id: ThingId, name: Type.String() });\n`,
  "domain.ts": `/** Rules only: no clock, SQL or HTTP. */\nexport const normalName = (name: string): string => name.trim();\n`,
  "store.ts": `/** The only SQL. \`db\` comes first, so every call joins the caller's transaction. */\nimport type { Kysely } from "kysely";\n\nexport type Tables = { ${table}: { account: string; id: string; name: string } };\n\nexport const findThing = (db: Kysely<Tables>, account: string, id: string) =>\n  db.selectFrom("${table}").selectAll().where("account", "=", account).where("id", "=", id).executeTakeFirst();\n`,
  "migrations.ts": `/** Forward migrations, in SQLite's column types. */\nimport type { Migration } from "#kernel/operation";\n\nexport const migrations: Readonly<Record<string, Migration>> = {\n  "001-things": {\n    async up(db) {\n      await db.schema\n        .createTable("${table}")\n        .addColumn("account", "text", (column) => column.notNull())\n        .addColumn("id", "text", (column) => column.notNull())\n        .addColumn("name", "text", (column) => column.notNull())\n        .addPrimaryKeyConstraint("${table}_pk", ["account", "id"])\n        .execute();\n    },\n  },\n};\n`,
  "operations/things.ts": `/** Things. */\nimport { Type } from "@sinclair/typebox";\nimport { operationsFor } from "#kernel/operation";\nimport { normalName } from "../domain.ts";\nimport { errors } from "../errors.ts";\nimport * as store from "../store.ts";\nimport * as wire from "../wire.ts";\n\nconst operation = operationsFor<store.Tables>();\n\nexport const getThing = operation({\n  id: "${name}.things.get",\n  summary: "Read a thing",\n  method: "GET",\n  path: "/things/{id}",\n  permission: "${name}:GetThing",\n  params: Type.Object({ id: wire.ThingId }),\n  answers: { 200: wire.Thing },\n  errors: [errors.noSuchThing],\n  async handle({ params }, { db, account }) {\n    const thing = await store.findThing(db, account, params.id);\n    if (!thing) throw errors.noSuchThing(\`There is no thing \${params.id}.\`);\n    return { id: thing.id, name: normalName(thing.name) };\n  },\n});\n`,
  "index.ts": `/** ${title}. Read operations/ next. */\nimport { defineService } from "#kernel/operation";\nimport { apiKeyIn, plain } from "#kernel/protocols";\nimport { migrations } from "./migrations.ts";\nimport { getThing } from "./operations/things.ts";\n\nexport default defineService({\n  name: "${name}",\n  title: "${title}",\n  summary: "One sentence for a user.",\n  contract: "${letter}",\n  mount: "${mount}",\n  protocol: plain({ scheme: apiKeyIn("X-Vendor-Api-Key") }),\n  operations: [getThing],\n  tables: ["${table}"],\n  migrations,\n});\n`,
  [`${name}.contract.test.ts`]: `/** ${title} over HTTP, on both databases. */\nimport { expect, it } from "vitest";\nimport { onBothDatabases } from "../../../tests/support/medley.ts";\n\nonBothDatabases("${name}", (instance) => {\n  it("says when there is no such thing", async () => {\n    expect((await instance().apiKey("X-Vendor-Api-Key", "GET", "${mount}/things/none")).status).toBe(404);\n  });\n});\n`,
};
for (const [file, content] of Object.entries(files)) {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), content);
}
console.log(`made ${folder}; add it to src/app/services.ts, then npm run contract`);
