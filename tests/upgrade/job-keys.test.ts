/** Keys of waiting work were known across the whole process once; what waits under one goes on under it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { describe, expect, it } from "vitest";
import { openDatabase, openKernel } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { migrate } from "../../src/kernel/db/index.ts";
import { defineService, jobsFor } from "../../src/kernel/operation/index.ts";
import { bearer, plain } from "../../src/kernel/protocols/index.ts";
import { kernelMigrations } from "../../src/kernel/runtime/migrations.ts";
import { createDatabase } from "../support/medley.ts";
import { databases } from "./shelf.ts";

const ran: string[] = [];
const remind = jobsFor<unknown>()({
  name: "reminders.remind",
  payload: Type.Object({ word: Type.String() }),
  async run({ word }) {
    ran.push(word);
  },
});
const reminders = defineService({
  name: "reminders",
  title: "Reminders",
  summary: "Says a word when its time has come.",
  mount: "/reminders",
  protocol: plain({ scheme: bearer }),
  operations: [],
  jobs: [remind],
});
const LAST_BEFORE = "003-job-lanes";
const older = Object.fromEntries(Object.entries(kernelMigrations).filter(([name]) => name <= LAST_BEFORE));

describe.each(databases)("work that waits under a key on %s", (on) => {
  it("is replaced and cancelled by its own service and account, and met by nobody else", async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), "medley-job-keys-"));
    const databaseUrl = on === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, dataFolder, databaseUrl, logLevel: "silent" } as const;
    const before = await openDatabase(config);
    await migrate(before, [{ owner: "kernel", migrations: older }], 0);
    await before.transact((db) =>
      db
        .insertInto("medley_job")
        .values({
          id: "job_older",
          account: "111111111111",
          service: "reminders",
          name: remind.name,
          dedupe_key: "k",
          payload: JSON.stringify({ word: "older" }),
          state: "waiting",
          run_at: 0,
          attempts: 0,
          lease_owner: null,
          lease_until: null,
          error: null,
          created_at: 0,
          finished_at: null,
        })
        .execute(),
    );
    await before.close();

    const { kernel } = await openKernel(config, [reminders]);
    const enqueue = (account: string, word: string) =>
      kernel.transactAs("reminders", account, (context) => context.enqueue(remind, { word }, { key: "k" }));
    expect(await enqueue("111111111111", "newer")).toBe("job_older");
    expect(await enqueue("222222222222", "another's")).not.toBe("job_older");
    await kernel.jobs.drain(kernel.clock.nowMs(), 10);
    expect(ran.splice(0).toSorted()).toEqual(["another's", "newer"]);
    await kernel.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });
});
