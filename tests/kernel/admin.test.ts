/** The admin interface over HTTP: every promise of it that is not tested beside what it is about. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { createDatabase, type Instance, onBothDatabases, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };
const open = ["health", "ready", "metrics", "services", "openapi.json", "openapi/sample-key.json"];
const closed: [string, string][] = [
  ["GET", "clock"],
  ["POST", "clock/freeze"],
  ["POST", "clock/advance"],
  ["POST", "clock/resume"],
  ["POST", "clock/cancel"],
  ["GET", "faults"],
  ["PUT", "faults"],
  ["DELETE", "faults"],
  ["POST", "state/reset"],
  ["GET", "state"],
  ["PUT", "state"],
  ["GET", "credentials"],
  ["POST", "credentials"],
  ["DELETE", "credentials"],
  ["PUT", "resources"],
  ["DELETE", "resources"],
  ["POST", "seed"],
  ["GET", "views/sample-key"],
];

it("an operation of a service that is not mounted is not there", async () => {
  const few = await startInstance({ services: ["braille", "identity"] });
  const proof = await few.bearer("GET", "/_medley/bank/proof");
  const { body } = await few.send("GET", "/_medley/openapi/medley.json");
  await few.stop();
  expect(proof.status).toBe(404);
  expect(Object.keys(body.paths).filter((path) => path.includes("/bank/"))).toEqual([]);
});

onBothDatabases(
  "the admin interface",
  (instance) => {
    it("says that it is alive and ready without a credential", async () => {
      expect((await instance().send("GET", "/_medley/health")).body).toEqual({ status: "ok" });
      expect((await instance().send("GET", "/_medley/ready")).body).toEqual({ status: "ok" });
    });
    it("describes itself without a credential, in every promised form", async () => {
      for (const path of open)
        expect([path, (await instance().send("GET", `/_medley/${path}`)).status]).toEqual([path, 200]);
      const { body } = await instance().send("GET", "/_medley/services");
      expect(body.services.find(({ name }: { name: string }) => name === "sample-bearer")).toMatchObject({
        mount: "/sample-bearer/v1",
        url: `${instance().url}/sample-bearer/v1`,
        host: "sample-bearer.localhost",
      });
      const one = await instance().send("GET", "/_medley/openapi/sample-key.json");
      expect([one.body.openapi, Object.keys(one.body.paths)[0]]).toEqual(["3.1.0", "/sample-key/notes/{id}"]);
      expect((await instance().send("GET", "/_medley/openapi/none.json")).status).toBe(404);
    });
    it("sends its OpenAPI documents packed to callers who take that", async () => {
      const read = async (path: string, encoding?: string) => {
        const headers = { ...(encoding !== undefined && { "accept-encoding": encoding }) };
        const [answered] = (await once(
          get(`${instance().url}/_medley/${path}`, { headers }),
          "response",
        )) as [IncomingMessage];
        return { headers: answered.headers, bytes: await buffer(answered) };
      };
      for (const path of ["openapi.json", "openapi/sample-key.json"]) {
        const plain = await read(path);
        expect(plain.headers).toMatchObject({
          vary: "accept-encoding",
          "content-type": expect.stringContaining("json"),
        });
        expect(plain.headers["content-encoding"]).toBeUndefined();
        for (const encoding of ["gzip", "br, GZIP;q=0.5"]) {
          const packed = await read(path, encoding);
          expect(packed.headers).toMatchObject({
            vary: "accept-encoding",
            "content-encoding": "gzip",
            "content-type": plain.headers["content-type"],
          });
          expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
          expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
        }
        for (const encoding of ["br", "gzip;q=0", "x-gzipped"])
          expect((await read(path, encoding)).bytes.equals(plain.bytes)).toBe(true);
      }
    });
    it("is closed to everybody but admin accounts, everywhere else", async () => {
      for (const [method, path] of closed) {
        const statuses = [];
        for (const as of ["second", null] as const)
          statuses.push((await instance().bearer(method, `/_medley/${path}`, { as })).status);
        expect([method, path, statuses]).toEqual([method, path, [403, 401]]);
      }
    });
    it("reads durations as people and as ISO 8601 write them, and refuses what is none", async () => {
      await instance().bearer("POST", "/_medley/clock/freeze");
      const { now, frozen } = (await instance().bearer("GET", "/_medley/clock")).body;
      expect(frozen).toBe(true);
      let expected = Date.parse(now);
      for (const [by, ms] of [
        ["90s", 90_000],
        ["1d12h", 129_600_000],
        ["PT36H", 129_600_000],
        ["250ms", 250],
      ] as const) {
        expected += ms;
        const { body } = await instance().bearer("POST", "/_medley/clock/advance", { body: { by } });
        expect([by, Date.parse(body.now)]).toEqual([by, expected]);
      }
      for (const by of ["", "soon", "-5h", "5", "1e9d", "999999999d", 36, null, undefined]) {
        const refused = await instance().bearer("POST", "/_medley/clock/advance", { body: { by } });
        expect([by, refused.status]).toEqual([by, 400]);
      }
      const { body } = await instance().bearer("POST", "/_medley/clock/resume");
      expect(body.frozen).toBe(false);
    });
    it("refuses a filter that is misspelt instead of clearing everything", async () => {
      const key = { "x-vendor-key": "first-api-key-0001" };
      await instance().send("PUT", "/sample-key/notes/kept", { headers: key, body: { text: "x" } });
      for (const body of [{ servce: "sample-key" }, { account: "12" }, { service: "none" }, { service: 5 }])
        expect((await instance().bearer("POST", "/_medley/state/reset", { body })).status).toBe(400);
      for (const query of ["acount=111111111111", "account=12", "service=none"])
        expect((await instance().bearer("GET", `/_medley/state?${query}`)).status).toBe(400);
      expect((await instance().send("GET", "/sample-key/notes/kept", { headers: key })).status).toBe(200);
    });
    it("says what is wrong with a credential that is asked for", async () => {
      for (const [body, words] of [
        [{ kind: "stamp" }, /kind/],
        [{}, /which kind/],
        [{ accounts: [] }, /accounts/],
        [{ accounts: [{ id: "12" }] }, /id/],
        [{ kind: "token", expiresIn: "soon" }, /not a duration/],
      ] as const) {
        const refused = await instance().bearer("POST", "/_medley/credentials", { body });
        expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(words)]);
      }
      const nobody = { kind: "token", account: "999999999999" };
      expect((await instance().bearer("POST", "/_medley/credentials", { body: nobody })).status).toBe(404);
    });
    it("removes an account and all that opens it, but not the one that asks", async () => {
      const account = { id: "777777777777", tokens: ["token-of-seven"], policies: [] };
      await instance().bearer("POST", "/_medley/credentials", { body: { accounts: [account] } });
      const own = await instance().bearer("DELETE", "/_medley/credentials?account=111111111111");
      expect([own.status, (await instance().bearer("GET", "/_medley/clock")).status]).toEqual([409, 200]);
      const removed = await instance().bearer("DELETE", "/_medley/credentials?account=777777777777");
      expect(removed.status).toBe(204);
      const { text } = await instance().bearer("GET", "/_medley/credentials");
      expect(text).not.toContain("777777777777");
    });
    it("tells dashboards what they look for: the process, its event loop, the database, work and deliveries", async () => {
      const figures = async () => {
        const { text } = await instance().send("GET", "/_medley/metrics");
        const lines = text.split("\n").filter((line) => /^\w+ /.test(line));
        return Object.fromEntries(
          lines.map((line) => line.split(" ")).map(([name, value]) => [name, Number(value)]),
        );
      };
      const first = await figures();
      for (const name of [
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
      ])
        expect([name, first[name]]).toEqual([name, expect.toSatisfy((value) => value > 0)]);
      for (const name of [
        "nodejs_heap_size_used_bytes",
        "nodejs_active_resources_total",
        "medley_database_bytes",
      ])
        expect([name, first[name]]).toEqual([name, expect.toSatisfy((value) => value > 0)]);
      for (const name of [
        "medley_jobs_due",
        "medley_jobs_oldest_due_age_seconds",
        "medley_deliveries_waiting",
      ])
        expect([name, first[name]]).toEqual([name, expect.toSatisfy((value) => value >= 0)]);
      await eventually(async () => ((await figures()).nodejs_eventloop_lag_max_seconds ?? 0) > 0);
    });
    it("loads demo data for an account that is there, and for no other", async () => {
      const seed = (body: object) => instance().bearer("POST", "/_medley/seed", { body });
      expect((await seed({})).body).toEqual({ account: expect.any(String), seeded: [], made: [] });
      expect((await seed({ account: "222222222222" })).status).toBe(200);
      expect((await seed({ account: "999999999999" })).status).toBe(400);
      expect((await seed({ services: ["none"] })).status).toBe(400);
      expect((await seed({ origin: "https://medley.example.org" })).status).toBe(200);
      for (const origin of ["", "medley", "ftp://127.0.0.1", "http://"])
        expect((await seed({ origin })).status).toBe(400);
    });
    it("lists jobs and messages in pages, by state, service, account and kind", async () => {
      const key = { "x-vendor-key": "first-api-key-0001" };
      await instance().send("PUT", "/sample-key/notes/paged", { headers: key, body: { text: "x" } });
      for (let i = 0; i < 3; i += 1)
        await instance().send("POST", "/sample-key/notes/paged:count", { headers: key, body: {} });
      await instance().clock.advance("1s");
      for (const [path, member, kind] of [
        ["jobs", "jobs", "sample-key.count"],
        ["outbox", "messages", "log"],
      ] as const) {
        const filter = `service=sample-key&account=111111111111&kind=${kind}&limit=2`;
        const first = (await instance().bearer("GET", `/_medley/${path}?${filter}`)).body;
        expect(first[member]).toHaveLength(2);
        const next = encodeURIComponent(first.nextToken);
        const second = (await instance().bearer("GET", `/_medley/${path}?${filter}&nextToken=${next}`)).body;
        expect(second[member][0].id < first[member][1].id).toBe(true);
        expect(
          (await instance().bearer("GET", `/_medley/${path}?account=222222222222`)).body[member],
        ).toEqual([]);
        expect((await instance().bearer("GET", `/_medley/${path}?limit=0`)).status).toBe(400);
        expect((await instance().bearer("GET", `/_medley/${path}?nextToken=forged`)).status).toBe(400);
      }
      expect((await instance().bearer("GET", "/_medley/outbox/none")).status).toBe(404);
      expect((await instance().bearer("GET", "/_medley/outbox/none/content")).status).toBe(404);
    });
  },
  options,
);

onBothDatabases(
  "fault rules",
  (instance) => {
    const note = (as: "first" | "second" = "first") =>
      instance().apiKey("x-vendor-key", "GET", "/sample-key/notes", { as });
    const put = (rules: object[]) => instance().bearer("PUT", "/_medley/faults", { body: { rules } });

    it("match by account and by the beginning of a name", async () => {
      await put([{ match: { account: "222222222222", operation: "sample-key.*" }, status: 418 }]);
      expect([(await note("first")).status, (await note("second")).status]).toEqual([200, 418]);
      await put([{ match: { service: "sample-*" }, error: "Custom", message: "as asked" }]);
      const struck = await note();
      expect([struck.status, struck.body.error]).toEqual([503, { code: "Custom", message: "as asked" }]);
      await instance().bearer("DELETE", "/_medley/faults");
    });
    it("strike a share of the requests", async () => {
      await put([{ match: { service: "sample-key" }, status: 500, rate: 0.5 }]);
      const statuses = [];
      for (let i = 0; i < 60; i += 1) statuses.push((await note()).status);
      const struck = statuses.filter((status) => status === 500).length;
      expect(struck).toBeGreaterThan(10);
      expect(struck).toBeLessThan(50);
      await put([{ match: {}, status: 500, rate: 0 }]);
      expect((await note()).status).toBe(200);
      await instance().bearer("DELETE", "/_medley/faults");
    });
    it("keep their counts while others come and go, and are counted anew when they are changed", async () => {
      const limited = { id: "limited", match: { account: "222222222222" }, status: 500, count: 2 };
      const rest = { id: "rest", match: { service: "sample-key" }, status: 418 };
      const struck = async () =>
        (await instance().bearer("GET", "/_medley/faults")).body.rules.map(
          (rule: { id: string; struck: number }) => [rule.id, rule.struck],
        );
      await put([limited, rest]);
      await note("first");
      for (const status of [500, 500, 418]) expect((await note("second")).status).toBe(status);
      const { body } = await put([limited, { match: { service: "sample-arm" }, status: 503 }, rest]);
      const added = body.rules[1].id;
      expect(await struck()).toEqual([
        ["limited", 2],
        [added, 0],
        ["rest", 2],
      ]);
      expect((await note("second")).status).toBe(418);
      await put([{ ...limited, count: 3 }, rest]);
      expect(await struck()).toEqual([
        ["limited", 0],
        ["rest", 3],
      ]);
      expect((await note("second")).status).toBe(500);
      await instance().bearer("DELETE", "/_medley/faults");
    });
    it("say when to come again, and whatever else they are told to", async () => {
      const struck = async (rule: object) => {
        await put([{ match: { service: "sample-key" }, ...rule }]);
        const { status, headers } = await note();
        return [status, headers.get("retry-after"), headers.get("x-told")];
      };
      expect(await struck({ status: 429 })).toEqual([429, "1", null]);
      expect(await struck({ error: "Busy" })).toEqual([503, "1", null]);
      expect(await struck({ status: 500, headers: { "x-told": "yes" } })).toEqual([500, null, "yes"]);
      expect(await struck({ status: 503, headers: { "retry-after": "30" } })).toEqual([503, "30", null]);
      for (const headers of [{ "X Y": "1" }, { "x-told": "a\r\nb" }])
        expect((await put([{ match: {}, status: 500, headers }])).status).toBe(400);
      await instance().bearer("DELETE", "/_medley/faults");
    });
    it("never strike what they are mended with", async () => {
      for (const match of [{}, { service: "*" }, { operation: "*" }]) {
        expect((await put([{ match, status: 503 }])).status).toBe(200);
        expect((await note()).status).toBe(503);
        expect((await instance().send("GET", "/_medley/health")).status).toBe(200);
        expect((await instance().send("GET", "/console")).status).toBe(200);
        expect((await instance().bearer("DELETE", "/_medley/faults")).status).toBe(204);
        expect((await note()).status).toBe(200);
      }
    });
    it("are refused when they could not strike or say what is not there", async () => {
      for (const [rule, words] of [
        [{ match: {} }, /does nothing/],
        [{ match: { service: "sample-kye" }, status: 503 }, /no service named sample-kye/],
        [{ match: { operation: "sample-key.fly" }, status: 503 }, /no operation named/],
        [{ match: { path: "/x" }, status: 503 }, /match/],
        [{ match: {}, status: 200 }, /status/],
        [{ match: {}, status: 503, rate: 2 }, /rate/],
        [{ match: {}, status: 503, count: 0 }, /count/],
        [{ match: {}, latencyMs: 600_000 }, /latencyMs/],
      ] as const) {
        const refused = await put([rule]);
        expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(words)]);
      }
      expect((await instance().bearer("GET", "/_medley/faults")).body).toEqual({ rules: [] });
    });
  },
  options,
);

describe("the stream of requests", () => {
  it("has room for five readers of an account, says so to the next, and lets go of those who leave", async () => {
    const instance = await startInstance(options);
    const listen = async (token = "first-token-0001") => {
      const controller = new AbortController();
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${instance.url}/_medley/requests/stream`, {
        headers,
        signal: controller.signal,
      });
      if (response.status === 200) await response.body?.getReader().read();
      return { status: response.status, controller };
    };
    const readers = [];
    for (let i = 0; i < 5; i += 1) readers.push(await listen());
    expect(readers.every(({ status }) => status === 200)).toBe(true);
    expect((await listen()).status).toBe(429);
    const other = await listen("second-token-0002");
    expect(other.status).toBe(200);
    other.controller.abort();
    for (const { controller } of readers) controller.abort();
    const again = await eventually(async () => {
      const reader = await listen();
      return reader.status === 200 && reader;
    }, "room for another reader");
    again.controller.abort();
    expect((await instance.bearer("HEAD", "/_medley/requests/stream")).status).toBe(200);
    await instance.stop();
  });
  it("tells the latest first, newest first, when asked for", async () => {
    const instance = await startInstance(options);
    for (const word of ["one", "two", "three"]) await instance.send("GET", `/nowhere/${word}`);
    const controller = new AbortController();
    const response = await fetch(`${instance.url}/_medley/requests/stream?latest=2&bodies=false&status=404`, {
      headers: { authorization: "Bearer first-token-0001" },
      signal: controller.signal,
    });
    const [first] = new TextDecoder().decode((await response.body?.getReader().read())?.value).split("\n\n");
    const [name, data = ""] = first?.split("\ndata: ") ?? [];
    const told: { url: string }[] = JSON.parse(data);
    expect([name, told.map(({ url }) => url)]).toEqual([
      "event: requests",
      ["/nowhere/three", "/nowhere/two"],
    ]);
    controller.abort();
    await instance.stop();
  });
});

describe("without its database", () => {
  const drop = async (url: string) => {
    const client = new pg.Client({ connectionString: url.replace(/\/\w+$/, "/postgres") });
    await client.connect();
    await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    await client.end();
  };
  it("is alive but not ready, and still counts", async () => {
    const database = await createDatabase();
    const instance: Instance = await startInstance({ ...options, database, logLevel: "silent" });
    await drop(database);
    expect((await instance.send("GET", "/_medley/health")).status).toBe(200);
    const ready = await instance.send("GET", "/_medley/ready");
    expect([ready.status, ready.body.error.code]).toEqual([503, "NotReady"]);
    const metrics = await instance.send("GET", "/_medley/metrics");
    expect([metrics.status, metrics.text]).toEqual([200, expect.stringContaining("medley_requests_total")]);
    await instance.stop().catch(() => {});
  });
});
