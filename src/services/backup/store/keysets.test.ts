/** Pages and sweeps begin at their key in an index, instead of reading everything before it. */
import type { Kysely, KyselyPlugin, RootOperationNode } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openSqlite } from "../../../kernel/db/index.ts";
import { migrations } from "../migrations/index.ts";
import type { Tables } from "../tables/index.ts";
import { findNextHolder } from "./chunks.ts";
import { newestFirst } from "./newest-first.ts";
import { findContinuous, findLatestWhole, listPointsById } from "./points.ts";

let database: Database;
beforeAll(async () => {
  database = openSqlite(undefined);
  await database.transact(async (db) => {
    const secrets = () => Promise.reject(new Error("an empty database has no secrets"));
    for (const { up } of Object.values(migrations)) await up(db, { secrets });
  });
});
afterAll(() => database.close());

/** How SQLite goes about the statements that `work` makes. */
async function plansOf(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<string> {
  const nodes: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db: Kysely<Tables> = database.read;
  await work(db.withPlugin(recorder));
  const executor = db.getExecutor();
  const plans = await Promise.all(
    nodes.map((node) => {
      const query = executor.compileQuery(node, { queryId: "explained" });
      // Values play no part in a plan, and compiled queries have placeholders for them.
      const parameters = query.parameters.map(() => "");
      const sql = `explain query plan ${query.sql}`;
      return db.executeQuery<{ detail: string }>({ ...query, parameters, sql });
    }),
  );
  return plans.flatMap(({ rows }) => rows.map(({ detail }) => detail)).join("\n");
}

it("the next holder of chunks", async () => {
  const plan = await plansOf((db) => findNextHolder(db, { account: "1", vaultId: "v", holder: "h" }));
  expect(plan).toContain("SEARCH backup_chunk_use");
  expect(plan).toContain("(account,vault_id,holder)>(?,?,?)");
});
it("a vault's recovery points by id", async () => {
  const vault = { account: "1", region: "r" };
  const plan = await plansOf((db) => listPointsById(db, vault, ["v", "v-cold"], "p", 8));
  expect(plan).toContain("(account=? AND region=? AND id>?)");
  expect(plan).not.toContain("TEMP B-TREE");
});
it.each([
  ["the continuous recovery point", findContinuous],
  ["the last whole recovery point", findLatestWhole],
] as const)("%s of a resource", async (_which, find) => {
  const plan = await plansOf((db) => find(db, "1", "r", "v", "arn"));
  expect(plan).toContain("backup_point_resource (account=? AND region=? AND resource_arn=?)");
  expect(plan).not.toContain("TEMP B-TREE");
});
it("jobs, the newest first", async () => {
  const plan = await plansOf((db) => {
    const query = db
      .selectFrom("backup_job")
      .selectAll()
      .where("account", "=", "1")
      .where("region", "=", "r");
    return newestFirst(query, [5, "id"], 10).execute();
  });
  expect(plan).toContain("(created_at,id)<(?,?)");
  expect(plan).not.toContain("TEMP B-TREE");
});
