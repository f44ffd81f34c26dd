/** Requests copied as calls of the libraries people use: each pasted into a file of its own and run, which asks for the same again. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installed } from "../../tools/installed.mjs";
import { launchBrowser } from "../support/browser.ts";
import { openConsole, walkTo } from "../support/console.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const run = promisify(execFile);
const { first } = accounts;
type Sample = readonly [method: string, path: string, body?: unknown];

/** Services for which there is a library. */
const KNOWN = readdirSync("console/clients").map((name) => name.replace(".json", ""));
const WITHOUT_DEMO = new Set(["configuration-data", "language-predictions"]);

let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance();
  const services = KNOWN.filter((name) => !WITHOUT_DEMO.has(name));
  expect((await instance.bearer("POST", "/_medley/seed", { body: { services } })).status).toBe(200);
  browser = await launchBrowser();
  installed("googleapis");
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

/** As the console's own form sends it, with the credential that the service wants. */
async function attempt([method, path, body]: Sample) {
  const sent = await instance.bearer("POST", "/_medley/try", {
    body: {
      method,
      path,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    },
  });
  return sent.body;
}
const found = async (sample: Sample) => JSON.parse((await attempt(sample)).answer.body);

async function samplesOf(): Promise<Sample[]> {
  const { resources } = (await instance.bearer("GET", "/_medley/resources?limit=200")).body;
  const nativeOf = (type: string): string =>
    resources.find((one: { type: string; nativeId?: string }) => one.type.endsWith(type))?.nativeId ?? type;
  const management = (type: string, rest: string, version: string) =>
    `/management${nativeOf(type)}${rest}?api-version=${version}`;
  const store = nativeOf("ConfigurationStore").split("/").at(-1);
  const application = nativeOf("Application");
  const [{ id: user }] = await found(["GET", "/bank/v1/user"]);
  const [{ id: account }] = await found(["GET", `/bank/v1/user/${user}/monetary-account-bank`]);
  return [
    ["GET", management("Service", "/apis", "2019-12-01-preview")],
    ["GET", management("ConfigurationStore", "", "2019-11-01-preview")],
    ["GET", `/configuration/${store}/kv?key=Shop*&api-version=2023-11-01`],
    ["PUT", `/configuration/${store}/kv/Shop%3ACurrency?api-version=2023-11-01`, { value: "EUR" }],
    ["GET", management("DedicatedHsm", "", "2018-10-31-preview")],
    ["GET", management("JobCollection", "/jobs", "2016-03-01")],
    ["GET", management("Server", "/databases", "2017-10-01-preview")],
    ["GET", management("SqlVirtualMachineGroup", "", "2017-03-01-preview")],
    ["GET", `/bank/v1/user/${user}/monetary-account/${account}/payment?count=2`],
    ["POST", "/resource-groups/get-group", { Group: "production" }],
    ["GET", "/backup/backup-vaults/nightly"],
    ["GET", "/events/inputs?maxResults=2"],
    ["GET", "/voice/v1/sms-voice/configuration-sets"],
    ["GET", "/face/v1.0/persongroups/demo-family"],
    ["POST", "/face/v1.0/persongroups/demo-family/persons", { name: "Ann" }],
    ["GET", "/functions/v2/projects/demo/locations/us-central1/functions/greeter"],
    ["GET", "/identity/.well-known/openid-configuration"],
    ["GET", "/language/luis/authoring/v3.0-preview/apps?take=5"],
    [
      "PUT",
      `/language/luis/authoring/v3.0-preview/apps/${application}`,
      { name: "Travel desk", description: "Pasted." },
    ],
    [
      "POST",
      `/language/luis/prediction/v3.0/apps/${application}/versions/0.1/predict?verbose=true`,
      { query: "book a flight to Cairo" },
    ],
    ["GET", "/podcasts/api/v2/search?q=garden&offset=0"],
  ];
}

type Pasted = {
  readonly sample: Sample;
  readonly id: string;
  readonly status: number;
  readonly program: string;
};
async function copyAll(samples: readonly Sample[]): Promise<Pasted[]> {
  const { context, page } = await openConsole(browser, instance, "/console", {
    token: first.tokens[0] ?? "",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const pasted: Pasted[] = [];
  for (const sample of samples) {
    const { id, status } = await attempt(sample);
    await walkTo(page, `/console/requests?id=${id}`);
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.getByRole("article").getByRole("button", { name: "Client call" }).click();
    const copied = () => page.evaluate("navigator.clipboard.readText()") as Promise<string>;
    await expect.poll(copied).not.toBe("");
    pasted.push({ sample, id, status, program: await copied() });
  }
  await context.close();
  return pasted;
}

/** All in one process: libraries share much of what they load. Answers by place, with what each died of. */
async function runAll(programs: readonly string[], environment: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "medley-pasted-"));
  try {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const pasted = join(folder, "pasted");
    mkdirSync(pasted);
    symlinkSync(installed("googleapis"), join(pasted, "node_modules"));
    for (const [at, program] of programs.entries()) writeFileSync(join(pasted, `${at}.mjs`), program);
    const main = `console.log = () => undefined;
      const told = [];
      for (let at = 0; at < ${programs.length}; at += 1)
        told.push(await import(\`./\${at}.mjs\`).then(() => "ran", (error) => String(error?.stack ?? error)));
      process.stdout.write(JSON.stringify(told), () => process.exit());`;
    writeFileSync(join(pasted, "main.mjs"), main);
    const { stdout } = await run(process.execPath, [join(pasted, "main.mjs")], { env: environment });
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let pasted: Pasted[] = [];
it("a call of every library can be copied", async () => {
  pasted = await copyAll(await samplesOf());
  for (const { sample, program } of pasted)
    expect([sample, program]).toEqual([sample, expect.not.stringContaining("await fetch(")]);
});
it("a copied call runs as it is, and asks for the same again", async () => {
  const [store] = (await instance.bearer("GET", "/_medley/resources?service=configuration-stores")).body
    .resources;
  const keys = await found(["POST", `/management${store.nativeId}/ListKeys?api-version=2019-11-01-preview`]);
  const told = await runAll(
    pasted.map(({ program }) => program),
    {
      PATH: process.env.PATH ?? "",
      MEDLEY_TOKEN: first.tokens[0] ?? "",
      MEDLEY_API_KEY: first.apiKeys[0] ?? "",
      AWS_ACCESS_KEY_ID: first.accessKeys[0]?.id ?? "",
      AWS_SECRET_ACCESS_KEY: first.accessKeys[0]?.secret ?? "",
      APP_CONFIGURATION_CONNECTION_STRING: keys.value[0].connectionString,
      CLIENT_ID: "pasted",
    },
  );
  const libraries = new Set<string>();
  for (const [at, { sample, id, status }] of pasted.entries()) {
    expect([sample, told[at]]).toEqual([sample, "ran"]);
    const { operation } = (await instance.bearer("GET", `/_medley/requests/${id}`)).body;
    const [again] = (await instance.bearer("GET", `/_medley/requests?operation=${operation}&limit=1`)).body
      .requests;
    expect([sample, again.status, again.id === id]).toEqual([sample, status, false]);
    const [, , body] = sample;
    if (body !== undefined) expect([sample, JSON.parse(again.request.body)]).toMatchObject([sample, body]);
    libraries.add(operation.split(".")[0]);
  }
  expect([...libraries].sort()).toEqual([...KNOWN].sort());
});
