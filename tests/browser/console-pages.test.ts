/** The console's tools: each used once, and held against those who would use them for harm. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { type ConsoleVisit, openConsole, settled, TOOL_PATHS, walkTo } from "../support/console.ts";
import { eventually } from "../support/eventually.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const ADMIN = "first-token-0001";
const HOSTILE = `<img src=x onerror="window.struck=1"><script>window.struck=1</script>`;
let instance: Instance;
let browser: Browser;
let visit: ConsoleVisit | undefined;
beforeAll(async () => {
  instance = await startInstance();
  await instance.bearer("POST", "/_medley/seed", {
    body: { services: ["voice", "events", "scheduler", "resource-groups", "configuration-stores"] },
  });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

/** One visit is good for all that is done by the same person. */
const walk = async (path: string): Promise<Page> => {
  visit ??= await openConsole(browser, instance, "/console", { token: ADMIN });
  await walkTo(visit.page, path);
  return visit.page;
};

it("moves time, and tells what ran; finds the work, and tries it again", async () => {
  const page = await walk("/console/time");
  await page.getByRole("button", { name: "Freeze" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.getByTitle("Time is frozen").waitFor();
  await page.getByRole("heading", { name: "Due next" }).waitFor();
  await page.getByLabel("By how much").fill("26h");
  await page.getByRole("button", { name: "Advance" }).click();
  const ran = page.getByRole("heading", { name: "Jobs that ran" }).locator("../..");
  await ran.getByRole("link", { name: "scheduler.occurrence" }).first().waitFor();
  // Housekeeping is done once, at the end of the way.
  const moments = await ran
    .locator("ol > li", { has: page.getByRole("link", { name: /^(?:scheduler|voice)\.|^events\.timers/ }) })
    .locator("> time")
    .evaluateAll((all) => all.map((one) => one.getAttribute("datetime") ?? ""));
  expect(moments.length).toBeGreaterThan(3);
  expect(moments).toEqual([...moments].sort());
  await page.getByRole("main").getByRole("link", { name: "scheduler.occurrence" }).first().click();
  await page.getByRole("article").getByText("Payload", { exact: true }).waitFor();
  await page.getByRole("radio", { name: /^Waiting/ }).check({ force: true });
  await page.getByLabel("Kind of job").fill("scheduler.occurrence");
  await settled(page);
  await page.locator("tr", { hasText: "scheduler.occurrence" }).nth(1).getByRole("button").click();
  await page.getByRole("button", { name: "Run now" }).click();
  await page.getByRole("article").getByText("Done", { exact: true }).waitFor();
  await page.locator("tr", { hasText: "scheduler.occurrence" }).first().getByRole("button").click();
  const { searchParams } = new URL(page.url());
  await page.getByRole("button", { name: "Cancel it" }).click();
  await page.getByRole("article").waitFor({ state: "detached" });
  expect((await instance.bearer("GET", `/_medley/jobs/${searchParams.get("id")}`)).status).toBe(404);
  await walk("/console/time");
  const before = (await instance.bearer("GET", "/_medley/clock")).body.now;
  await page.getByRole("button", { name: "1 min", exact: true }).click();
  await page.getByRole("heading", { name: "Jobs that ran" }).waitFor();
  const { now } = (await instance.bearer("GET", "/_medley/clock")).body;
  expect(Date.parse(now) - Date.parse(before)).toBe(60_000);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Freeze" }).waitFor();
});

it("shows what left: a mail as it looks, a call to be heard", async () => {
  const page = await walk("/console/outbox?kind=call");
  await page.getByRole("region", { name: "Outgoing messages" }).locator(".row-button").first().click();
  await page.getByLabel("Recording").waitFor();
  await page.evaluate(`(() => {
    const audio = document.querySelector("audio");
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaElementSource(audio).connect(analyser).connect(context.destination);
    const samples = new Float32Array(analyser.fftSize);
    window.loudest = 0;
    audio.ontimeupdate = () => {
      analyser.getFloatTimeDomainData(samples);
      window.loudest = Math.max(window.loudest, ...samples);
    };
    return audio.play();
  })()`);
  await eventually(async () => Number(await page.evaluate("window.loudest")) > 0.05);
  await page.getByLabel("Kind").selectOption("mail");
  await settled(page);
  await page.getByRole("region", { name: "Outgoing messages" }).locator(".row-button").first().click();
  await page.getByRole("heading", { name: "Mail" }).waitFor();
  // What was opened is read; the search looks at addresses, subjects and texts.
  const rows = page.getByRole("region", { name: "Outgoing messages" }).locator("tbody tr");
  await rows.first().locator(".read").waitFor();
  const subject = String(await rows.first().locator(".read").textContent());
  await page.getByLabel("Search", { exact: true }).fill(subject.toUpperCase().slice(0, 12));
  await settled(page);
  expect(await rows.first().locator("td").first().textContent()).toContain(subject);
  await page.getByLabel("Search", { exact: true }).fill("no message has this text");
  await page.getByText("Nothing fits").first().waitFor();
});

it("draws the last hour from the server's own figures, and tells each service apart", async () => {
  const page = await walk("/console/metrics");
  for (const title of ["Requests a minute", "Delay of the event loop", "Memory", "Database", "Jobs waiting"])
    await page.getByRole("slider", { name: new RegExp(`^${title}`) }).waitFor();
  await page.getByRole("row", { name: /^Admin interface [\d,]+/ }).waitFor();
  await page.getByLabel("Service", { exact: true }).selectOption("medley");
  await page.getByRole("slider", { name: /^Requests a minute/ }).waitFor();
});

it("makes a fault by form and counts what it strikes", async () => {
  const page = await walk("/console/faults");
  await page.getByLabel("Service", { exact: true }).selectOption("braille");
  await page.getByLabel("Status").fill("503");
  await page.getByRole("button", { name: "Add the rule" }).click();
  await page.getByText("0 hits").waitFor();
  expect((await instance.apiKey("X-Vendor-Api-Secret", "GET", "/braille/tables")).status).toBe(503);
  await page.getByText("1 hit").waitFor();
  await page.getByRole("button", { name: "Remove all" }).click();
  await page.getByRole("heading", { name: "No rules" }).waitFor();
  expect((await instance.apiKey("X-Vendor-Api-Secret", "GET", "/braille/tables")).status).toBe(200);
});

it("takes a snapshot, clears a service after telling what goes, and goes back", async () => {
  const page = await walk("/console/state");
  const groups = async () =>
    (await instance.bearer("GET", "/_medley/resources?service=resource-groups")).body.resources.length;
  const before = await groups();
  await page.getByLabel("Service", { exact: true }).selectOption("resource-groups");
  await page.getByLabel("Name of the snapshot").fill("before the test");
  await page.getByRole("button", { name: "Take a snapshot" }).click();
  await page.getByText("before the test").waitFor();
  await page.getByRole("button", { name: "Reset" }).click();
  await page
    .getByRole("dialog")
    .getByRole("row", { name: /^Resource groups/ })
    .waitFor();
  await page.getByRole("button", { name: "Clear it" }).click();
  await page.getByText("Cleared: Resource groups, all accounts.").waitFor();
  expect(await groups()).toBe(0);
  await page.getByRole("button", { name: "Restore" }).click();
  await page
    .getByRole("dialog")
    .getByRole("row", { name: /^Resource groups/ })
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("Restored “before the test”").waitFor();
  expect(await groups()).toBe(before);
  await page.getByRole("button", { name: "Delete before the test" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
  await page.getByText("None yet.").waitFor();
});

it("makes a credential that is shown once, asks what it may, and revokes it", async () => {
  const page = await walk("/console/credentials");
  await page.getByRole("button", { name: "New credential" }).click();
  await page.getByLabel("Scopes").fill("braille:*");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("This is shown once.").waitFor();
  const env = await page.getByRole("dialog").locator("pre").textContent();
  const id = await page.getByRole("dialog").locator("li", { hasText: /^id/ }).locator("code").textContent();
  expect(env).toMatch(/MEDLEY_TOKEN=\S{10,}/);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByLabel("What", { exact: true }).fill("voice:SendVoiceMessage");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("The policy at position 0 allows it.").waitFor();
  await page.getByLabel("Who").selectOption(`credential ${id}`);
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("Denied", { exact: true }).waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "only braille:*" });
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("Allowed", { exact: true }).waitFor();
});

it("browses resources by kind, name and tag, tags one, deletes one, and finds everything by one box", async () => {
  await instance.bearer("PUT", "/_medley/resources", {
    body: {
      arn: "arn:vendor:storage:us-east-1:111111111111:bucket/photos",
      type: "Vendor::Storage::Bucket",
      tags: { stage: "test" },
    },
  });
  const page = await walk("/console/resources");
  await page.getByRole("link", { name: /^Configuration store \d/ }).click();
  await settled(page);
  const table = page.getByRole("region", { name: "Resources" });
  await table.getByRole("button", { name: /lantern/ }).click();
  await page.getByRole("button", { name: "Delete" }).waitFor();
  await page.getByLabel("Value of stage").fill("changed in the console");
  await page.getByRole("button", { name: "Save the tags" }).click();
  await table.getByText("stage=changed in the console").waitFor({ state: "attached" });
  await Promise.all(
    Array.from({ length: 51 }, (_none, at) => ({
      arn: `arn:vendor:shelf:us-east-1:111111111111:book/${at}`,
    })).map((body) =>
      instance.bearer("PUT", "/_medley/resources", { body: { ...body, type: "Vendor::Shelf::Book" } }),
    ),
  );
  await walk("/console/resources?type=Vendor%3A%3AShelf%3A%3ABook");
  const rows = table.locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => rows.count()).toBe(51);
  await table.getByRole("button", { name: "Name" }).click();
  await table.getByRole("button", { name: "Name" }).click();
  await expect.poll(() => rows.first().textContent()).toMatch(/^9/);
  await walk("/console");
  await page.getByRole("button", { name: /^Search/ }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByLabel("Search operations, resources and documentation").waitFor();
  await page.keyboard.type("photos");
  await page.getByRole("option", { name: /photos/ }).waitFor();
  await page.keyboard.press("Enter");
  const photos = page.getByRole("article", { name: "Resource photos" });
  await photos.waitFor();
  expect(await photos.getByRole("link", { name: "Service", exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.getByRole("article").waitFor({ state: "detached" });
});

it("keeps script in any text a text", async () => {
  await instance.send("GET", `/braille/${encodeURIComponent(HOSTILE)}?q=${encodeURIComponent(HOSTILE)}`, {
    headers: { "x-note": HOSTILE, "user-agent": HOSTILE },
  });
  await instance.send("POST", "/braille/nowhere", { body: { [HOSTILE]: HOSTILE } });
  await instance.bearer("PUT", "/_medley/resources", {
    body: {
      arn: "arn:vendor:storage:us-east-1:111111111111:bucket/hostile",
      type: "Vendor::Storage::Bucket",
      name: HOSTILE,
      tags: { [HOSTILE.slice(0, 100)]: HOSTILE },
    },
  });
  const tried = async (method: string, path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const sent = { method, path, headers, body: JSON.stringify(body) };
    const { status } = (await instance.bearer("POST", "/_medley/try", { body: sent })).body;
    expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code < 300)]);
  };
  await tried("PUT", "/configuration/lantern-settings-111111111111/kv/hostile?api-version=2023-11-01", {
    value: HOSTILE,
  });
  await tried("POST", "/voice/v1/sms-voice/voice/message", {
    Content: { PlainTextMessage: { LanguageCode: "en-US", Text: HOSTILE, VoiceId: "Joanna" } },
    OriginationPhoneNumber: "+12065550100",
    DestinationPhoneNumber: "+12065550199",
  });
  await instance.bearer("PUT", "/_medley/faults", {
    body: { rules: [{ match: { service: "unpack" }, status: 503, message: HOSTILE }] },
  });
  const page = await walk("/console/requests?text=onerror");
  /** Nothing of it may become part of the page, be it as harmless as a policy makes it. */
  const expectText = async (path: string) =>
    expect([path, await page.locator("img[src=x], #app script").count()]).toEqual([path, 0]);
  const rows = page.getByRole("listbox", { name: "Requests" }).getByRole("option");
  await rows.nth(1).waitFor();
  for (const row of await rows.all()) {
    await row.click();
    await page.getByRole("article").waitFor();
    await page.evaluate("for (const part of document.querySelectorAll('article details')) part.open = true");
    await expectText("a request");
  }
  await page.getByText("onerror").first().waitFor();
  const SHOWN = [
    "/console/faults",
    "/console/services/configuration-stores",
    "/console/resources?text=hostile",
  ];
  for (const path of [...TOOL_PATHS, ...SHOWN]) {
    await walk(path);
    if (SHOWN.includes(path)) await page.getByRole("main").getByText("onerror").first().waitFor();
    await expectText(path);
  }
  await page.getByRole("region", { name: "Resources" }).locator(".row-button").first().click();
  await page.getByRole("article", { name: /onerror/ }).waitFor();
  await expectText("a resource");
  await walk("/console/outbox?kind=call&target=%2B12065550199");
  await page.getByRole("region", { name: "Outgoing messages" }).locator(".row-button").first().click();
  await page.getByRole("article").getByText("onerror").first().waitFor();
  await expectText("a message");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("hostile");
  await page
    .getByRole("option", { name: /onerror/ })
    .first()
    .waitFor();
  await expectText("what was found");
  await page.keyboard.press("Escape");
  expect(await page.evaluate("window.struck")).toBeUndefined();
  await instance.bearer("PUT", "/_medley/faults", { body: { rules: [] } });
});

it("does nothing for another site: no frame, no post, no reading, and no change by the cookie alone", async () => {
  const { context, page } = await openConsole(browser, instance, "/console", { token: ADMIN });
  const [cookie] = await context.cookies(`${instance.url}/_medley/session`);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  const stolen = { headers: { cookie: `${cookie?.name}=${cookie?.value}` } };
  const { csrf } = (await page.evaluate("fetch('/_medley/session').then((answer) => answer.json())")) as {
    csrf: string;
  };
  expect((await instance.send("POST", "/_medley/clock/freeze", stolen)).status).toBe(403);
  expect(
    (
      await instance.send("POST", "/_medley/clock/freeze", {
        headers: { ...stolen.headers, "x-medley-csrf": "made-up" },
      })
    ).status,
  ).toBe(403);
  const elsewhere = await context.newPage();
  await elsewhere.route("http://elsewhere.example/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<iframe src="${instance.url}/console"></iframe>
        <form method="post" action="${instance.url}/_medley/clock/freeze"><button>Win</button></form>`,
    }),
  );
  await elsewhere.goto("http://elsewhere.example/");
  await expect.poll(() => elsewhere.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
  const from = (address: string, how: string) =>
    elsewhere.evaluate(
      `fetch("${instance.url}/_medley/${address}", { credentials: "include", ${how} }).then(({ type }) => type, () => "refused")`,
    );
  expect(await from("clock", "mode: 'cors'")).toBe("refused");
  expect(await from("clock", "mode: 'no-cors'")).not.toBe("basic");
  await from("clock/freeze", "method: 'POST', mode: 'no-cors'");
  await Promise.all([
    elsewhere.waitForURL(/freeze$/),
    elsewhere.getByRole("button", { name: "Win" }).click(),
  ]);
  expect((await instance.bearer("GET", "/_medley/clock")).body.frozen).toBe(false);
  const { requests } = (await instance.bearer("GET", "/_medley/requests?text=elsewhere.example&limit=50"))
    .body;
  const sent = requests.filter(({ url }: { url: string }) => url.includes("/clock/freeze"));
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.every(({ status }: { status: number }) => status === 401 || status === 403)).toBe(true);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Bearer token").waitFor();
  const whole = { headers: { ...stolen.headers, "x-medley-csrf": csrf } };
  expect((await instance.send("GET", "/_medley/requests", whole)).status).toBe(401);
  await context.close();
});
