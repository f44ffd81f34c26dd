/** `startMedley()`: instances side by side, HTTPS, restarts. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ServiceSettings } from "../../src/app/services.ts";
import { type StartOptions, startMedley } from "../../src/app/start.ts";
import type { CredentialsFile } from "../../src/kernel/auth/index.ts";
import type { Config } from "../../src/kernel/config/index.ts";
import type * as library from "../../src/library.ts";
import { samples } from "../support/sample.ts";

const options = { services: [], extraServices: [samples.bearer] };

it("runs many instances side by side, each with its own accounts, state and clock", async () => {
  const [first, second] = await Promise.all([startMedley(options), startMedley(options)]);
  const token = first.credentials.accounts[0]!.tokens![0]!;
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${first.url}/sample-bearer/v1/notes`, { headers })).status).toBe(200);
  expect((await fetch(`${second.url}/sample-bearer/v1/notes`, { headers })).status).toBe(401);
  await first.clock.freeze();
  await first.clock.advance("100d");
  expect(first.clock.nowMs() - second.clock.nowMs()).toBeGreaterThan(99 * 86_400_000);
  await expect(first.clock.advance("nonsense")).rejects.toThrow("not a duration");
  await Promise.all([first.stop(), second.stop()]);
});

it("clears state and keeps accounts", async () => {
  const medley = await startMedley(options);
  const headers = {
    authorization: `Bearer ${medley.credentials.accounts[0]!.tokens![0]}`,
    "content-type": "application/json",
  };
  await fetch(`${medley.url}/sample-bearer/v1/notes/one`, { method: "PUT", headers, body: '{"text":"x"}' });
  await medley.reset();
  expect((await fetch(`${medley.url}/sample-bearer/v1/notes/one`, { headers })).status).toBe(404);
  await medley.stop();
});

it("keeps state, accounts, clock and faults in its folder over a restart", async () => {
  const data = mkdtempSync(join(tmpdir(), "medley-library-"));
  const before = await startMedley({ ...options, data });
  const headers = {
    authorization: `Bearer ${before.credentials.accounts[0]!.tokens![0]}`,
    "content-type": "application/json",
  };
  await fetch(`${before.url}/sample-bearer/v1/notes/kept`, { method: "PUT", headers, body: '{"text":"x"}' });
  await before.clock.freeze();
  await before.clock.advance("2d");
  const frozen = before.clock.nowMs();
  await before.stop();
  const after = await startMedley({ ...options, data });
  expect((await fetch(`${after.url}/sample-bearer/v1/notes/kept`, { headers })).status).toBe(200);
  expect(after.clock.nowMs()).toBe(frozen);
  expect(after.credentials.accounts[0]!.id).toBe(before.credentials.accounts[0]!.id);
  await after.stop();
  rmSync(data, { recursive: true, force: true });
});

it("serves HTTPS as well, with an authority of its own", async () => {
  const medley = await startMedley({ ...options, tls: true });
  const status = await new Promise<number>((resolve, reject) => {
    const { port } = new URL(medley.tlsUrl!);
    request(
      {
        host: "127.0.0.1",
        port,
        servername: "sample-bearer.localhost",
        path: "/v1/open",
        headers: { host: `sample-bearer.localhost:${port}` },
        ca: medley.certificateAuthorityPem!,
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    )
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
  await medley.stop();
});

it("lets requests under way finish when it stops", async () => {
  const medley = await startMedley(options);
  const headers = { authorization: `Bearer ${medley.credentials.accounts[0]!.tokens![0]}` };
  const slow = get(`${medley.url}/sample-bearer/v1/slow?ms=500`, {
    headers: { ...headers, expect: "100-continue" },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    slow.once("error", reject).once("response", (answer) => resolve(answer.resume().statusCode));
  });
  // Told to go on, it has been taken up.
  await new Promise((resolve) => slow.once("continue", resolve));
  await medley.stop();
  expect(await status).toBe(200);
  await expect(fetch(`${medley.url}/_medley/health`)).rejects.toThrow();
});

it("leaves the work of a service that is not mounted for a start that has it", async () => {
  const data = mkdtempSync(join(tmpdir(), "medley-library-"));
  const before = await startMedley({ ...options, data });
  const headers = {
    authorization: `Bearer ${before.credentials.accounts[0]!.tokens![0]}`,
    "content-type": "application/json",
  };
  const notes = "/sample-bearer/v1/notes";
  await fetch(`${before.url}${notes}/late`, { method: "PUT", headers, body: '{"text":"x"}' });
  await fetch(`${before.url}${notes}/late:count`, { method: "POST", headers, body: '{"delayMs":3600000}' });
  await before.stop();
  const without = await startMedley({ services: [], data });
  expect((await without.clock.advance("2h")).filter(({ name }) => name.startsWith("sample"))).toEqual([]);
  await without.stop();
  const after = await startMedley({ ...options, data });
  await after.clock.advance("1s");
  const note = (await (await fetch(`${after.url}${notes}/late`, { headers })).json()) as { count: number };
  expect(note.count).toBe(1);
  await after.stop();
  rmSync(data, { recursive: true, force: true });
});

it("gives a data folder to one instance at a time, also within one process, and lets go of it", async () => {
  const data = mkdtempSync(join(tmpdir(), "medley-library-"));
  const first = await startMedley({ ...options, data });
  await expect(startMedley({ ...options, data })).rejects.toThrow("in use by this very process");
  expect((await fetch(`${first.url}/_medley/health`)).status).toBe(200);
  await first.stop();
  const second = await startMedley({ ...options, data });
  await second.stop();
  rmSync(data, { recursive: true, force: true });
});

/** But the files that SQLite keeps beside its database, which go when its driver lets go of them. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter((name) => !/-(wal|shm)$/.test(String(name)));
it("leaves nothing behind when it cannot start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "medley-library-"));
  const other = await startMedley(options);
  const taken = Number(new URL(other.url).port);
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const noted = join(folder, "noted");
  mkdirSync(noted);
  writeFileSync(join(noted, "note.txt"), "mine");
  for (const data of [join(folder, "a/b"), empty, noted]) {
    const before = filesIn(folder);
    await expect(startMedley({ ...options, data, port: taken })).rejects.toThrow("EADDRINUSE");
    await expect(startMedley({ ...options, data, tls: true, tlsPort: taken })).rejects.toThrow("EADDRINUSE");
    await expect(startMedley({ services: ["none"], data })).rejects.toThrow("no service named none");
    await expect(startMedley({ data, credentialsFile: "/nowhere.json" })).rejects.toThrow("ENOENT");
    const database = "postgres://127.0.0.1:1/x";
    await expect(startMedley({ ...options, data, database })).rejects.toThrow("ECONNREFUSED");
    const twice = [samples.bearer, samples.bearer];
    await expect(startMedley({ ...options, data, extraServices: twice })).rejects.toThrow();
    expect(filesIn(folder)).toEqual(before);
    const medley = await startMedley({ ...options, data });
    expect((await fetch(`${medley.url}/_medley/ready`)).status).toBe(200);
    await medley.stop();
    await expect(startMedley({ ...options, data, port: taken })).rejects.toThrow("EADDRINUSE");
    expect(readdirSync(data)).toEqual(expect.arrayContaining(["credentials.json", "medley.db"]));
  }
  await other.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  [{ port: "abc" }, /^startMedley: port: "abc" is not a whole number from 0 to 65535$/],
  [{ port: 70_000 }, /port: "70000" is not/],
  [{ port: Number.NaN }, /port: "NaN" is not/],
  [{ prot: 4020 }, /^startMedley: there is no option named "prot"; there are .*port/],
  [{ dataFolder: "x" }, /no option named "dataFolder"; there are .*\bdata\b/],
  [{ data: ["x", "y"] }, /data: \["x","y"\] is a list/],
  [{ database: "mysql://x/y" }, /database: "mysql:\/\/x\/y" is not an address/],
  [{ memory: "perhaps" }, /memory: "perhaps" is neither true nor false/],
  [{ logLevel: "loud" }, /logLevel: "loud" is none of/],
  [{ requestLogSize: 0 }, /requestLogSize: "0" is not a whole number/],
  [{ trustedProxies: ["nowhere"] }, /trustedProxies: "nowhere" is neither/],
  [{ services: [1] }, /services: \[1\] is neither/],
  [{ carrier: { host: "peer", prot: 5060 } }, /carrier: .*"prot"/],
  [{ carrier: { host: "peer", port: "abc" } }, /carrier: .*port/],
])("refuses options as flags are refused: %j", async (wrong, words) => {
  await expect(startMedley({ ...options, ...wrong } as StartOptions)).rejects.toThrow(words);
  expect(existsSync("abc")).toBe(false);
});

it("takes an option that says nothing as one that was not given", async () => {
  const medley = await startMedley({
    ...options,
    port: undefined,
    data: undefined,
    logLevel: undefined,
  } as object);
  expect((await fetch(`${medley.url}/_medley/health`)).status).toBe(200);
  await medley.stop();
});

it("takes the settings of the command line, and names itself as it can be reached", async () => {
  const local = await startMedley({ ...options, host: "::1" });
  expect(local.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${local.url}/_medley/health`)).status).toBe(200);
  const everywhere = await startMedley({ ...options, host: "0.0.0.0", services: ["braille"] });
  expect(everywhere.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { services } = (await (await fetch(`${everywhere.url}/_medley/services`)).json()) as {
    services: { name: string }[];
  };
  expect(services.map(({ name }) => name)).toEqual(["braille", "sample-bearer", "medley"]);
  await Promise.all([local.stop(), everywhere.stop()]);
});

it("clears state by service and account", async () => {
  const medley = await startMedley(options);
  const [account] = medley.credentials.accounts;
  const headers = {
    authorization: `Bearer ${account!.tokens![0]}`,
    "content-type": "application/json",
  };
  const note = `${medley.url}/sample-bearer/v1/notes/one`;
  const has = async () => (await fetch(note, { headers })).status === 200;
  await fetch(note, { method: "PUT", headers, body: '{"text":"x"}' });
  await medley.reset({ account: "999999999999" });
  expect(await has()).toBe(true);
  await medley.reset({ service: "sample-bearer", account: account!.id });
  expect(await has()).toBe(false);
  await expect(medley.reset({ service: "none" })).rejects.toThrow("no service named none");
  await medley.stop();
});

/** The public types say the same as those inside; the compiler checks it. */
type Same<A, B> = [A, B] extends [B, A] ? true : { readonly left: A; readonly right: B };
type Settings = Partial<Omit<Config, "databaseUrl" | "dataFolder" | "url" | "token">> &
  ServiceSettings & { readonly data?: string; readonly database?: string };
it("declares the same options and accounts as the product has", () => {
  const keys: Same<keyof library.StartOptions, keyof Settings> = true;
  const options: Same<Required<library.StartOptions>, Required<Settings>> = true;
  const accounts: CredentialsFile["accounts"][number] extends library.Account ? true : false = true;
  expect([keys, options, accounts]).toEqual([true, true, true]);
});
