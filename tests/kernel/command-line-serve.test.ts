/** `medley serve` from its first line to its last, and what is said on the way: processes that come and go. */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main, medley, SERVICES_TOLD } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { startServe } from "../support/processes.ts";

const credentialsFile = join(import.meta.dirname, "../support/credentials.json");

it("ends quietly when nobody reads on", async () => {
  const command = `"${process.execPath}" "${main}" openapi | head -c 10`;
  const ended = await new Promise<string>((resolve) =>
    execFile("sh", ["-c", command], (_error, _output, errors) => resolve(errors)),
  );
  expect(ended).toBe("");
});

it("credentials wait for a server that is still starting", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "medley-starting-")), "first");
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--data", folder]);
  try {
    await eventually(() => existsSync(join(folder, "server.json")), "the beginning of the start");
    const { code, output } = await medley("credentials", "--env", "--data", folder);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/MEDLEY_URL='http:\/\/127\.0\.0\.1:\d+'[\s\S]*MEDLEY_TOKEN='\w+/),
    ]);
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    rmSync(join(folder, ".."), { recursive: true, force: true });
  }
});

it("says on its first start where the secrets are and how to get at them", async () => {
  const data = mkdtempSync(join(tmpdir(), "medley-first-"));
  const folder = join(data, "first");
  const child = spawn(process.execPath, [
    main,
    "serve",
    "--port",
    "0",
    "--data",
    folder,
    "--services",
    "braille",
  ]);
  const output = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("Credentials:")) resolve(text);
    });
  });
  const [, operations, url] = /Medley serves 1 service \((\d+) operations\) on (\S+)/.exec(output) ?? [];
  const page = await (await fetch(`${url}/console`)).text();
  expect(page).toContain(`<h1>1 service, ${operations} operations, one process`);
  expect(output).toContain(
    `A first account was made; its secrets are in ${join(folder, "credentials.json")}`,
  );
  expect(output).toContain(`eval "$(npx medley credentials --data ${folder} --env)"`);
  const code = await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
  expect(code).toBe(0);
  rmSync(data, { recursive: true, force: true });
});

it("says what it waits for when it is stopped in mid-work, and does not wait for ever", async () => {
  const { accounts } = JSON.parse(readFileSync(credentialsFile, "utf8"));
  const busy = await startServe("--memory", "--log-level", "error", "--credentials", credentialsFile);
  let output = "";
  busy.process.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const headers = { authorization: `Bearer ${accounts[0].tokens[0]}`, expect: "100-continue" };
  const waiting = get(`${busy.url}/_medley/outbox?wait=60s`, { headers });
  const ended = new Promise<string>((resolve) => {
    waiting.once("error", () => resolve("cut off")).once("response", () => resolve("answered"));
  });
  // Told to go on, it has been taken up.
  await new Promise((resolve) => waiting.once("continue", resolve));
  expect(await busy.kill("SIGINT")).toBe(0);
  expect(await ended).toBe("cut off");
  expect(output).toContain(
    "Stopping: waits up to 10 seconds for 1 request (medley.outbox.list). Ctrl-C again ends it at once.",
  );
});

it.each([
  ["text", /^\S+Z 404 GET \/braille\/nothing\?token=\S+ [\d.]+ms braille -$/m],
  ["json", /"method":"GET","url":"\/braille\/nothing\?token=[^"]+","status":404,/],
])("writes a line of %s for each request, without secrets", async (format, line) => {
  const server = await startServe("--memory", "--log-level", "error", "--log-requests", format);
  let errors = "";
  server.process.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  await fetch(`${server.url}/braille/nothing?token=a-secret-of-mine`);
  await expect.poll(() => errors).toMatch(line);
  expect(errors).not.toContain("a-secret-of-mine");
  await server.kill("SIGTERM");
});

it("logs a rejection that nobody handles and serves on; after an exception it stops in order with code 1", async () => {
  const tricks =
    "process.on('SIGUSR2', () => void Promise.reject(new Error('unawaited')));" +
    "process.on('SIGHUP', () => { throw new Error('unexpected') });";
  const child = spawn(process.execPath, [
    "--import",
    `data:text/javascript,${encodeURIComponent(tricks)}`,
    main,
    "serve",
    ...["--port", "0", "--memory", "--services", "braille"],
  ]);
  const said = { output: "", errors: "" };
  child.stdout.on("data", (chunk) => {
    said.output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.errors += chunk;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await eventually(() => / on (http:\/\/\S+)/.exec(said.output)?.[1], "the address");
  child.kill("SIGUSR2");
  await eventually(() => said.errors.includes("unawaited"), "the rejection in the log");
  expect((await fetch(`${url}/_medley/ready`)).status).toBe(200);
  child.kill("SIGHUP");
  expect(await ended).toBe(1);
  const logged = said.errors
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).message);
  expect(logged).toEqual(["a rejection was not handled", "an exception was not handled: stopping"]);
});

it("keeps nothing on disk with --memory, and prints the credentials of the run", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "medley-memory-"));
  const child = spawn(
    process.execPath,
    [main, "serve", "--memory", "--tls", "--port", "0", "--tls-port", "0"],
    {
      cwd,
    },
  );
  const output = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("admin")) resolve(text);
    });
  });
  const account = JSON.parse(/Credentials of this run: (\{.*\})/.exec(output)?.[1] ?? "{}");
  expect(output).toContain(`Medley serves ${SERVICES_TOLD} services (`);
  const url = /http:\/\/\S+/.exec(output)?.[0];
  const headers = { authorization: `Bearer ${account.tokens[0]}`, "content-type": "application/json" };
  const body = JSON.stringify({ services: ["backup", "contributions", "functions", "voice"] });
  expect((await fetch(`${url}/_medley/seed`, { method: "POST", headers, body })).status).toBe(200);
  expect((await fetch(`${url}/_medley/clock`, { headers })).status).toBe(200);
  expect(readdirSync(cwd)).toEqual([]);
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
  rmSync(cwd, { recursive: true });
});
