/** A network to PostgreSQL that falls silent, loses lines or cuts them: callers are told in time, and all is well when it is. */
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { createDatabase, type Instance, type Sent, startInstance } from "../support/medley.ts";
import { samples } from "../support/sample.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

const WRITERS = 20;
const NOBODY_LISTENS_PORT = 1;
let proxy: TcpProxy;
let instance: Instance;
let written = 0;

beforeEach(async () => {
  const database = await createDatabase();
  proxy = await TcpProxy.start(Number(new URL(database).port));
  instance = await startInstance({
    services: [],
    extraServices: [samples.bearer],
    database: proxy.through(database),
    logLevel: "silent",
  });
});
afterEach(async () => {
  proxy.heal();
  await instance.stop();
  await proxy.stop();
});

function findFreePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    }),
  );
}
function write(): Promise<Sent> {
  written += 1;
  return instance.bearer("PUT", `/sample-bearer/v1/notes/note-${written}`, { body: { text: "x" } });
}
const writeMany = () => Promise.all(Array.from({ length: WRITERS }, write));
const statusesOf = (answers: readonly Sent[]) => [...new Set(answers.map(({ status }) => status))].sort();
const ready = async () => {
  const startMs = performance.now();
  const { status, headers } = await instance.send("GET", "/_medley/ready");
  return { status, retryAfter: headers.get("retry-after"), tookMs: performance.now() - startMs };
};
async function expectRecovery(): Promise<void> {
  await eventually(async () => (await ready()).status === 200, "readiness");
  await eventually(async () => (await write()).status === 201, "a write");
  expect(statusesOf(await writeMany())).toEqual([201]);
}

it("is told in time while the network swallows everything, and works again afterwards", async () => {
  expect(statusesOf(await writeMany())).toEqual([201]);
  proxy.swallow();
  const refused = writeMany();
  const unready = await ready();
  expect(unready).toMatchObject({ status: 503, retryAfter: "1" });
  // Bounded at a second; without that it would wait for minutes. The rest is what a busy machine may take.
  expect(unready.tookMs).toBeLessThan(30_000);
  for (const { status, headers, body } of await refused) {
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(body.error.code).toBe("ServiceUnavailable");
  }
  proxy.heal();
  await expectRecovery();
});

it("lets go of lines that alone have fallen silent, while the server is there", async () => {
  expect(statusesOf(await writeMany())).toEqual([201]);
  proxy.swallowOnLines();
  await expectRecovery();
});

it("survives that all lines are cut, again and again, in the middle of writes", async () => {
  for (let round = 0; round < 5; round += 1) {
    const writing = writeMany();
    proxy.cut();
    for (const { status, headers } of await writing) {
      expect([201, 503]).toContain(status);
      if (status === 503) expect(headers.get("retry-after")).toBe("1");
    }
  }
  await expectRecovery();
});

it("waits for a slow network", async () => {
  proxy.delay(150);
  expect(statusesOf(await writeMany())).toEqual([201]);
});

it("is noted in one line for a request, without a trace", async () => {
  const lines: string[] = [];
  const standardError = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  const logging = await startInstance({
    services: [],
    extraServices: [samples.bearer],
    database: proxy.through(await createDatabase()),
    logLevel: "error",
  });
  try {
    proxy.pointAt(NOBODY_LISTENS_PORT);
    proxy.cut();
    const { status } = await logging.bearer("PUT", "/sample-bearer/v1/notes/note", { body: { text: "x" } });
    expect(status).toBe(503);
  } finally {
    standardError.mockRestore();
    proxy.heal();
    await logging.stop().catch(() => {});
  }
  const noted = lines.filter((line) => line.includes("a request failed"));
  expect(noted).toHaveLength(1);
  expect(JSON.parse(noted[0] ?? "").error).not.toContain("\n");
});

it("is waited for where it goes away during a start, and nothing listens before the queue stands", async () => {
  const database = await createDatabase();
  const options = { services: [], extraServices: [samples.bearer], database: proxy.through(database) };
  await (await startInstance(options)).stop();
  const lines: string[] = [];
  const standardError = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  const port = await findFreePort();
  const other = new pg.Client({ connectionString: database });
  await other.connect();
  try {
    await other.query("BEGIN; LOCK TABLE medley_job IN ACCESS EXCLUSIVE MODE");
    const starting = startInstance({ ...options, port, logLevel: "error" });
    const waiting = "select 1 from pg_locks where not granted and relation = 'medley_job'::regclass";
    await eventually(async () => (await other.query(waiting)).rowCount !== 0, "the start of the queue");
    await expect(fetch(`http://127.0.0.1:${port}/_medley/ready`)).rejects.toThrow();
    proxy.pointAt(NOBODY_LISTENS_PORT);
    proxy.cut();
    await eventually(() => lines.some((line) => line.includes("went away during the start")), "the log");
    proxy.pointAt(Number(new URL(database).port));
    await other.query("ROLLBACK");
    const started = await starting;
    expect((await started.send("GET", "/_medley/ready")).status).toBe(200);
    await started.stop();
  } finally {
    standardError.mockRestore();
    await other.end();
  }
});
