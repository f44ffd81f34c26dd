/** What the console shows and does beyond requests: deliveries, permissions, figures, snapshots. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type HttpReceiver, startHttpReceiver } from "../support/http-receiver.ts";
import { accounts, onBothDatabases } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };
const { first, second } = accounts;

onBothDatabases(
  "the console's operations",
  (instance) => {
    let receiver: HttpReceiver;
    beforeAll(async () => {
      receiver = await startHttpReceiver();
    });
    afterAll(() => receiver.stop());
    const read = async (path: string) => (await instance().bearer("GET", `/_medley/${path}`)).body;
    const change = (method: string, path: string, body?: unknown, as: "first" | "second" = "first") =>
      instance().bearer(method, `/_medley/${path}`, { as, ...(body !== undefined && { body }) });
    const put = (id: string) =>
      instance().apiKey("x-vendor-key", "PUT", `/sample-key/notes/${id}`, { body: { text: id } });
    const isThere = async (id: string) =>
      (await instance().apiKey("x-vendor-key", "GET", `/sample-key/notes/${id}`)).status === 200;

    it("deliver a message again, and tell of each attempt", async () => {
      await put("told");
      await instance().apiKey("x-vendor-key", "POST", "/sample-key/notes/told:count", {
        body: { webhook: receiver.url },
      });
      const { id } = (await read("outbox?kind=webhook")).messages[0];
      const delivered = async (count: number) =>
        eventually(async () => {
          const { state, deliveries } = await read(`outbox/${id}`);
          return state === "delivered" && deliveries.length === count;
        }, `delivered ${count} times`);
      await delivered(1);
      const again = await change("POST", `outbox/${id}/again`);
      expect([again.status, again.body.state]).toEqual([200, "waiting"]);
      await delivered(2);
      const { deliveries } = await read(`outbox/${id}`);
      expect(deliveries[0]).toEqual({ at: expect.any(String), status: 200, error: null });
      expect((await change("POST", `outbox/${id}/again`, undefined, "second")).status).toBe(403);
      expect((await change("POST", "outbox/out_none/again")).status).toBe(404);
      await eventually(async () => (await read("outbox?kind=log")).messages.length > 0);
      const kept = (await read("outbox?kind=log")).messages[0];
      expect((await change("POST", `outbox/${kept.id}/again`)).status).toBe(409);
    });

    it("tell what an advance of time ran, whose it was and what it caused", async () => {
      await put("due");
      await instance().apiKey("x-vendor-key", "POST", "/sample-key/notes/due:count", {
        body: { delayMs: 3_600_000 },
      });
      const { ran } = (await change("POST", "clock/advance", { by: "2h" })).body;
      expect(ran.find(({ job }: { job: string }) => job === "sample-key.count")).toMatchObject({
        service: "sample-key",
        account: first.id,
        outcome: "done",
        caused: [{ kind: "message", name: "log to sample-key" }],
      });
    });

    it("tell what the first two hundred runs of an advance caused", async () => {
      await put("often");
      for (let count = 1; count <= 201; count += 1)
        await instance().apiKey("x-vendor-key", "POST", "/sample-key/notes/often:count", {
          body: { delayMs: 3_600_000 },
        });
      const { ran } = (await change("POST", "clock/advance", { by: "2h" })).body;
      const caused = ran.map((run: { caused: unknown[] }) => run.caused.length);
      const counts = ran.flatMap(({ job }: { job: string }, at: number) =>
        job === "sample-key.count" ? [at] : [],
      );
      expect(counts.filter((at: number) => caused[at] > 0)).toEqual(counts.filter((at: number) => at < 200));
      expect(counts.at(-1)).toBeGreaterThanOrEqual(200);
    });

    it("find a resource by all words, behind any number that have only the first", async () => {
      const put = (name: string) =>
        change("PUT", "resources", { arn: `arn:vendor:s3:::${name}`, type: "Vendor::S3::Bucket" });
      for (let index = 0; index < 8; index += 1) await put(`a-harbour-${index}`);
      await put("z-harbour-tower");
      const found = async (words: string) =>
        (await read(`search?limit=3&q=${encodeURIComponent(words)}`)).results.map((one: any) => one.id);
      const tower = "arn:vendor:s3:::z-harbour-tower";
      for (const words of ["harbour tower", "tower harbour", "HARBOUR  tow z-"])
        expect([words, await found(words)]).toEqual([words, [tower]]);
      expect(await found("harbour castle")).toEqual([]);
    });

    it("say which statement decides what a credential may do", async () => {
      const policies = [
        { effect: "Allow", actions: ["sample-key:*"], resources: ["*"] },
        { effect: "Deny", actions: ["sample-key:PutNote"], resources: ["*"] },
      ];
      const replaced = await change("PUT", "credentials/policies", { account: second.id, policies });
      expect(replaced.body).toEqual({ policies });
      const { credential } = (
        await change("POST", "credentials", { kind: "token", account: second.id, scopes: ["sample-key:*"] })
      ).body;
      const check = async (body: object) => (await change("POST", "credentials/check", body)).body;
      expect(await check({ account: second.id, action: "sample-key:GetNote" })).toMatchObject({
        allowed: true,
        decidedBy: "statement",
        position: 0,
        statement: policies[0],
      });
      expect(await check({ credential: credential.id, action: "sample-key:PutNote" })).toMatchObject({
        allowed: false,
        decidedBy: "statement",
        position: 1,
        why: "The policy at position 1 denies it.",
      });
      for (const [body, allowed, decidedBy] of [
        [{ credential: credential.id, action: "voice:Send" }, false, "scope"],
        [{ account: second.id, action: "voice:Send" }, false, "nothing"],
        [{ account: second.id, action: "medley:Administer" }, false, "admin"],
        [{ account: second.id, action: "medley:ReadOwn" }, true, "built-in"],
        [{ action: "medley:Administer" }, true, "built-in"],
        [{ operation: "sample-key.open" }, true, "anyone"],
        [{ operation: "sample-key.notes.count" }, true, "statement"],
      ] as const)
        expect([body, await check(body)]).toEqual([body, expect.objectContaining({ allowed, decidedBy })]);
      const key = { "x-vendor-key": second.apiKeys[0] as string };
      const body = { text: "x" };
      expect((await instance().send("PUT", "/sample-key/notes/a", { headers: key, body })).status).toBe(403);
      await change("PUT", "credentials/policies", { account: second.id, policies: second.policies });
      expect((await instance().send("PUT", "/sample-key/notes/a", { headers: key, body })).status).toBe(201);
    });
    it("refuse questions that make no sense, strangers, and to shut out the one who asks", async () => {
      for (const [body, status] of [
        [{}, 400],
        [{ action: "a", operation: "b" }, 400],
        [{ operation: "none.none" }, 400],
        [{ action: "a:b", credential: "cred_none" }, 404],
        [{ action: "a:b", account: "999999999999" }, 404],
        [{ action: "a:b", wrong: 1 }, 400],
        [{ action: "x".repeat(300) }, 400],
      ] as const)
        expect([body, (await change("POST", "credentials/check", body)).status]).toEqual([body, status]);
      const shut = { policies: [{ effect: "Deny", actions: ["*"], resources: ["*"] }] };
      expect((await change("PUT", "credentials/policies", shut)).status).toBe(409);
      expect((await change("PUT", "credentials/policies", { ...shut, account: "999999999999" })).status).toBe(
        404,
      );
      for (const [method, path] of [
        ["POST", "credentials/check"],
        ["PUT", "credentials/policies"],
        ["GET", "figures"],
        ["GET", "snapshots"],
        ["POST", "snapshots"],
        ["POST", "snapshots/a/restore"],
        ["GET", "snapshots/a/preview"],
        ["DELETE", "snapshots/a"],
        ["POST", "state/preview"],
        ["POST", "state/import/preview"],
      ] as const)
        expect([path, (await change(method, path, undefined, "second")).status]).toEqual([path, 403]);
    });

    it("tell the last hour minute by minute", async () => {
      await put("counted");
      await instance().apiKey("x-vendor-key", "POST", "/sample-key/crash", { body: {} });
      const { minutes, services, process, now } = await read("figures?minutes=5");
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      expect([minutes.length, services["sample-key"].requests.length]).toEqual([5, 5]);
      expect(sum(services["sample-key"].requests)).toBeGreaterThanOrEqual(2);
      expect(sum(services["sample-key"].errors)).toBe(1);
      expect(Math.max(...services["sample-key"].p99Ms)).toBeGreaterThan(0);
      expect(now.residentBytes).toBeGreaterThan(1_000_000);
      expect(process.databaseBytes.at(-1)).toBe(now.databaseBytes);
      for (const wrong of ["0", "61", "x"])
        expect((await change("GET", `figures?minutes=${wrong}`)).status).toBe(400);
    });

    it("set state aside under a name, say what going back would change, and go back", async () => {
      await put("kept");
      const taken = await change("POST", "snapshots", { name: "before", service: "sample-key" });
      expect([taken.status, taken.body]).toEqual([
        201,
        expect.objectContaining({ name: "before", service: "sample-key", rows: expect.any(Number) }),
      ]);
      await put("later");
      await instance().apiKey("x-vendor-key", "DELETE", "/sample-key/notes/kept");
      await put("latest");
      const preview = await read("snapshots/before/preview");
      const [row] = preview.services.filter(({ service }: { service: string }) => service === "sample-key");
      expect(row.now - row.later).toBe(1);
      const exported = await instance().bearer("GET", "/_medley/state?service=sample-key");
      const same = await change("POST", "state/import/preview?service=sample-key", exported.bytes);
      expect(
        same.body.services.every(({ now, later }: { now: number; later: number }) => now === later),
      ).toBe(true);
      const cleared = await change("POST", "state/preview", { service: "sample-key" });
      expect(cleared.body).toEqual({
        rows: 0,
        services: [{ service: "sample-key", now: row.now, later: 0 }],
      });
      const restored = await change("POST", "snapshots/before/restore");
      expect([restored.status, restored.body.rows]).toEqual([200, taken.body.rows]);
      expect([await isThere("kept"), await isThere("later")]).toEqual([true, false]);
      await change("POST", "snapshots", { name: "before" });
      const { snapshots } = await read("snapshots");
      expect(
        snapshots.map(({ name, service }: { name: string; service?: string }) => [name, service]),
      ).toEqual([["before", undefined]]);
      expect((await change("POST", "snapshots/before/restore")).status).toBe(200);
      expect((await change("DELETE", "snapshots/before")).status).toBe(204);
      for (const [method, path] of [
        ["DELETE", "snapshots/before"],
        ["POST", "snapshots/before/restore"],
        ["GET", "snapshots/before/preview"],
      ] as const)
        expect([path, (await change(method, path)).status]).toEqual([path, 404]);
    });
    it("keep twenty snapshots at most, by names that are names", async () => {
      for (let count = 0; count < 20; count += 1)
        expect((await change("POST", "snapshots", { name: `s${count}`, account: second.id })).status).toBe(
          201,
        );
      expect((await change("POST", "snapshots", { name: "one too many" })).status).toBe(409);
      expect((await change("POST", "snapshots", { name: "s3", account: first.id })).status).toBe(201);
      for (const body of [
        {},
        { name: "" },
        { name: "../up" },
        { name: "a/b" },
        { name: "<b>" },
        { name: "x".repeat(65) },
        { name: "s3", service: "none" },
        { name: "ok", acount: "x" },
      ])
        expect([body, (await change("POST", "snapshots", body)).status]).toEqual([body, 400]);
      expect((await change("POST", "state/preview", { servce: "x" })).status).toBe(400);
      expect((await change("POST", "state/import/preview", "nonsense")).status).toBe(400);
      for (let count = 0; count < 20; count += 1) await change("DELETE", `snapshots/s${count}`);
    });
  },
  options,
);
