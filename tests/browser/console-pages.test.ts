/** Every page of the console against the rules for accessible pages, and against those who would use it for harm. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { openConsole, problemsOn, TOOL_PATHS } from "../support/console.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const ADMIN = "first-token-0001";
const HOSTILE = `<img src=x onerror="window.struck=1"><script>window.struck=1</script>`;
let instance: Instance;
let browser: Browser;
beforeAll(async () => {
  instance = await startInstance();
  await instance.bearer("POST", "/_medley/seed", { body: {} });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it.each([
  ["light", 320],
  ["dark", 1280],
] as const)(
  "no page breaks a rule or asks another host: %s, %i pixels wide",
  async (colorScheme, width) => {
    const broken: Record<string, readonly string[]> = {};
    const { context, page, complaints, hosts } = await openConsole(browser, instance, "/console", {
      colorScheme,
      viewport: { width, height: 800 },
    });
    const look = async (name: string) => {
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.locator(".waiting").first().waitFor({ state: "detached" });
      const problems = await problemsOn(page);
      if (problems.length > 0) broken[name] = problems;
    };
    await look("sign-in");
    for (const path of ["/console/docs", "/console/docs/braille"]) {
      await page.goto(instance.url + path);
      for (const summary of await page.locator("details summary").all()) await summary.click();
      await look(path);
    }
    await page.goto(`${instance.url}/console`);
    await page.getByLabel("Bearer token").fill(ADMIN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    const paths = [...TOOL_PATHS, "/console/services/voice", "/console/try?operation=voice.SendVoiceMessage"];
    for (const path of paths) {
      await page.goto(instance.url + path);
      await look(path);
    }
    expect(broken).toEqual({});
    expect([...hosts]).toEqual([new URL(instance.url).host]);
    expect(complaints).toEqual([]);
    await context.close();
  },
  300_000,
);

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
  const { context, page } = await openConsole(browser, instance, "/console/requests?text=onerror", {
    token: ADMIN,
  });
  for (const row of await page.getByRole("option").all()) {
    await row.click();
    await page.getByRole("article").waitFor();
    await page.evaluate("for (const part of document.querySelectorAll('article details')) part.open = true");
  }
  await page.getByText("onerror").first().waitFor();
  for (const path of TOOL_PATHS) {
    await page.goto(instance.url + path);
    await page.locator(".waiting").first().waitFor({ state: "detached" });
  }
  expect(await page.evaluate("window.struck")).toBeUndefined();
  await context.close();
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
    route.fulfill({ contentType: "text/html", body: `<iframe src="${instance.url}/console"></iframe>` }),
  );
  await elsewhere.goto("http://elsewhere.example/");
  const framed = elsewhere.frames()[1];
  expect(await framed?.locator("text=Medley").count()).toBe(0);
  const told = await elsewhere.evaluate(
    `fetch("${instance.url}/_medley/clock/freeze", { method: "POST", credentials: "include", mode: "no-cors" }).then(() => "sent", () => "refused")`,
  );
  expect(["sent", "refused"]).toContain(told);
  expect((await instance.bearer("GET", "/_medley/clock")).body.frozen).toBe(false);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Bearer token").waitFor();
  const whole = { headers: { ...stolen.headers, "x-medley-csrf": csrf } };
  expect((await instance.send("GET", "/_medley/requests", whole)).status).toBe(401);
  await context.close();
});
