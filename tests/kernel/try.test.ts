/** One request looked into, tried and sent again: by whom, as whom, and how far it may reach. */
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type AccountName, accounts, onBothDatabases, type Sent } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };

onBothDatabases(
  "a request looked into",
  (instance) => {
    const ask = (path: string, as: AccountName = "first") =>
      instance().bearer("GET", `/_medley/${path}`, { as });
    const attempt = (body: unknown, as: AccountName = "first", headers: Record<string, string> = {}) =>
      instance().bearer("POST", "/_medley/try", { as, body, headers });
    const again = (id: string, body: unknown, as: AccountName = "first") =>
      instance().bearer("POST", `/_medley/requests/${id}/again`, { as, body });
    const note = (as: AccountName, id: string, text = as as string) =>
      instance().apiKey("x-vendor-key", "PUT", `/sample-key/notes/${id}`, { as, body: { text } });
    const newest = async (filter: string, as: AccountName = "first") =>
      (await ask(`requests?limit=1&${filter}`, as)).body.requests[0];

    it("tells who asked, what it matched, where the time went and what it caused, jobs' doings included", async () => {
      await note("first", "seen");
      await instance().apiKey("x-vendor-key", "POST", "/sample-key/notes/seen:count", { body: {} });
      const { id } = await newest("operation=sample-key.notes.count&bodies=false");
      const detail = async () => (await ask(`requests/${id}`)).body;
      await eventually(async () => (await detail()).caused.length === 2, "the job has run");
      const seen = await detail();
      expect(seen).toMatchObject({
        method: "POST",
        url: "/sample-key/notes/seen:count",
        status: 202,
        console: false,
        who: { account: accounts.first.id, kind: "apiKey" },
        matched: { id: "sample-key.notes.count", path: "/sample-key/notes/{id}:count" },
        request: { type: "application/json", body: "{}", length: 2, isWhole: true },
      });
      expect(seen.phases.map(({ name }: { name: string }) => name)).toEqual([
        "decided",
        "received",
        "handled",
        "committed",
        "answered",
      ]);
      const [job, message] = seen.caused;
      expect([job.kind, job.name]).toEqual(["job", "sample-key.count"]);
      expect(message).toMatchObject({ kind: "message", by: job.id, name: "log to sample-key" });
    });
    it("shows nothing of what was undone, nor another account's", async () => {
      await instance().apiKey("x-vendor-key", "POST", "/sample-key/notes/seen:count", {
        body: { fail: true },
      });
      const { id } = await newest("status=409");
      expect((await ask(`requests/${id}`)).body.caused).toEqual([]);
      const hidden = await ask(`requests/${id}`, "second");
      expect([hidden.status, hidden.body.error.code]).toEqual([404, "NoSuchRequest"]);
      expect((await again(id, {}, "second")).status).toBe(404);
      expect((await ask("requests/none")).status).toBe(404);
    });
    it("shows bytes that are no text, and hides a whole body that was cut", async () => {
      const bytes = Buffer.from([137, 80, 0, 255]);
      await instance().apiKey("x-vendor-key", "POST", "/sample-key/bytes", {
        body: bytes,
        headers: { "content-type": "image/png" },
      });
      const { id } = await newest("operation=sample-key.upload");
      const { body } = await ask(`requests/${id}`);
      expect(body.request).toMatchObject({ bytes: bytes.toString("base64"), isWhole: true });
      await note("first", "long", "x".repeat(20_000));
      const long = await newest("operation=sample-key.notes.put&bodies=false");
      expect(long.request).toBeUndefined();
      expect((await ask(`requests/${long.id}`)).body.request.isWhole).toBe(false);
      const refused = await again(long.id, {});
      expect([refused.status, refused.body.error.code]).toEqual([409, "NotWhole"]);
      expect(
        (await again(long.id, { path: "/sample-key/notes/short", body: '{"text":"short"}' })).body.status,
      ).toBe(201);
    });
    it("is found by status, method and text, and told apart from the console's own", async () => {
      await note("first", "needle", "in a haystack");
      for (const filter of ["text=HAYSTACK", "text=needle&method=PUT", "status=2xx&text=haystack"])
        expect([filter, (await newest(`console=false&${filter}&service=sample-key`))?.status]).toEqual([
          filter,
          201,
        ]);
      expect((await newest("status=5xx&text=haystack&service=sample-key")) ?? null).toBeNull();
      expect(await newest(`text=${accounts.first.apiKeys[0]}&service=sample-key`)).toBeUndefined();
      for (const status of ["abc", "9xx", "20", "2000"])
        expect((await ask(`requests?status=${status}`)).status).toBe(400);
      const session = await instance().send("POST", "/_medley/session", {
        body: { token: accounts.first.tokens[0] },
      });
      const cookie = String(session.headers.get("set-cookie")).split(";")[0] ?? "";
      await instance().send("GET", "/_medley/clock", {
        headers: { cookie, "x-medley-csrf": session.body.csrf },
      });
      expect((await newest("console=true")).operation).toBe("medley.clock.show");
      expect((await newest("console=false&operation=medley.clock.show")) ?? null).toBeNull();
    });

    it("is tried with whatever credential its service wants, as the account that asks", async () => {
      for (const as of ["first", "second"] as const)
        for (const [service, mount] of [
          ["sample-key", "/sample-key"],
          ["sample-bearer", "/sample-bearer/v1"],
          ["sample-basic", "/sample-basic"],
          ["sample-arm", "/sample-arm"],
          ["sample-google", "/sample-google"],
          ["sample-signed", "/sample-signed"],
        ] as const) {
          const path = `${mount}/notes/tried%20${as}?api-version=2026-01-01`;
          const headers = { "content-type": "application/json" };
          const put = await attempt({ method: "PUT", path, headers, body: `{"text":"${as}"}` }, as);
          expect([service, put.status, put.body.status, put.body.answer?.body]).toEqual([
            service,
            200,
            201,
            expect.stringContaining(as),
          ]);
          const { body } = await ask(`requests/${put.body.id}`, as);
          expect([body.who.account, body.who.kind, body.console]).toEqual([accounts[as].id, "lent", false]);
        }
      const others = await attempt({ method: "GET", path: "/sample-key/notes/tried%20first" }, "second");
      expect(others.body.status).toBe(404);
    });
    it("shows no credential that was lent, and none is worth anything afterwards", async () => {
      const { body } = await attempt({ method: "GET", path: "/sample-key/notes" });
      expect(body.request.headers["x-vendor-key"]).toBe("[redacted]");
      const bare = await attempt({ method: "GET", path: "/sample-key/notes", credential: "none" });
      expect(bare.body.status).toBe(401);
      const stolen = { authorization: "Bearer x", "x-vendor-key": accounts.second.apiKeys[0], cookie: "a=b" };
      const own = await attempt({ method: "GET", path: "/sample-key/notes", headers: stolen });
      const { who } = (await ask(`requests/${own.body.id}`)).body;
      expect(who.account).toBe(accounts.first.id);
    });
    it("can do no more than the one who asks, and cannot try in turn", async () => {
      const clock = await attempt({ method: "POST", path: "/_medley/clock/freeze" }, "second");
      expect([clock.status, clock.body.status]).toEqual([200, 403]);
      const made = await instance().bearer("POST", "/_medley/credentials", {
        body: { kind: "token", account: accounts.first.id, scopes: ["medley:ReadOwn"] },
      });
      const headers = { authorization: `Bearer ${made.body.credential.token}` };
      const narrow = await instance().send("POST", "/_medley/try", {
        headers,
        body: { method: "GET", path: "/sample-key/notes" },
      });
      expect([narrow.status, narrow.body.status]).toEqual([200, 403]);
      const nested = { method: "POST", path: "/_medley/try", body: '{"method":"GET","path":"/"}' };
      expect((await attempt(nested)).body.status).toBe(403);
      expect((await instance().bearer("POST", "/_medley/try", { as: null, body: nested })).status).toBe(401);
    });
    it("refuses what is no request of this process", async () => {
      for (const over of [
        { path: "http://elsewhere.example/" },
        { path: "elsewhere" },
        { path: "/a b" },
        { path: "/a\r\nHost: x" },
        { path: "" },
        { method: "CONNECT" },
        { method: "get" },
        { headers: { "a b": "c" } },
        { headers: { a: "b\r\nc: d" } },
        { bytes: "*" },
        { credential: "other" },
        { region: "US EAST" },
        { path: `/${"x".repeat(20_000)}` },
        { body: 5 },
      ])
        expect([over, (await attempt({ method: "GET", path: "/", ...over })).status]).toEqual([over, 400]);
      const smuggled = await attempt({
        method: "GET",
        path: "/_medley/services",
        headers: { host: "elsewhere.example", "transfer-encoding": "chunked", "x-forwarded-for": "1.2.3.4" },
      });
      expect(smuggled.body.status).toBe(200);
      expect(smuggled.body.answer.body).not.toContain("elsewhere.example");
      const endless = await attempt({ method: "GET", path: "/nowhere//..//%00" });
      expect(endless.body.status).toBeGreaterThanOrEqual(400);
    });
    it("is sent again as it was or edited, as the one who asks, without another account's secrets", async () => {
      await note("first", "again", "one");
      const { id } = await newest("operation=sample-key.notes.put");
      expect((await again(id, {})).body).toMatchObject({ status: 409, request: { method: "PUT" } });
      const edited = await again(id, { path: "/sample-key/notes/other" });
      expect(edited.body.answer.body).toContain("one");
      await instance().apiKey("x-vendor-key", "PUT", "/sample-key/notes/secret", {
        as: "second",
        body: { text: "x", password: "hidden-from-others" },
      });
      const theirs = await newest(`operation=sample-key.notes.put&account=${accounts.second.id}`);
      const refused = await again(theirs.id, {});
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.not.stringContaining("hidden-from-others"),
      ]);
      expect((await again(theirs.id, {}, "second")).body.status).toBeLessThan(500);
    });
    it("shows a whole MiB of an answer, and says of a longer one that it is cut", async () => {
      const path = async (name: string, length: number): Promise<string> => {
        const arn = `arn:vendor:s3:::${name}`;
        const body = { arn, type: "Vendor::S3::Bucket", details: { padding: "x".repeat(length) } };
        expect((await instance().bearer("PUT", "/_medley/resources", { body })).status).toBe(200);
        return `resources/one?arn=${encodeURIComponent(arn)}`;
      };
      const others = (await ask(await path("edge-0", 0))).bytes.length;
      for (const [name, isWhole] of [
        ["edge-1", true],
        ["edge-2", false],
      ] as const) {
        const length = 1_048_576 - others + (isWhole ? 0 : 1);
        const { answer } = (await attempt({ method: "GET", path: `/_medley/${await path(name, length)}` }))
          .body;
        expect([answer.isWhole, answer.length]).toEqual([isWhole, 1_048_576]);
      }
    });
    it("is tried eight times at once by an account at the most", async () => {
      const target = "http://127.0.0.1:9/released";
      const path = `/_medley/outbox?wait=50s&target=${encodeURIComponent(target)}`;
      /** Whoever looks whether there is room may be in the way. */
      const hold = async (): Promise<Sent> => {
        const tried = await attempt({ method: "GET", path });
        return tried.status === 429 ? hold() : tried;
      };
      const held = Array.from({ length: 8 }, hold);
      const another = () => attempt({ method: "GET", path: "/_medley/health" });
      await eventually(async () => (await another()).status === 429, "eight are under way");
      await instance().apiKey("x-vendor-key", "POST", "/sample-key/notes/seen:count", {
        body: { webhook: target },
      });
      expect((await Promise.all(held)).map(({ body }) => body.status)).toEqual(Array(8).fill(200));
      expect((await another()).status).toBe(200);
    });
  },
  options,
);
