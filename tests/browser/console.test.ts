/** The console in a real Chromium: sign-in, live requests, trying operations, services' views, documentation. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import {
  type ConsoleVisit,
  openConsole,
  overflowOf,
  problemsOn,
  signIn,
  walkTo,
} from "../support/console.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { Groups, tagQuery } from "../support/resource-groups.ts";

const ADMIN = "first-token-0001";
const OTHER = "second-token-0002";
let instance: Instance;
let browser: Browser;
let visit: ConsoleVisit | undefined;
/** One visit is good for all that is done by the same person. */
const walk = async (path: string, width = 1280): Promise<Page> => {
  visit ??= await openConsole(browser, instance, "/console", { token: ADMIN });
  await visit.page.setViewportSize({ width, height: 800 });
  await walkTo(visit.page, path);
  return visit.page;
};
beforeAll(async () => {
  instance = await startInstance();
  await instance.bearer("POST", "/_medley/seed", {
    body: { services: ["identity", "scheduler", "resource-groups", "voice"] },
  });
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it("leads from the root to the console; a wrong token is told, others see their own requests, sign-out ends it", async () => {
  const { context, page, complaints } = await openConsole(browser, instance, "/");
  expect(new URL(page.url()).pathname).toBe("/console");
  await page.getByRole("heading", { name: "Services" }).first().waitFor();
  await page.getByLabel("Bearer token").fill("nonsense");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This token is not valid.").waitFor();
  await instance.apiKey("X-Vendor-Api-Secret", "GET", "/braille/tables?of=second", { as: "second" });
  await instance.apiKey("X-Vendor-Api-Secret", "GET", "/braille/tables?of=first");
  await new Groups(() => instance, "us-east-1", "second").create({
    Name: "theirs",
    ResourceQuery: tagQuery({ stage: ["test"] }),
  });
  await signIn(page, OTHER);
  await page.getByRole("link", { name: "Requests", exact: true }).click();
  await page.getByRole("option", { name: "of=second" }).waitFor();
  expect(await page.getByText("of=first").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Faults" }).count()).toBe(0);
  await walkTo(page, "/console/resources");
  await page
    .getByRole("region", { name: "Resources" })
    .getByRole("button", { name: /theirs/ })
    .click();
  const toService = page.getByRole("article").getByRole("link", { name: "Service", exact: true });
  expect(await toService.getAttribute("href")).toBe("/console/docs/resource-groups");
  await page.getByRole("button", { name: "Close this resource" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, ADMIN);
  await page.getByRole("link", { name: "Requests", exact: true }).click();
  await page.getByRole("option", { name: "of=second" }).waitFor();
  await instance.send("GET", "/braille/no-such-thing?seen=live");
  await page.getByRole("option", { name: "/braille/no-such-thing?seen=live" }).waitFor();
  const kept = (await page.evaluate(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
  )) as string;
  expect(kept).toBe('[{},{},""]');
  expect(complaints.filter((text) => !/40[13]/.test(text))).toEqual([]);
  await context.close();
});

it.each([320, 1280])(
  "shows a request with a long address within %i pixels, and all of it when it is opened",
  async (width) => {
    const page = await walk("/console/requests", width);
    const address = `/braille/no-such-thing?seen=${width}&${"long".repeat(200)}`;
    await instance.send("GET", address, { headers: { "x-note": "seen in the row" } });
    const row = page.getByRole("option", { name: `seen=${width}` });
    const status = await row.getByText("404", { exact: true }).boundingBox();
    expect((status?.x ?? width) + (status?.width ?? width)).toBeLessThanOrEqual(width);
    await row.click();
    const opened = page.getByRole("article");
    await opened
      .getByText(/\d headers/)
      .last()
      .click();
    await opened.getByText("seen in the row").waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await problemsOn(page)).toEqual([]);
    await opened.getByRole("button", { name: "Close this request" }).click();
    await opened.waitFor({ state: "detached" });
  },
);

it("a person signs in by name and password; whose session has ended is told so", async () => {
  const { context, page } = await openConsole(browser, instance, "/console");
  await page.getByRole("radio", { name: "Name and password" }).check({ force: true });
  await page.getByLabel("User name or e-mail").fill("ann");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The name or the password is wrong.").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(accounts.first.users[0]?.password ?? "");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  const { credential } = (await instance.bearer("POST", "/_medley/credentials", { body: { kind: "token" } }))
    .body;
  await page.getByRole("radio", { name: "Token" }).check({ force: true });
  await page.getByLabel("Bearer token").fill(credential.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
  const { id } = (await instance.bearer("GET", "/_medley/credentials")).body.accounts
    .flatMap((account: { credentials: { id: string; createdAt: string }[] }) => account.credentials)
    .sort((a: { createdAt: string }, b: { createdAt: string }) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  await instance.bearer("DELETE", `/_medley/credentials?id=${id}`);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Your session is over").waitFor();
  await context.close();
});

it("goes through the requests by keyboard, filters, pauses, sends again and compares", async () => {
  for (const word of ["one", "two", "three"])
    await instance.apiKey("X-Vendor-Api-Secret", "GET", `/braille/tables?keys=${word}`);
  const page = await walk("/console/requests?text=keys%3D");
  const list = page.getByRole("listbox", { name: "Requests" });
  await list.getByRole("option").nth(2).waitFor();
  await list.focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("article", { name: "keys=three" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("article", { name: "keys=two" }).waitFor();
  await page.getByRole("article").getByText("braille.").first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await instance.apiKey("X-Vendor-Api-Secret", "GET", "/braille/tables?keys=four");
  await page.getByText("1 more waiting").waitFor();
  expect(await list.getByRole("option", { name: "keys=four" }).count()).toBe(0);
  await page.getByRole("button", { name: "Go on" }).click();
  await list.getByRole("option", { name: "keys=four" }).waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => list.getByRole("option", { name: "keys=two" }).count()).toBe(2);
  await page.getByRole("button", { name: "Compare" }).click();
  await list.getByRole("option", { name: "keys=three" }).click();
  await page.getByRole("article", { name: "Comparison" }).getByText("only in the second: ").first().waitFor();
  await page.getByLabel("Text").fill("no such text anywhere");
  await page.getByRole("heading", { name: "Nothing fits the filter" }).waitFor();
});

it("draws of very many requests those in view, and finds its way to all of them", async () => {
  const MANY = 200;
  await Promise.all(
    Array.from({ length: MANY }, (_none, at) => instance.send("GET", `/braille/none?many=${at}`)),
  );
  const { context, page } = await openConsole(browser, instance, "/console/requests?text=many%3D", {
    token: ADMIN,
    viewport: { width: 1280, height: 600 },
  });
  const list = page.getByRole("listbox", { name: "Requests" });
  await list.getByRole("option").first().waitFor();
  expect(await list.getByRole("option").count()).toBeLessThan(60);
  const last = list.locator(`[aria-posinset="${MANY}"]`);
  expect(await last.count()).toBe(0);
  await list.focus();
  await page.keyboard.press("End");
  await last.waitFor();
  expect(await last.getAttribute("aria-selected")).toBe("true");
  expect(await last.getAttribute("aria-setsize")).toBe(String(MANY));
  await expect.poll(() => list.getAttribute("aria-activedescendant")).toBe(await last.getAttribute("id"));
  await page.keyboard.press("Home");
  await list.locator('[aria-posinset="1"][aria-selected="true"]').waitFor();
  expect(await last.count()).toBe(0);
  expect(await list.getByRole("option").count()).toBeLessThan(60);
  await context.close();
});

it("leaves its own requests out, but not those of others to the same interface", async () => {
  await instance.bearer("GET", "/_medley/requests?limit=1");
  const page = await walk("/console/requests?");
  await page.getByRole("option", { name: "/_medley/requests?limit=1", exact: false }).first().waitFor();
  const shown = await page.locator(".request-row .url").allTextContents();
  expect(shown.filter((text) => /^\/(?:console|$)|limit=500|stream|session/.test(text))).toEqual([]);
  await page.getByLabel("Console's own").check();
  await page.getByRole("option", { name: "/_medley/session" }).first().waitFor();
  await page.getByLabel("Console's own").uncheck();
});

it("tries an operation by its form, signed on the server's side, and edits what was sent", async () => {
  const page = await walk("/console/try?operation=resource-groups.GetGroup");
  await page
    .getByLabel(/^Group\b(?!Name)/)
    .first()
    .fill("production");
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  await answer.getByText("200", { exact: true }).first().waitFor();
  await answer.getByRole("link", { name: "Open in Requests" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Body").fill('{"Group":"no-such-group"}');
  await page.getByRole("button", { name: "Send" }).click();
  await page
    .getByRole("region", { name: "Answer", exact: true })
    .getByText("404", { exact: true })
    .first()
    .waitFor();
});

it("shows what a service holds within the width of a phone", async () => {
  for (const service of ["identity", "scheduler", "resource-groups"]) {
    const page = await walk(`/console/services/${service}`, 320);
    await page.locator(".panel tbody tr").first().waitFor();
    expect([service, await problemsOn(page)]).toEqual([service, []]);
  }
});

it("tells a browser by a page that there is none", async () => {
  const { context, page } = await openConsole(browser, instance, "/console/nowhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("link", { name: "To the console" }).click();
  expect(new URL(page.url()).pathname).toBe("/console");
  await context.close();
});

it("shows documentation to everybody, and what a service holds to whoever signs in", async () => {
  const { context, page } = await openConsole(browser, instance, "/console/docs");
  await page.getByRole("main").getByRole("link", { name: "Voice messages" }).click();
  await page.locator("details.operation summary").first().click();
  await page.getByText("curl", { exact: false }).first().waitFor();
  await page.getByRole("link", { name: "Its tables in the console" }).click();
  await signIn(page, ADMIN);
  await page.getByRole("heading", { name: "Calls" }).waitFor();
  expect(await page.getByRole("region", { name: "Calls" }).locator("tbody tr").count()).toBe(3);
  await context.close();
});

it("serves documentation to browsers without script", async () => {
  const { context, page } = await openConsole(browser, instance, "/console/docs/braille", {
    javaScriptEnabled: false,
  });
  await page.locator("details.operation summary").first().click();
  await page.getByRole("link", { name: "Parameters, answers and errors" }).first().click();
  await page.getByText("curl", { exact: false }).first().waitFor();
  await context.close();
});
