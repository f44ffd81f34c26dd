/** The command line, as people and scripts use it: the built product in processes of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type NodeProcess, startServe } from "../support/processes.ts";

const main = join(import.meta.dirname, "../../dist/main.js");
const data = mkdtempSync(join(tmpdir(), "medley-cli-"));
let server: NodeProcess;

function medley(...words: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], { maxBuffer: 1 << 26 }, (error, output, errors) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output, errors }),
    );
  });
}
const here = (...words: string[]) => medley(...words, "--data", data);

beforeAll(async () => {
  server = await startServe("--data", data, "--log-level", "error");
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(data, { recursive: true, force: true });
});

it("makes one account with random secrets on first start, readable by its owner only", async () => {
  const file = join(data, "credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [account] = JSON.parse(readFileSync(file, "utf8")).accounts;
  expect(account).toMatchObject({
    id: expect.stringMatching(/^\d{12}$/),
    admin: true,
    policies: [{ effect: "Allow", actions: ["*"], resources: ["*"] }],
  });
  const answer = await fetch(`${server.url}/_medley/jobs`, {
    headers: { authorization: `Bearer ${account.tokens[0]}` },
  });
  expect(answer.status).toBe(200);
});
it("shows credentials as text, as JSON and as shell lines", async () => {
  const [account] = JSON.parse((await here("credentials", "--json")).output).accounts;
  expect((await here("credentials")).output).toContain(account.apiKeys[0]);
  const { output } = await here("credentials", "--env");
  expect(output).toContain(`export MEDLEY_TOKEN='${account.tokens[0]}'`);
  expect(output).toContain(`export AWS_ACCESS_KEY_ID='${account.accessKeys[0].id}'`);
  expect(output).toContain(`export MEDLEY_URL='${server.url}'`);
});
it("makes and revokes a scoped token that works at once and stops at once", async () => {
  const made = JSON.parse(
    (
      await here(
        "credentials",
        "create",
        "--kind",
        "token",
        "--scope",
        "medley:*",
        "--expires-in",
        "8h",
        "--json",
      )
    ).output,
  );
  const ask = async () =>
    (await fetch(`${server.url}/_medley/clock`, { headers: { authorization: `Bearer ${made.token}` } }))
      .status;
  expect(await ask()).toBe(200);
  expect((await here("credentials", "revoke", made.id)).code).toBe(0);
  expect(await ask()).toBe(401);
});
it("travels in time", async () => {
  expect((await here("clock", "freeze")).output).toContain("(frozen)");
  const before = Date.parse((await here("clock", "show")).output.split(" ")[0]!);
  const { output } = await here("clock", "advance", "36h");
  expect(output).toContain("medley.prune  done");
  expect(Date.parse(output.trim().split("\n").at(-1)!.split(" ")[0]!) - before).toBe(36 * 3_600_000);
  expect((await here("clock", "resume")).output).not.toContain("frozen");
  expect((await here("clock", "advance", "soon")).code).toBe(2);
});
it("saves, clears and loads state through a file", async () => {
  const file = join(data, "state.ndjson");
  const [account] = JSON.parse((await here("credentials", "--json")).output).accounts;
  const headers = { authorization: `Bearer ${account.tokens[0]}`, "content-type": "application/json" };
  await fetch(`${server.url}/_medley/resources`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ arn: "arn:vendor:x:y:z:kept", type: "Vendor::X::Y" }),
  });
  const count = async () => {
    const answer = await fetch(`${server.url}/_medley/resources`, { headers });
    return ((await answer.json()) as { resources: unknown[] }).resources.length;
  };
  const before = await count();
  expect((await here("state", "export", file)).code).toBe(0);
  expect((await here("state", "reset")).code).toBe(0);
  expect(await count()).toBe(0);
  expect((await here("state", "import", file)).output).toMatch(/imported \d+ rows/);
  expect(await count()).toBe(before);
});
it("lists services and prints OpenAPI", async () => {
  const services = JSON.parse((await medley("services", "--json")).output);
  expect(services.map(({ name }: { name: string }) => name)).toContain("braille");
  expect(JSON.parse((await medley("openapi", "braille")).output)).toMatchObject({
    openapi: "3.1.0",
    info: { title: "Braille" },
  });
  expect((await medley("openapi", "nonsense")).errors).toContain("there is no service named nonsense");
});
it("loads demo data, twice without harm", async () => {
  for (let i = 0; i < 2; i += 1) {
    const seeded = await here("seed");
    expect([seeded.code, seeded.errors]).toEqual([0, ""]);
  }
});
it("checks the machine", async () => {
  const { code, output } = await here("doctor", "--port", new URL(server.url).port);
  expect(output).toContain("ok    Node");
  expect(output).toMatch(/taken by our own server/);
  expect(code).toBe(0);
});
it("refuses a second process on the same data folder, and what it does not understand, in one clear line", async () => {
  expect(await here("serve", "--port", "0")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("is in use by process"),
  });
  expect((await medley("fly")).code).toBe(2);
  expect((await medley("serve", "--wings")).errors).toContain("medley serve:");
  expect((await medley("serve", "--port", "many")).errors).toContain('--port: "many" is not a number');
  const broken = join(data, "broken.json");
  writeFileSync(broken, '{"accounts":[{"id":"12"}]}');
  expect((await medley("serve", "--memory", "--credentials", broken)).errors).toContain("/accounts/0/id");
});
