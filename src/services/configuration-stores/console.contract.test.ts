/** What the console shows of configuration stores: how many, and each of them by its name. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendSigned } from "../../../tests/support/configuration-data.ts";
import * as support from "../../../tests/support/configuration-stores.ts";
import { copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const data = mkdtempSync(join(tmpdir(), "medley-stores-"));
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: support.configurationServices, data });
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("shows values of the first fifty stores, fifty changes of a store, and every store's page", async () => {
  const put = async (store: string, ...values: string[]) => {
    const [key] = await support.keysOfNewStore(instance, store);
    for (const value of values)
      await sendSigned(instance, key, "PUT", `/configuration/${store}/kv/a?${support.DATA_VERSION}`, {
        body: { value },
      });
  };
  const page = async (name: string) => {
    const query = new URLSearchParams({ view: "Configuration stores", row: name });
    const { body } = await instance.bearer("GET", `/_medley/views/configuration-stores/detail?${query}`);
    return body.widgets[0].events.length;
  };
  await put("a-store", ...Array.from({ length: 51 }, (_one, index) => `${index}`));
  await put("c-50th-store", "one");
  await put("c-51st-store", "one", "two");
  const changed = { name: "'b-store' || n" };
  const where = "name = 'a-store'";
  copyRow(data, { table: "configuration_store", count: 48, changed, where });
  const { body } = await instance.bearer("GET", "/_medley/views/configuration-stores?view=Key-values");
  const [{ rows }] = body.views;
  expect(rows.map(([store]: string[]) => store)).toEqual(["a-store", "c-50th-store"]);
  expect([await page("a-store"), await page("c-50th-store"), await page("c-51st-store")]).toEqual([50, 1, 2]);
});
