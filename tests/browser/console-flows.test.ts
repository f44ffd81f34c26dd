/** What people do with the console from beginning to end: state in and out, bodies of every kind, copies that run, people and resources. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import sketchbook from "../../src/examples/sketchbook/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { type ConsoleVisit, openConsole, walkTo } from "../support/console.ts";
import { eventually } from "../support/eventually.ts";
import { makePackedExecutable } from "../support/executables.ts";
import { type HttpReceiver, startHttpReceiver } from "../support/http-receiver.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const run = promisify(execFile);
const { first } = accounts;
const ADMIN = first.tokens[0] ?? "";
const KEY = "X-Vendor-Api-Secret";
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
/** As `medley credentials --env` sets them. */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? "",
  MEDLEY_TOKEN: ADMIN,
  MEDLEY_API_KEY: first.apiKeys[0] ?? "",
  MEDLEY_USERNAME: first.basic[0]?.username ?? "",
  MEDLEY_PASSWORD: first.basic[0]?.password ?? "",
  AWS_ACCESS_KEY_ID: first.accessKeys[0]?.id ?? "",
  AWS_SECRET_ACCESS_KEY: first.accessKeys[0]?.secret ?? "",
};

let instance: Instance;
let browser: Browser;
let receiver: HttpReceiver;
let visit: ConsoleVisit;
let page: Page;
const read = async (path: string) => (await instance.bearer("GET", `/_medley/${path}`)).body;
const main = () => page.getByRole("main");
/** Within the app: nothing is loaded anew. */
const goTo = (tool: string) =>
  page.getByRole("navigation").getByRole("link", { name: tool, exact: true }).click();
const copied = async (button: string): Promise<string> => {
  await page.evaluate("navigator.clipboard.writeText('')");
  await page.getByRole("article").getByRole("button", { name: button, exact: true }).click();
  const text = () => page.evaluate("navigator.clipboard.readText()") as Promise<string>;
  await expect.poll(text).not.toBe("");
  return text();
};
const openRequest = async (words: string) => {
  if (!page.url().includes("/console/requests")) await goTo("Requests");
  await page.getByLabel("Text", { exact: true }).fill(words);
  const found = page.getByRole("listbox", { name: "Requests" }).getByRole("option", { name: words });
  await found.first().click();
  await page
    .getByRole("article", { name: words })
    .getByRole("heading", { name: "Request", exact: true })
    .waitFor();
};
const opened = () => page.getByRole("article");

beforeAll(async () => {
  receiver = await startHttpReceiver();
  instance = await startInstance({ extraServices: [...allSamples, sketchbook] });
  await instance.bearer("POST", "/_medley/seed", {
    body: { services: ["resource-groups", "scheduler", "configuration-stores", "events", "voice", "backup"] },
  });
  browser = await launchBrowser();
  visit = await openConsole(browser, instance, "/console", {
    token: ADMIN,
    acceptDownloads: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  ({ page } = visit);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
  await receiver?.stop();
});

it("state goes out by a link, and comes back by drag and drop or a file, after a look at what changes", async () => {
  await goTo("State");
  await page.getByLabel("Service", { exact: true }).selectOption("resource-groups");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export" }).click(),
  ]);
  const path = await download.path();
  const text = readFileSync(path, "utf8");
  expect(text).toContain("resource_groups_group");
  await page.getByLabel("Account").fill(first.id);
  await page.getByRole("button", { name: "Reset" }).click();
  await page
    .getByRole("dialog")
    .getByRole("row", { name: /^Resource groups/ })
    .waitFor();
  await page.getByRole("button", { name: "Clear it" }).click();
  await page.getByText(`Cleared: Resource groups, account ${first.id}.`).waitFor();
  expect((await read("resources?type=Vendor::ResourceGroups::Group")).resources).toEqual([]);
  const dropped = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], "before.ndjson")); return data; })()`,
  );
  await page.locator(".drop").dispatchEvent("dragover", { dataTransfer: dropped });
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
  const dialog = page.getByRole("dialog");
  await dialog.getByText("before.ndjson").waitFor();
  await dialog.getByRole("row", { name: /Resource groups 0 \d+ \+\d+/ }).waitFor();
  await dialog.getByRole("button", { name: "Replace" }).click();
  await dialog.getByText(/\d+ rows loaded\./).waitFor();
  await dialog.getByText("Close", { exact: true }).click();
  expect((await read("resources?type=Vendor::ResourceGroups::Group")).resources.length).toBeGreaterThan(0);
  await page.route("**/_medley/state?*", async (route) => {
    await page.getByRole("progressbar", { name: "How much is done" }).waitFor();
    await route.continue();
  });
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "again.ndjson", mimeType: "text/plain", buffer: Buffer.from(text) });
  await dialog.getByRole("row", { name: /Resource groups \d+ \d+ unchanged/ }).waitFor();
  await dialog.getByRole("button", { name: "Replace" }).click();
  await dialog.getByText(/\d+ rows loaded\./).waitFor();
  await page.unroute("**/_medley/state?*");
  await dialog.getByText("Close", { exact: true }).click();
  await page.locator("input[type=file]").setInputFiles({
    name: "no-export.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("nothing of the kind"),
  });
  await dialog.getByRole("alert").waitFor();
  expect(await dialog.getByRole("button", { name: "Replace" }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

it("an operation is tried with a form of parts, which the inspector shows, and a command sends again", async () => {
  await walkTo(page, "/console/try?operation=braille.image.post");
  await page.getByLabel("Sent as").selectOption("multipart/form-data");
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  await answer.getByText("200", { exact: true }).first().waitFor();
  await answer.getByRole("link", { name: "Open in Requests" }).click();
  await opened().getByRole("heading", { name: "text", exact: true }).waitFor();
  await opened().getByText("Fun Translations has something for everyone.").first().waitFor();
  const command = await copied("curl");
  const { stdout } = await run("bash", ["-c", command], { env: ENVIRONMENT, encoding: "buffer" });
  const [{ id }] = (await read("requests?operation=braille.image.post&limit=1")).requests;
  const { answer: again } = await read(`requests/${id}`);
  expect(again.length).toBe(stdout.length);
});

it("files are sent by an operation's form: as the body itself, and as a part of a form", async () => {
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  const send = async (operation: string, name: string, buffer: Buffer) => {
    await walkTo(page, `/console/try?operation=${operation}`);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
    await page.getByRole("button", { name: "Send" }).click();
    await answer.getByText("200", { exact: true }).first().waitFor();
  };
  await send("contributions.media.create", "dot.png", PICTURE);
  await answer.getByText("image/png").first().waitFor();
  await answer.getByRole("link", { name: "Open in Requests" }).click();
  await opened().getByRole("img", { name: "Request body" }).waitFor();
  await send("unpack.unpack", "keeper.exe", makePackedExecutable());
  await answer.getByLabel("Answer body").getByText("4d 5a").first().waitFor();
  await answer.getByRole("link", { name: "Open in Requests" }).click();
  await opened().getByText("keeper.exe, application/octet-stream").waitFor();
  await opened().getByLabel("Part file").getByText("4d 5a").first().waitFor();
});

it("a picture, a sound, bytes, XML and a form are shown as what they are", async () => {
  const post = (type: string, body: Uint8Array | string) =>
    fetch(`${instance.url}/braille/translate/braille?of=${encodeURIComponent(type)}`, {
      method: "POST",
      headers: { [KEY]: ENVIRONMENT.MEDLEY_API_KEY, "content-type": type },
      body,
    });
  const wave = Buffer.concat([Buffer.from("RIFF\x28\0\0\0WAVEfmt ", "latin1"), Buffer.alloc(24)]);
  await post("application/octet-stream", PICTURE);
  await post("audio/wav", wave);
  await post("application/zip", Buffer.from([0x50, 0x4b, 3, 4, 0, 255]));
  await post("application/x-www-form-urlencoded", "text=a+garden&more=1");
  await fetch(`${instance.url}/braille/translate/braille?text=xmlish`, {
    headers: { [KEY]: ENVIRONMENT.MEDLEY_API_KEY, accept: "application/xml" },
  });
  await fetch(`${instance.url}/braille/translate/braille/image?text=drawn`, {
    headers: { [KEY]: ENVIRONMENT.MEDLEY_API_KEY, accept: "image/png" },
  });
  await openRequest("text=drawn");
  await opened().getByRole("img", { name: "Answer body" }).waitFor();
  await openRequest("of=application%2Foctet-stream");
  await opened().getByRole("img", { name: "Request body" }).waitFor();
  await openRequest("of=audio%2Fwav");
  await opened().getByLabel("Request body").waitFor();
  expect(await opened().locator("audio").count()).toBe(1);
  await openRequest("of=application%2Fzip");
  await opened().getByText("50 4b 03 04 00 ff").waitFor();
  await openRequest("of=application%2Fx-www-form-urlencoded");
  await opened().getByRole("row", { name: "text a garden" }).waitFor();
  await openRequest("text=xmlish");
  await opened().getByLabel("Answer body").getByText("<").first().waitFor();
  await opened().getByLabel("Answer body").locator(".code-key").first().waitFor();
});

it("copies that run: signed, with a key, and as a call of the usual library", async () => {
  await walkTo(page, "/console/try?operation=resource-groups.ListGroups");
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  await answer.getByText("200", { exact: true }).first().waitFor();
  await answer.getByRole("link", { name: "Open in Requests" }).click();
  await opened().getByRole("heading", { name: "Request", exact: true }).waitFor();
  const command = await copied("curl");
  expect(command).toContain('--aws-sigv4 "aws:amz:us-east-1:resource-groups"');
  const { stdout } = await run("bash", ["-c", command], { env: ENVIRONMENT });
  expect(JSON.parse(stdout).GroupIdentifiers.length).toBeGreaterThan(0);
  const program = await copied("Client call");
  expect(program).toContain("new ListGroupsCommand(");
  const ran = await run(process.execPath, ["--input-type=module", "-e", program], { env: ENVIRONMENT });
  expect(ran.stdout).toContain("GroupIdentifiers");
  await instance.apiKey(KEY, "GET", "/braille/tables?copied=1");
  await openRequest("copied=1");
  const keyed = await run("bash", ["-c", await copied("curl")], { env: ENVIRONMENT });
  expect(JSON.parse(keyed.stdout)).toEqual((await instance.apiKey(KEY, "GET", "/braille/tables")).body);
});

it("policies are made, changed and taken away, and each change is told by the check; what is made can be copied", async () => {
  await goTo("Credentials");
  const card = main().locator(".account", { hasText: accounts.second.id });
  const editor = page.getByRole("dialog", { name: "Policies of second" });
  const ask = async (outcome: string) => {
    await page.getByLabel("Who").selectOption({ label: "second: the account" });
    await page.getByLabel("What", { exact: true }).fill("voice.SendVoiceMessage");
    await page.getByRole("button", { name: "Ask" }).click();
    await main().getByRole("status").getByText(outcome, { exact: true }).waitFor();
  };
  await card.getByRole("button", { name: "Policies" }).click();
  await editor.getByRole("button", { name: "Policy", exact: true }).click();
  await editor.getByLabel("Effect of policy 2").selectOption("Deny");
  await editor.getByLabel("Actions of policy 2").fill("sms-voice:*");
  await editor.getByRole("button", { name: "Save" }).click();
  await card.getByText("sms-voice:*").waitFor();
  await ask("Denied");
  await main().getByText('"Deny"').waitFor();
  await card.getByRole("button", { name: "Policies" }).click();
  await editor.getByRole("button", { name: "Remove policy 2" }).click();
  await editor.getByRole("button", { name: "Save" }).click();
  await card.getByText("sms-voice:*").waitFor({ state: "detached" });
  await ask("Allowed");
  await page.getByRole("button", { name: "New credential" }).click();
  await page.getByLabel("Kind").selectOption("accessKey");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "Copy for .env" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const env = (await page.evaluate("navigator.clipboard.readText()")) as string;
  expect(env).toMatch(
    /^MEDLEY_URL=http.*\nMEDLEY_ACCOUNT=\d+\nAWS_ACCESS_KEY_ID=MDLY\S+\nAWS_SECRET_ACCESS_KEY=\S+$/,
  );
  await page.getByRole("button", { name: "Done" }).click();
});

it("a message is delivered again, with each attempt told, and its payload copied", async () => {
  await instance.apiKey("x-vendor-key", "PUT", "/sample-key/notes/told", { body: { text: "told" } });
  receiver.reply = () => ({ status: 200 });
  await instance.apiKey("x-vendor-key", "POST", "/sample-key/notes/told:count", {
    body: { webhook: receiver.url },
  });
  await receiver.waitFor(1);
  await openRequest("told:count");
  await opened().getByText("sample-key.notes.count").waitFor();
  await opened().getByText(first.id).waitFor();
  for (const phase of ["credential and permission checked", "handled", "committed"])
    await opened().getByText(phase).waitFor();
  const cause = opened().getByRole("heading", { name: "Effects" }).locator("..");
  await cause.getByRole("link", { name: "sample-key.count" }).waitFor();
  await cause.getByRole("link", { name: /^webhook to/ }).click();
  await page.getByRole("heading", { name: "Outbox", level: 1 }).waitFor();
  await opened().getByText("delivered").first().waitFor();
  await page.getByRole("button", { name: "Deliver again" }).click();
  await receiver.waitFor(2);
  await expect.poll(() => opened().locator("ol.lines li").count()).toBe(2);
  expect(JSON.parse(await copied("Copy payload"))).toEqual({ id: "told" });
});

it("a job that is run now is followed to its end", async () => {
  await instance.bearer("POST", "/_medley/clock/freeze");
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.reply = () => ({ status: 503 });
  const body = { webhook: receiver.url };
  await instance.apiKey("x-vendor-key", "POST", "/sample-key/notes/told:count", { body });
  await eventually(
    async () => (await read("jobs?kind=medley.deliver&state=waiting")).jobs[0]?.attempts === 1,
    "the first attempt's failure",
  );
  receiver.reply = () => ({ status: 200, until });
  await walkTo(page, "/console/jobs?kind=medley.deliver&state=waiting");
  await page.getByRole("region", { name: "Jobs" }).locator("tbody").getByRole("button").click();
  await page.getByRole("button", { name: "Run now" }).click();
  await opened().getByText("Running", { exact: true }).waitFor();
  release();
  await opened().getByText("Done", { exact: true }).waitFor();
  await instance.bearer("POST", "/_medley/clock/resume");
});

it("a mail looks as its author wrote it, and does nothing; the request that led to it tells when it leaves", async () => {
  const html = `<style>b { color: rgb(1, 2, 3) }</style><p style="color: rgb(4, 5, 6)">Dear reader</p><b>soon</b>
    <img src="${receiver.url}/seen.png"><img src="x" onerror="top.struck = 1"><script>top.struck = 1</script>`;
  const text = JSON.stringify({ html, text: "Dear reader" });
  await instance.bearer("POST", "/_medley/clock/freeze");
  const remindAt = new Date(instance.clock.nowMs() + 60_000).toISOString();
  const note = { title: "Hello", text, remindAt };
  expect(
    (await instance.apiKey("X-Vendor-Api-Key", "POST", "/sketchbook/notes", { body: note })).status,
  ).toBe(201);
  await openRequest("sketchbook/notes");
  await opened().getByRole("link", { name: "sketchbook.remind" }).waitFor();
  await instance.bearer("POST", "/_medley/clock/advance", { body: { by: "2m" } });
  await opened()
    .getByRole("link", { name: /^mail to/ })
    .waitFor();
  await instance.bearer("POST", "/_medley/clock/resume");
  await eventually(async () => (await read("outbox?kind=mail&service=sketchbook")).messages.length === 1);
  await walkTo(page, "/console/outbox?kind=mail&service=sketchbook");
  await page
    .getByRole("region", { name: "Outgoing messages" })
    .locator("tbody")
    .getByRole("button")
    .first()
    .click();
  await page.frameLocator("iframe.mail").getByText("Dear reader").waitFor();
  const colorOf = (element: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector("iframe.mail").contentDocument.querySelector("${element}")).color`,
    );
  await expect.poll(() => colorOf("p")).toBe("rgb(4, 5, 6)");
  expect(await colorOf("b")).toBe("rgb(1, 2, 3)");
  expect(await page.evaluate("window.struck")).toBeUndefined();
  expect(receiver.received.filter(({ url }) => url.includes("seen.png"))).toEqual([]);
});

it("resources are tagged by their services, and lead to what belongs to them", async () => {
  await walkTo(page, "/console/resources?type=Vendor%3A%3AResourceGroups%3A%3AGroup");
  const table = page.getByRole("region", { name: "Resources" });
  await table.getByRole("button", { name: /production/ }).click();
  await opened().getByRole("heading", { name: "Members" }).waitFor();
  const history = opened().getByRole("heading", { name: "History" }).locator("..");
  const changes = await history.locator("li").count();
  await opened().getByRole("button", { name: "Tag", exact: true }).click();
  await opened().getByLabel("Name of the tag").last().fill("console");
  await opened().getByLabel("Value of console").fill("was here");
  await opened().getByRole("button", { name: "Save the tags" }).click();
  await expect.poll(async () => (await read("resources?tag=console")).resources.length).toBe(1);
  await history.locator("li").nth(changes).waitFor();
  await history.getByText("changed").first().waitFor();
  await history.getByRole("link", { name: "Request" }).first().click();
  await opened()
    .getByRole("heading", { name: "Effects" })
    .locator("..")
    .getByRole("link", { name: "production" })
    .click();
  await opened().getByRole("heading", { name: "Members" }).locator("..").getByRole("link").first().click();
  await opened()
    .getByRole("heading", { name: "In the groups" })
    .locator("..")
    .getByRole("link", { name: "production" })
    .click();
  await page.getByRole("article", { name: "Resource production" }).waitFor();
  await walkTo(page, "/console/resources?type=Vendor%3A%3ABackup%3A%3ABackupVault");
  await table.getByRole("button", { name: /nightly/ }).click();
  await opened()
    .getByRole("heading", { name: "Recovery points" })
    .locator("..")
    .getByRole("link")
    .first()
    .click();
  await opened()
    .getByRole("heading", { name: "In the vault" })
    .locator("..")
    .getByRole("link", { name: "nightly" })
    .click();
  await page.getByRole("article", { name: "Resource nightly" }).waitFor();
  await walkTo(page, "/console/resources?type=Vendor%3A%3AScheduler%3A%3AJobCollection");
  await table.locator("tbody").getByRole("button").first().click();
  await opened()
    .getByRole("link", { name: /^Latest attempts/ })
    .click();
  await page.getByLabel("Filter Latest attempts").waitFor();
  expect(await page.getByLabel("Filter Latest attempts").inputValue()).toMatch(/\/$/);
});
