/** A million detectors of one model: the last page takes no longer than the first, by state too, on both databases. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as support from "../../../tests/support/events.ts";
import { createDatabase, type Instance, startInstance } from "../../../tests/support/medley.ts";
import { expectPagesAlike } from "../../../tests/support/page-times.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../../kernel/config/index.ts";
import type { PageTokens } from "../../kernel/paging/page-tokens.ts";
import type { Kernel } from "../../kernel/runtime/index.ts";
import { addInput } from "./actions/inputs.ts";
import { createModel } from "./actions/models.ts";
import events from "./index.ts";
import { activateModel } from "./jobs/index.ts";
import type { EventsContext } from "./state.ts";

const REGION = "us-east-1";
const COUNT = 1_000_000;
const AT_ONCE = 50_000;
const PAGE_SIZE = 250;
/** As many digits as the last one has. */
const FIRST = 1_000_000;
const keyAt = (index: number) => `k${FIRST + index}`;
const STATE =
  '{"stateName":"Normal","variables":{"breaches":0},"timers":{},"inputs":{"PressureInput":{"pressure":1}}}';

/** The model, and its detectors as the engine keeps them: every second one is Dangerous. */
async function fill(kernel: Kernel): Promise<string> {
  const modelId = await kernel.transactAs("events", support.account, async (inner) => {
    const context = inner as EventsContext;
    await addInput(context, REGION, {
      inputName: "PressureInput",
      inputDefinition: support.pressureAttributes,
    });
    const definition = { detectorModelDefinition: support.motorModel, evaluationMethod: "BATCH" };
    const wanted = {
      name: "motors",
      description: undefined,
      roleArn: support.role,
      key: "motorid",
      definition,
      tags: [],
    };
    const { model } = await createModel(context, REGION, "detector", wanted);
    await activateModel(context, model.id);
    return model.id;
  });
  for (let from = FIRST; from < FIRST + COUNT; from += AT_ONCE) await addDetectors(kernel, modelId, from);
  return modelId;
}
/** In parts, because a busy machine may take longer over all of them than one statement is given. */
async function addDetectors(kernel: Kernel, modelId: string, from: number): Promise<void> {
  const last = sql.lit(from + AT_ONCE - 1);
  const numbers =
    kernel.database.kind === "postgres"
      ? sql`SELECT generate_series(${sql.lit(from)}, ${last}) AS n`
      : sql`WITH RECURSIVE c(n) AS (SELECT ${sql.lit(from)} UNION ALL SELECT n + 1 FROM c WHERE n < ${last}) SELECT n FROM c`;
  await kernel.database.transact(async (db) => {
    await sql`INSERT INTO events_instance
      (account, model_id, version, key, shard, state_name, state, recent, due_at, created_at, updated_at)
      SELECT ${sql.lit(support.account)}, ${sql.lit(modelId)}, 1, 'k' || n, 0,
        CASE n % 2 WHEN 0 THEN 'Normal' ELSE 'Dangerous' END, ${sql.lit(STATE)}, '', NULL, 0, 0
      FROM (${numbers}) AS numbers`.execute(db);
  });
}

describe.each(["sqlite", "postgres"] as const)("a million detectors on %s", (kind) => {
  const data = mkdtempSync(join(tmpdir(), "medley-detectors-"));
  let instance: Instance;
  let tokens: PageTokens;
  let modelId: string;
  beforeAll(async () => {
    const database = kind === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, logLevel: "error" as const, dataFolder: data, databaseUrl: database };
    const { kernel } = await openKernel(config, [events]);
    modelId = await fill(kernel);
    // Sealed as the instance itself seals them, so that a page far behind need not be reached page by page.
    tokens = kernel.pageTokens;
    await kernel.database.close();
    instance = await startInstance({ services: ["events"], ...(database ? { database } : { data }) });
  });
  afterAll(async () => {
    await instance?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it.each([undefined, "Dangerous"])("in pages, of state %s", async (stateName) => {
    const step = stateName === undefined ? 1 : 2;
    const scope = {
      account: support.account,
      region: REGION,
      operation: "events.ListDetectors",
      filter: { account: support.account, model_id: modelId, version: 1, stateName },
    };
    const client = new support.Events(() => instance);
    /** The page behind a detector; those of a state are the odd ones. */
    const pageAfter = async (index: number) => {
      const query = new URLSearchParams({
        maxResults: String(PAGE_SIZE),
        ...(stateName !== undefined && { stateName }),
        ...(index >= 0 && { nextToken: tokens.seal(scope, [keyAt(index)]) }),
      });
      const startedMs = performance.now();
      const { status, body } = await client.data("GET", `/detectors/motors?${query}`);
      const tookMs = performance.now() - startedMs;
      expect(status).toBe(200);
      expect(body.detectorSummaries).toHaveLength(PAGE_SIZE);
      expect(body.detectorSummaries[0].keyValue).toBe(keyAt(index + step));
      return { tookMs, more: body.nextToken !== undefined };
    };
    await expectPagesAlike({
      first: () => pageAfter(-1),
      middle: () => pageAfter(COUNT / 2 - 1),
      last: () => pageAfter(COUNT - 1 - PAGE_SIZE * step),
    });
  });

  it("one among them is found and moved like the only one", async () => {
    const client = new support.Events(() => instance);
    const message = (messageId: string, motorid: string) => ({
      messageId,
      inputName: "PressureInput",
      payload: support.base64({ motorid, pressure: 99 }),
    });
    const { body } = await client.data("POST", "/inputs/messages", {
      messages: [message("a", keyAt(COUNT / 2)), message("b", "new")],
    });
    expect(body).toEqual({ BatchPutMessageErrorEntries: [] });
    await client.isIn("motors", keyAt(COUNT / 2), "Dangerous");
    await client.isIn("motors", "new", "Dangerous");
  });
});
