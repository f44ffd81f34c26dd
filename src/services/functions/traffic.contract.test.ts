/** Traffic between the revisions of a function, over HTTP and with real calls, on both databases. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions, PLACE } from "../../../tests/support/functions.ts";
import {
  createDatabase,
  type Instance,
  onBothDatabases,
  startInstance,
} from "../../../tests/support/medley.ts";

const TARGETS_MAX = 8;
const REVISIONS_MAX = 10;

const TELLS = "exports.tells = (request, response) => response.send(process.env.K_REVISION.slice(-1));";
const HEARS = "exports.hears = () => console.log('heard by ' + process.env.K_REVISION);";
const BY_NAME = "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION";
const LATEST = "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST";

class Routes {
  readonly functions: Functions;
  constructor(instance: () => Instance) {
    this.functions = new Functions(instance);
  }
  send(method: string, id: string, body?: object, query = "") {
    return this.functions.send(method, `${PLACE}/services/${id}${query}`, { ...(body && { body }) });
  }
  /** `[number of a revision, or 0 for the newest, percent, tag]`. */
  async set(id: string, ...targets: (readonly [number, number, string?])[]) {
    const traffic = targets.map(([number, percent, tag]) => ({
      type: number === 0 ? LATEST : BY_NAME,
      ...(number !== 0 && { revision: `${id}-${String(number).padStart(5, "0")}` }),
      percent,
      ...(tag && { tag }),
    }));
    const { status, body, text } = await this.send("PATCH", id, { traffic }, "?updateMask=traffic");
    expect(status, text).toBe(200);
    return body;
  }
  /** Another revision of the same source. */
  async redeploy(id: string, change: object = {}) {
    const ended = await this.functions.ended(
      await this.functions.send("PATCH", this.functions.nameOf(id), {
        body: { description: "next", ...change },
      }),
    );
    expect(ended.error).toBeUndefined();
    return ended.response;
  }
  async calls(url: string, count: number): Promise<string> {
    let answers = "";
    for (let call = 0; call < count; call += 1) answers += (await this.functions.call(url)).text;
    return answers;
  }
  async kept(id: string): Promise<string[]> {
    const { body } = await this.send("GET", `${id}/revisions`);
    return body.revisions.map(({ name }: { name: string }) => name.slice(name.lastIndexOf("/") + 1));
  }
}
const keepsTraffic = { serviceConfig: { allTrafficOnLatestRevision: false } };

onBothDatabases("traffic", (instance, kind) => {
  const routes = new Routes(instance);
  const { functions } = routes;

  describe("of a function with revisions", () => {
    it("stays where it was, is divided, rolled back and follows the newest again", async () => {
      const url = await functions.running("divided", { source: TELLS, entryPoint: "tells" });
      const second = await routes.redeploy("divided", keepsTraffic);
      expect(second.serviceConfig).toMatchObject({
        revision: "divided-00002",
        allTrafficOnLatestRevision: false,
      });
      expect(await routes.calls(url, 3)).toBe("111");

      const begun = await routes.set("divided", [1, 75], [2, 25]);
      expect(begun).toMatchObject({
        done: true,
        response: {
          "@type": "type.googleapis.com/google.cloud.run.v2.Service",
          name: `${PLACE}/services/divided`,
          latestReadyRevision: `${PLACE}/services/divided/revisions/divided-00002`,
          traffic: [
            { type: BY_NAME, revision: "divided-00001", percent: 75 },
            { type: BY_NAME, revision: "divided-00002", percent: 25 },
          ],
        },
      });
      expect((await functions.send("GET", begun.name)).body).toMatchObject({ done: true });
      expect(await routes.calls(url, 8)).toBe("11211121");

      await routes.redeploy("divided");
      expect(await routes.calls(url, 4)).toBe("1121");
      await routes.set("divided", [1, 100]);
      expect(await routes.calls(url, 3)).toBe("111");
      expect((await functions.send("GET", functions.nameOf("divided"))).body.serviceConfig).toMatchObject({
        revision: "divided-00003",
        allTrafficOnLatestRevision: false,
      });
      await routes.redeploy("divided", { serviceConfig: { allTrafficOnLatestRevision: true } });
      expect(await routes.calls(url, 2)).toBe("44");
      expect((await routes.send("GET", "divided")).body.traffic).toEqual([{ type: LATEST, percent: 100 }]);
    });

    it("has addresses by tag, which the policy covers, until the function is deleted", async () => {
      const url = await functions.running("tagged", { source: TELLS, entryPoint: "tells" });
      await routes.redeploy("tagged");
      await routes.set("tagged", [0, 100, "now"], [1, 0, "old-one"]);
      const { trafficStatuses } = (await routes.send("GET", "tagged")).body;
      const [now, old] = trafficStatuses.map(({ uri }: { uri: string }) => uri);
      expect(old).toBe(url.replace("/run/", "/run/old-one---"));
      expect([await routes.calls(url, 2), await routes.calls(now, 1), await routes.calls(old, 2)]).toEqual([
        "22",
        "2",
        "11",
      ]);
      const host = `old-one---${url.slice(url.lastIndexOf("/") + 1)}.functions.localhost`;
      expect((await functions.call("/", { headers: { host } })).text).toBe("1");
      expect((await functions.call(url.replace("/run/", "/run/absent---"))).status).toBe(404);
      await functions.setPolicy("tagged", []);
      expect((await functions.call(old)).status).toBe(401);
      await functions.setPolicy("tagged", [{ role: "roles/run.invoker", members: ["allUsers"] }]);
      await routes.redeploy("tagged");
      expect([await routes.calls(url, 1), await routes.calls(now, 1), await routes.calls(old, 1)]).toEqual([
        "3",
        "3",
        "1",
      ]);
      await functions.ended(await functions.send("DELETE", functions.nameOf("tagged")));
      for (const address of [url, now, old]) expect((await functions.call(address)).status).toBe(404);
      expect((await routes.send("GET", "tagged")).status).toBe(404);
    });

    it("may have a name like a tagged address", async () => {
      const url = await functions.running("odd---name", { source: TELLS, entryPoint: "tells" });
      expect(await routes.calls(url, 1)).toBe("1");
    });

    it("divides events too, and figures add up", async () => {
      await functions.create("hears", { source: HEARS, trigger: { eventType: "test.heard" } });
      await routes.redeploy("hears", keepsTraffic);
      await routes.set("hears", [1, 50], [2, 50]);
      for (const id of ["a", "b"]) {
        const body = { specversion: "1.0", id, source: "/test", type: "test.heard", data: {} };
        expect((await instance().bearer("POST", "/_medley/events", { body })).status).toBe(200);
        await eventually(
          async () => (await functions.lines("hears")).length === (id === "a" ? 1 : 2),
          "a line of the event",
        );
      }
      expect((await functions.lines("hears")).map(({ text }) => text).sort()).toEqual([
        "heard by hears-00001",
        "heard by hears-00002",
      ]);
      const { body: figures } = await functions.send("GET", `${functions.nameOf("hears")}/figures`);
      expect(figures).toMatchObject({ instances: 2, requests: 2, errors: 0 });
    });

    it("does not reach a revision that failed", async () => {
      const url = await functions.running("careful", { source: TELLS, entryPoint: "tells" });
      const broken = await functions.bodyOf("careful", { source: "syntax error(", entryPoint: "tells" });
      await functions.ended(await functions.send("PATCH", functions.nameOf("careful"), { body: broken }));
      expect(await routes.kept("careful")).toEqual(["careful-00001"]);
      const refused = await routes.send("PATCH", "careful", {
        traffic: [{ revision: "careful-00002", percent: 100 }],
      });
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining("no revision"),
      ]);
      expect(await routes.calls(url, 1)).toBe("1");
    });
  });

  it("keeps the revisions with traffic and the newest, up to the limit", async () => {
    const url = await functions.running("many", { source: TELLS, entryPoint: "tells" });
    await routes.set("many", [1, 100]);
    for (let number = 2; number <= REVISIONS_MAX + 2; number += 1) await routes.redeploy("many");
    const kept = await routes.kept("many");
    expect(kept).toHaveLength(REVISIONS_MAX);
    expect([kept[0], kept.at(-1)]).toEqual(["many-00012", "many-00001"]);
    expect(kept).not.toContain("many-00002");
    expect(kept).not.toContain("many-00003");
    expect(await routes.calls(url, 2)).toBe("11");
  });

  it("refuses what cannot be", async () => {
    await functions.create("strict", { source: TELLS, entryPoint: "tells" });
    const all = { type: LATEST, percent: 100 };
    for (const [body, query, words] of [
      [{ traffic: [{ ...all, percent: 90 }] }, "", "make 90"],
      [{ traffic: Array(TARGETS_MAX + 1).fill({ type: LATEST, percent: 0 }) }, "", "at the most"],
      [{ traffic: [{ ...all, revision: "strict-00001" }] }, "", "names no revision"],
      [{ traffic: [{ type: BY_NAME, percent: 100 }] }, "", "names a revision"],
      [{ traffic: [{ ...all, tag: "No" }] }, "", "not a tag"],
      [{ traffic: [all], template: {} }, "", "Only traffic"],
      [{ traffic: [all] }, "?updateMask=template", "Only traffic"],
      [{}, "?updateMask=traffic", "Only traffic"],
    ] as const) {
      const { status, body: answer } = await routes.send("PATCH", "strict", body, query);
      expect([status, answer.error.message]).toEqual([400, expect.stringContaining(words)]);
    }
    expect((await routes.send("PATCH", "absent", { traffic: [all] })).status).toBe(404);
    const begun = await functions.send("PATCH", functions.nameOf("strict"), { body: { description: "x" } });
    expect((await routes.send("PATCH", "strict", { traffic: [all] })).body.error.status).toBe("ABORTED");
    await functions.ended(begun);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/revisions"],
      ["PATCH", ""],
    ] as const) {
      const { status } = await functions.send(method, `${PLACE}/services/strict${path}`, {
        as: "second",
        ...(method === "PATCH" && { body: { traffic: [all] } }),
      });
      expect(status).toBe(403);
    }
  });

  it("survives a restart, with the revisions that it needs", async () => {
    const folder = await mkdtemp(join(tmpdir(), "medley-traffic-"));
    const options =
      kind === "sqlite" ? { data: folder } : { database: await createDatabase(), data: undefined };
    let running = await startInstance({ on: kind, ...options });
    const kept = new Routes(() => running);
    try {
      const [first] = [await kept.functions.running("lasting", { source: TELLS, entryPoint: "tells" })];
      await kept.redeploy("lasting", keepsTraffic);
      await kept.set("lasting", [1, 50], [2, 50, "next"]);
      await running.stop();
      running = await startInstance({ on: kind, ...options });
      const url = new URL(new URL(first).pathname, running.url).href;
      expect(await kept.calls(url, 4)).toBe("1212");
      expect(await kept.calls(url.replace("/run/", "/run/next---"), 1)).toBe("2");
    } finally {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
