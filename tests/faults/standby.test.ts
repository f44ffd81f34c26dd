/** Reads that may be old go to a standby, and to the primary while the standby is behind, away or not one. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { medley } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { ReplicatedPostgres } from "../support/replicated-postgres.ts";

let servers: ReplicatedPostgres;
/** Whatever the standby has is new enough for the first one. */
let patient: Instance;
let strict: Instance;
const start = (readDatabase: string, readDatabaseLagSeconds: number) =>
  startInstance({ database: servers.urlOf("primary"), services: [], readDatabase, readDatabaseLagSeconds });

beforeAll(async () => {
  servers = await ReplicatedPostgres.start();
  await servers.commitOnOne();
  patient = await start(servers.urlOf("standby"), 3600);
  strict = await start(servers.urlOf("standby"), 2);
}, 120_000);
afterAll(async () => {
  await patient?.stop();
  await strict?.stop();
  await servers?.stop();
});

const OLD_ALLOWED = "max-stale";
async function namesIn(instance: Instance, cacheControl?: string): Promise<string[]> {
  const headers = { ...(cacheControl !== undefined && { "cache-control": cacheControl }) };
  const { body, status } = await instance.bearer("GET", "/_medley/resources", { headers });
  expect(status).toBe(200);
  return body.resources.map(({ name }: { name: string }) => name);
}
const put = async (name: string) => {
  const body = { arn: `arn:vendor:storage:us-east-1:111111111111:bucket/${name}`, type: "Vendor::S::B" };
  expect((await patient.bearer("PUT", "/_medley/resources", { body })).status).toBe(200);
};
const saidOf = async (instance: Instance): Promise<string> =>
  (await instance.send("GET", "/_medley/ready")).body.standby;
const untilSaid = (instance: Instance, words: RegExp) =>
  eventually(async () => words.test(await saidOf(instance)), String(words));
const figureOf = async (instance: Instance) =>
  /^medley_standby_used (.*)$/m.exec((await instance.send("GET", "/_medley/metrics")).text)?.[1];
const doctorOn = async (readDatabase: string): Promise<string> => {
  const words = ["--database", servers.urlOf("primary"), "--read-database", readDatabase];
  return (await medley("doctor", ...words, "--services", "braille", "--port", "0")).output;
};

it("reads the standby only if the operation and the request allow it", async () => {
  await untilSaid(patient, /go to the standby, which is \d+\.\d s behind/);
  expect(await figureOf(patient)).toBe("1");
  await put("before");
  await eventually(async () => (await namesIn(patient, OLD_ALLOWED)).includes("before"), "the standby");
  await servers.queryStandby("SELECT pg_wal_replay_pause()");
  await put("after");
  expect(await namesIn(patient, OLD_ALLOWED)).toEqual(["before"]);
  expect(await namesIn(patient, "no-cache, max-stale=3600")).toEqual(["before"]);
  expect(await namesIn(patient)).toEqual(["after", "before"]);
  expect(await namesIn(patient, "max-stale=0")).toEqual(["after", "before"]);
  const one = `/_medley/search?q=${encodeURIComponent("bucket/after")}`;
  const found = await patient.bearer("GET", one, { headers: { "cache-control": OLD_ALLOWED } });
  expect(JSON.stringify(found.body)).not.toContain("bucket/after");
}, 60_000);

it("reads the primary while the standby is further behind than allowed, and says so", async () => {
  await untilSaid(
    strict,
    /Reads go to the primary. The standby is not used: it is \d+ s behind, more than 2 s/,
  );
  expect(await namesIn(strict, OLD_ALLOWED)).toEqual(["after", "before"]);
  const metrics = (await strict.send("GET", "/_medley/metrics")).text;
  expect(metrics).toMatch(/^# HELP medley_standby_used Reads go to the primary.* behind/m);
  expect(metrics).toMatch(/^medley_standby_used 0$/m);
  expect(metrics).toMatch(/^medley_standby_lag_seconds [2-9]/m);
  await servers.queryStandby("SELECT pg_wal_replay_resume()");
  await untilSaid(strict, /go to the standby/);
  expect(await namesIn(strict, OLD_ALLOWED)).toEqual(["after", "before"]);
}, 60_000);

it("reads the primary while the standby is away, and the standby again when it is back", async () => {
  expect(await doctorOn(servers.urlOf("standby"))).toMatch(/ok {4}standby of --read-database: \d/);
  await servers.stopStandby();
  expect(await namesIn(patient, OLD_ALLOWED)).toEqual(["after", "before"]);
  await untilSaid(patient, /not used: it does not answer\.$/);
  expect(await figureOf(patient)).toBe("0");
  expect(await doctorOn(servers.urlOf("standby"))).toMatch(
    /WARN {2}standby of --read-database: it does not answer: .*; reads go to the primary/,
  );
  await put("meanwhile");
  expect(await namesIn(patient, OLD_ALLOWED)).toContain("meanwhile");
  await servers.startStandby();
  await untilSaid(patient, /go to the standby/);
  await eventually(async () => (await namesIn(patient, OLD_ALLOWED)).includes("meanwhile"), "the standby");
}, 60_000);

it("does not use a server that takes writes, nor another database of the standby", async () => {
  expect(await doctorOn(servers.urlOf("primary"))).toContain(
    "this PostgreSQL takes writes: it is no standby",
  );
  expect(await doctorOn(servers.urlOf("standby", { name: "postgres" }))).toContain(
    "it has another database: postgres.public, not medley.public",
  );
}, 60_000);

it("reads the primary if the standby refuses a read, and says why", async () => {
  await servers.query("CREATE ROLE reader LOGIN PASSWORD 'medley'");
  await servers.query("GRANT USAGE ON SCHEMA public TO reader");
  const refused = await start(servers.urlOf("standby", { user: "reader" }), 5);
  try {
    await untilSaid(refused, /go to the standby/);
    // It is tried again every second.
    await eventually(async () => {
      expect(await namesIn(refused, OLD_ALLOWED)).toEqual(await namesIn(refused));
      // Anybody may ask, so the sentence names no table.
      return /not used: it refused a read\.$/.test(await saidOf(refused));
    }, "the reason");
  } finally {
    await refused.stop();
  }
}, 60_000);
