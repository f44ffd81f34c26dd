/** Rows of earlier releases enter the catalogue: all of a large table, each once, and none that is there is changed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../config/config.ts";
import { createTable } from "../db/create-table.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { addEarlierResources } from "./add-earlier.ts";

const earlier = {
  service: "garden",
  type: "Vendor::Garden::Bed",
  table: "garden_bed",
  resource: "bed/",
  id: "id",
  columns: ["title", "made_at"],
  createdAt: "made_at",
  updatedAt: "made_at",
  nameOf: ({ title }: Readonly<Record<string, unknown>>) => String(title),
};
const accounts = ["111111111111", "222222222222"] as const;
/** More than two batches, which end inside an account. */
const BEDS_EACH = 601;

describe.each(["sqlite", "postgres"] as const)("earlier rows on %s", (kind) => {
  let kernel: Kernel;
  beforeAll(async () => {
    const databaseUrl = kind === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, memory: kind === "sqlite", databaseUrl, logLevel: "error" as const };
    ({ kernel } = await openKernel(config, []));
    await kernel.database.transact(async (db) => {
      const columns = { account: "text", id: "integer", title: "text", made_at: "integer" } as const;
      await createTable(db, "garden_bed", columns, ["account", "id"]);
      for (const account of accounts) {
        const beds = Array.from({ length: BEDS_EACH }, (_, id) => ({
          account,
          id,
          title: `Bed ${id}`,
          made_at: id,
        }));
        for (let start = 0; start < BEDS_EACH; start += 200)
          await db
            .insertInto("garden_bed")
            .values(beds.slice(start, start + 200))
            .execute();
      }
    });
  });
  afterAll(() => kernel.database.close());
  const add = () => kernel.database.transact((db) => addEarlierResources(db, earlier));
  const catalogOf = (account: string) => kernel.jobContext("garden", account, "test").catalog;

  it("are all in the catalogue of their account, under their names", async () => {
    const tagged = {
      arn: "arn:vendor:garden::222222222222:bed/7",
      type: earlier.type,
      name: "Renamed",
      region: "global",
      tags: { stage: "test" },
    };
    await kernel.transactAs("garden", accounts[1], ({ catalog }) => catalog.put(tagged));
    await add();
    await add();
    for (const account of accounts) {
      const entries = await catalogOf(account).list({ type: earlier.type, limit: 5000 });
      expect(entries).toHaveLength(BEDS_EACH);
    }
    expect(await catalogOf(accounts[0]).find("arn:vendor:garden::111111111111:bed/600")).toEqual({
      arn: "arn:vendor:garden::111111111111:bed/600",
      type: earlier.type,
      name: "Bed 600",
      region: "global",
      service: "garden",
      nativeId: "600",
      external: false,
      tags: {},
      details: {},
    });
    expect(await catalogOf(accounts[1]).find(tagged.arn)).toMatchObject({
      name: "Renamed",
      tags: { stage: "test" },
    });
  });
});
