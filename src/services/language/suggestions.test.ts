/** How far back the log of queries is looked through for suggestions. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyRow } from "../../../tests/support/copied-rows.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { authoring } from "../../../tests/support/language.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const data = mkdtempSync(join(tmpdir(), "medley-language-"));
let instance: Instance;
const { ok, newApp, label, train } = authoring(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["language", "language-predictions"], data });
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("the latest 2,000 queries", async () => {
  const { app, v } = await newApp();
  const intent = await ok("POST", `${v}/intents`, { name: "Greet" });
  for (const text of ["hello there", "hello you"]) await label(v, text, "Greet");
  await train(v);
  await ok("POST", `${app}/publish`, { versionId: "0.1", isStaging: false });
  const ask = async (query: string) => {
    const path = `/language/luis/prediction/v3.0${app}/slots/production/predict?log=true`;
    const { status } = await instance.apiKey("Vendor-Subscription-Key", "POST", path, { body: { query } });
    expect(status).toBe(200);
  };
  const suggested = async (): Promise<string[]> =>
    (await ok("GET", `${v}/intents/${intent}/suggest?take=50`)).map((one: { text: string }) => one.text);
  await ask("hello oldest");
  await eventually(async () => (await suggested()).includes("hello oldest"));
  await ask("hello again");
  await eventually(async () => (await suggested()).includes("hello again"));
  const askedMore = (first: number, count: number) =>
    copyRow(data, {
      table: "language_query",
      count,
      changed: { id: `copied.id || '-' || printf('%05d', ${first} + n)` },
      where: "text = 'hello again'",
    });
  askedMore(0, 1998);
  expect(await suggested()).toContain("hello oldest");
  askedMore(1998, 1);
  const left = await suggested();
  expect([left.includes("hello again"), left.includes("hello oldest")]).toEqual([true, false]);
});
