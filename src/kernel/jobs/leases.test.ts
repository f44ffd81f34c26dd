/** Leases: long work keeps its lease by renewals, and the work of a node that died is taken over. */
import { Type } from "@sinclair/typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../config/index.ts";
import { defineService, jobsFor } from "../operation/index.ts";
import { bearer, plain } from "../protocols/index.ts";
import type { Kernel, TimeTravel } from "../runtime/index.ts";

const RENEWALS = 4;
/** It takes a second. A renewal that hangs holds up everything, so the test ends by itself. */
const HANGS_MS = 60_000;

describe.each(["sqlite", "postgres"] as const)("a lease on %s", (on) => {
  let kernel: Kernel;
  let travel: TimeTravel;
  let runs = 0;
  let release = () => {};
  const ranAtMs: number[] = [];
  const noted = jobsFor<unknown>()({
    name: "lease.noted",
    payload: Type.Object({}),
    async run(_payload, { clock }) {
      ranAtMs.push(clock.nowMs());
    },
  });
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
      jobs: [long, noted],
    });
    const config = { ...defaultConfig, logLevel: "silent" as const, jobLeaseSeconds: 1, ...place };
    ({ kernel, travel } = await openKernel(config, [service]));
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

  it("of a node that died is taken over before an advance moves the clock", async () => {
    const { clock, database } = kernel;
    await travel.freeze();
    await kernel.jobs.pause();
    const nowMs = clock.nowMs();
    await kernel.transactAs("lease", "111111111111", (context) =>
      context.enqueue(noted, {}, { runAtMs: nowMs + 1000 }),
    );
    const died = { state: "running", run_at: nowMs, lease_owner: "node-that-died", lease_until: 1 } as const;
    const change = on === "sqlite" ? { run_at: nowMs } : died;
    await database.transact((db) =>
      db.updateTable("medley_job").set(change).where("name", "=", "lease.noted").execute(),
    );
    await travel.advance(7_200_000);
    kernel.jobs.resume();
    expect(ranAtMs).toEqual([nowMs]);
  });
});
