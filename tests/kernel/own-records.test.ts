/** What the admin interface shows to an account that is no admin: its own requests, jobs, messages and resources. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKernel } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { pruneOutbox } from "../../src/kernel/events/index.ts";
import type { Kernel } from "../../src/kernel/runtime/index.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpReceiver, startHttpReceiver } from "../support/http-receiver.ts";
import { type AccountName, accounts, createDatabase, onBothDatabases, type Sent } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };
const both = ["first", "second"] as const;

onBothDatabases(
  "records in the admin interface",
  (instance) => {
    /** Its message is there when this returns: a job sends it. */
    const note = async (as: AccountName, id: string) => {
      await instance().apiKey("x-vendor-key", "PUT", `/sample-key/notes/${id}`, { as, body: { text: as } });
      await instance().apiKey("x-vendor-key", "POST", `/sample-key/notes/${id}:count`, { as, body: {} });
      return eventually(
        async () => (await logged(as)).find(({ body }) => body.id === id),
        `the log of ${id}`,
      );
    };
    const read = async (as: AccountName, path: string) => {
      const answer = await instance().bearer("GET", `/_medley/${path}`, { as });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const logged = async (as: AccountName): Promise<{ id: string; body: { id: string } }[]> =>
      (await read(as, "outbox?kind=log")).messages;
    const ownersOf = (records: { account: string | null }[]) => [
      ...new Set(records.map(({ account }) => account)),
    ];

    it("are an account's own, and everybody's for admins", async () => {
      for (const as of both) {
        await note(as, `of-${as}`);
        const body = { account: accounts[as].id, arn: `arn:vendor:s3:::${as}`, type: "Vendor::S3::Bucket" };
        expect((await instance().bearer("PUT", "/_medley/resources", { body })).status).toBe(200);
      }
      for (const [path, list] of [
        ["requests", "requests"],
        ["jobs", "jobs"],
        ["outbox", "messages"],
      ] as const) {
        expect([path, ownersOf((await read("second", path))[list])]).toEqual([path, [accounts.second.id]]);
        expect([path, ownersOf((await read("first", path))[list])]).toEqual([
          path,
          expect.arrayContaining(both.map((one) => accounts[one].id)),
        ]);
        const others = await instance().bearer("GET", `/_medley/${path}?account=${accounts.first.id}`, {
          as: "second",
        });
        expect([path, others.status]).toEqual([path, 403]);
      }
      const { resources } = await read("second", "resources");
      expect(resources.map(({ arn }: { arn: string }) => arn)).toEqual(["arn:vendor:s3:::second"]);
      const others = `/_medley/resources?account=${accounts.first.id}`;
      expect((await instance().bearer("GET", others, { as: "second" })).status).toBe(403);
      const own = "/_medley/resources?arn=arn:vendor:s3:::second";
      expect((await instance().bearer("DELETE", own, { as: "second" })).status).toBe(403);
      expect((await instance().bearer("GET", "/_medley/outbox", { as: null })).status).toBe(401);
    });

    it("stay with their account, message by message", async () => {
      const [mine] = (await read("first", `outbox?account=${accounts.first.id}`)).messages;
      expect((await instance().bearer("GET", `/_medley/outbox/${mine.id}`)).status).toBe(200);
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/content"],
        ["POST", "/acknowledge"],
      ] as const) {
        const hidden = await instance().bearer(method, `/_medley/outbox/${mine.id}${path}`, { as: "second" });
        expect([path, hidden.status, hidden.body.error.code]).toEqual([path, 404, "NoSuchMessage"]);
      }
    });

    it("are read and acknowledged by permissions of their own", async () => {
      const message = await note("second", "permitted");
      const tokenFor = async (scope: string) => {
        const body = { kind: "token", account: accounts.second.id, scopes: [scope] };
        const { credential } = (await instance().bearer("POST", "/_medley/credentials", { body })).body;
        return { authorization: `Bearer ${credential.token}` };
      };
      const path = `/_medley/outbox/${message.id}`;
      const [reading, acknowledging] = [
        await tokenFor("medley:ReadOwn"),
        await tokenFor("medley:AcknowledgeOwn"),
      ];
      const statusOf = async (method: string, at: string, headers: Record<string, string>) =>
        (await instance().send(method, at, { headers })).status;
      expect(await statusOf("GET", path, reading)).toBe(200);
      expect(await statusOf("POST", `${path}/acknowledge`, reading)).toBe(403);
      expect(await statusOf("GET", path, acknowledging)).toBe(403);
      expect(await statusOf("POST", `${path}/acknowledge`, acknowledging)).toBe(204);
    });
    it("can be waited for, each until it is acknowledged", async () => {
      const wait = (query: string) => read("second", `outbox?kind=log&target=sample-key&wait=20s${query}`);
      for (const { id } of (await read("second", "outbox")).messages)
        expect(
          (await instance().bearer("POST", `/_medley/outbox/${id}/acknowledge`, { as: "second" })).status,
        ).toBe(204);
      const waiting = wait("");
      await note("second", "awaited");
      const { messages } = await waiting;
      expect(messages).toMatchObject([{ body: { id: "awaited" }, acknowledgedAt: null }]);
      expect((await wait("")).messages).toEqual(messages);
      const path = `/_medley/outbox/${messages[0].id}/acknowledge`;
      for (let time = 1; time <= 2; time += 1)
        expect((await instance().bearer("POST", path, { as: "second" })).status).toBe(204);
      expect((await read("second", "outbox?kind=log&target=sample-key&wait=300ms")).messages).toEqual([]);
      const seen = await read("second", "outbox?acknowledged=true");
      expect(seen.messages[0]).toMatchObject({ id: messages[0].id, acknowledgedAt: expect.any(String) });
      for (const long of ["60001ms", "soon", "-1s"])
        expect((await instance().bearer("GET", `/_medley/outbox?wait=${long}`)).status).toBe(400);
    });

    it("wait for as many callers of an account as there may be, and refuse the next", async () => {
      const path = "/_medley/outbox?kind=log&target=sample-key&wait=60s";
      const answered: Sent[] = [];
      const calls = Array.from({ length: 22 }, async () =>
        answered.push(await instance().bearer("GET", path, { as: "second" })),
      );
      await eventually(() => answered.length === 2, "two refusals");
      for (const { status, headers } of answered)
        expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
      await note("second", "released");
      await Promise.all(calls);
      expect(answered.slice(2).map(({ status, body }) => [status, body.messages.length])).toEqual(
        Array.from({ length: 20 }, () => [200, 1]),
      );
    });
  },
  options,
);

onBothDatabases(
  "deliveries",
  (instance) => {
    let receiver: HttpReceiver;
    beforeAll(async () => {
      receiver = await startHttpReceiver();
    });
    afterAll(() => receiver.stop());

    it("are signed with the machine's time, however far the clock has travelled", async () => {
      await instance().clock.freeze();
      await instance().clock.advance("20d");
      const send = (method: string, path: string, body: unknown) =>
        instance().apiKey("x-vendor-key", method, `/sample-key/notes/far${path}`, { body });
      await send("PUT", "", { text: "x" });
      await send("POST", ":count", { webhook: `${receiver.url}/hook` });
      const { headers, body } = await receiver.waitFor(1);
      const timestamp = String(headers["webhook-timestamp"]);
      expect(Math.abs(Number(timestamp) * 1000 - Date.now())).toBeLessThan(300_000);
      const content = `${headers["webhook-id"]}.${timestamp}.${body}`;
      const signature = createHmac("sha256", "sample").update(content).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    });
  },
  options,
);

describe.each(["sqlite", "postgres"] as const)("pruning the outbox on %s", (kind) => {
  let kernel: Kernel;
  beforeAll(async () => {
    const databaseUrl = kind === "postgres" ? await createDatabase() : undefined;
    ({ kernel } = await openKernel({ ...defaultConfig, memory: true, databaseUrl, logLevel: "silent" }, []));
  });
  afterAll(() => kernel.database.close());

  it("takes the oldest of an account that has too many, and nobody else's", async () => {
    const send = (account: string, target: string) =>
      kernel.transactAs("medley", account, ({ outbox }) => outbox.send({ kind: "log", target }));
    await send("quiet", "kept");
    for (const target of ["1", "2", "3", "4"]) await send("loud", target);
    await pruneOutbox(
      {
        db: kernel.database.read,
        transact: (step) => kernel.database.transact((db) => step({ db })),
      },
      3,
    );
    const rows = await kernel.database.read
      .selectFrom("medley_outbox")
      .select("target")
      .orderBy("account", "desc")
      .orderBy("id")
      .execute();
    expect(rows.map(({ target }) => target)).toEqual(["kept", "2", "3", "4"]);
  });
});
