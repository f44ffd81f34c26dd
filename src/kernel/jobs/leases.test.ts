/** Work that takes longer than a lease keeps it: the lease is renewed until the work has ended. */
import { Type } from "@sinclair/typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../config/index.ts";
import { defineService, jobsFor } from "../operation/index.ts";
import { bearer, plain } from "../protocols/index.ts";
import type { Kernel } from "../runtime/index.ts";

const RENEWALS = 4;
/** It takes a second. A renewal that hangs holds up everything, so the test ends by itself. */
const HANGS_MS = 60_000;

describe.each(["sqlite", "postgres"] as const)("a lease on %s", (on) => {
  let kernel: Kernel;
  let runs = 0;
  let release = () => {};
  const long = jobsFor<unknown>()({
    name: "lease.long",
    payload: Type.Object({}),
    transaction: "manual",
    async run() {
      runs += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  });
  beforeAll(async () => {
    const place = on === "sqlite" ? { memory: true } : { databaseUrl: await createDatabase() };
    const service = defineService({
      name: "lease",
      title: "Lease",
      summary: "Work that takes long.",
      mount: "/lease",
      protocol: plain({ scheme: bearer }),
      operations: [],
      jobs: [long],
    });
    const config = { ...defaultConfig, logLevel: "silent" as const, jobLeaseSeconds: 1, ...place };
    ({ kernel } = await openKernel(config, [service]));
    await kernel.jobs.start();
  });
  afterAll(() => kernel.stop(), HANGS_MS);

  const row = () =>
    kernel.database.read
      .selectFrom("medley_job")
      .select(["state", "attempts", "lease_until"])
      .where("name", "=", "lease.long")
      .executeTakeFirstOrThrow();

  it(
    "is renewed while the work goes on, so that it runs once",
    async () => {
      await kernel.transactAs("lease", "111111111111", (context) => context.enqueue(long, {}));
      await eventually(() => runs === 1, "the start of the work");
      let until = Number((await row()).lease_until);
      for (let renewal = 0; renewal < RENEWALS; renewal += 1)
        until = await eventually(async () => {
          const now = Number((await row()).lease_until);
          return now > until && now;
        }, "a renewal of the lease");
      expect(await row()).toMatchObject({ state: "running", attempts: 1 });
      release();
      await eventually(async () => (await row()).state === "done", "the end of the work");
      expect(runs).toBe(1);
    },
    HANGS_MS,
  );
});
