/** Two nodes on one database: what is changed at one decides the very next call at the other. And large bodies, both ways. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backend } from "../../../tests/support/backend.ts";
import { createDatabase, type Instance, startInstance } from "../../../tests/support/medley.ts";

const ROOT =
  "/management/subscriptions/nodes/resourceGroups/apis/providers/Vendor.ApiManagement/service/shared";
const PARTS = 64;
const PART = Buffer.alloc(1 << 20, "a");
const services = ["api-diagnostics"];

describe("gateways on two nodes", () => {
  const backend = new Backend({
    "/much": (_request, response) => {
      let left = PARTS;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!response.write(PART)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    },
    "/hash": (_request, response) =>
      void response.end(createHash("sha256").update(backend.last.body, "latin1").digest("hex")),
  });
  let here: Instance;
  let there: Instance;
  const put = async (path: string, properties: object) => {
    const made = await here.bearer("PUT", `${ROOT}/${path}?api-version=2019-12-01-preview`, {
      body: { properties },
    });
    expect(made.status).toBeLessThan(300);
  };
  beforeAll(async () => {
    await backend.start();
    const database = await createDatabase();
    here = await startInstance({ database, services });
    there = await startInstance({ database, services });
    await put("apis/orders", { path: "orders", serviceUrl: `${backend.url}/a`, subscriptionRequired: false });
  });
  afterAll(async () => {
    await here.stop();
    await there.stop();
    await backend.stop();
  });

  it("go by the newest settings with every call", async () => {
    const asked = async () => (await there.send("GET", "/gateway/shared/orders")).body.url;
    expect(await asked()).toBe("/a");
    for (const path of ["/b", "/c", "/d"]) {
      await put("apis/orders", {
        path: "orders",
        serviceUrl: backend.url + path,
        subscriptionRequired: false,
      });
      expect(await asked()).toBe(path);
    }
    await put("diagnostics/monitor", { loggerId: "/loggers/monitor" });
    await asked();
    const traffic = await there.bearer("GET", `${ROOT}/traffic?api-version=2019-12-01-preview`);
    expect(traffic.body.value.at(-1).kept).toMatchObject([{ diagnostic: "monitor", isLogged: true }]);
  });
  it("hand on bodies of any size as they come", async () => {
    await put("apis/large", { path: "large", serviceUrl: backend.url, subscriptionRequired: false });
    const answer = await fetch(`${here.url}/gateway/shared/large/much`);
    let bytes = 0;
    for await (const part of answer.body as AsyncIterable<Uint8Array>) bytes += part.length;
    expect(bytes).toBe(PARTS * PART.length);
    const body = Buffer.alloc(3_000_000, "b");
    const hashed = await here.send("POST", "/gateway/shared/large/hash", { body });
    expect(hashed.text).toBe(createHash("sha256").update(body).digest("hex"));
  });
  it("stop asking the backend when the caller has gone", async () => {
    const controller = new AbortController();
    const answer = await fetch(`${here.url}/gateway/shared/large/much`, { signal: controller.signal });
    controller.abort();
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect((await here.send("GET", "/gateway/shared/large/x")).status).toBe(200);
  });
});
