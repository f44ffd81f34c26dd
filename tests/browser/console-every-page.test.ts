/**
 * Every page that the console links to, with the demo data: accessible in both looks, no page is wider than the window,
 * nothing moves while it loads, and values are shown as people write them.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import {
  type ConsoleVisit,
  openConsole,
  problemsOn,
  settled,
  shiftsOn,
  TOOL_PATHS,
  walkTo,
  watchShifts,
} from "../support/console.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

/** Light on a phone while it loads, then dark on a desk without loading it anew. */
const LOOKS = [
  ["light", 390],
  ["dark", 1440],
] as const;
let instance: Instance;
let browser: Browser;
let visit: ConsoleVisit;
/** What is wrong, by page. */
const broken: Record<string, readonly string[]> = {};
const note = (name: string, problems: readonly string[]) => {
  if (problems.length > 0) broken[name] = [...(broken[name] ?? []), ...problems];
};

beforeAll(async () => {
  instance = await startInstance();
  const seeded = await instance.bearer("POST", "/_medley/seed", { body: {} });
  expect(seeded.status, seeded.text).toBe(200);
  browser = await launchBrowser();
  visit = await openConsole(browser, instance, "/console", {
    token: accounts.first.tokens[0] as string,
    reducedMotion: "reduce",
  });
  await watchShifts(visit.page);
}, 900_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

async function turnTo(page: Page, [colorScheme, width]: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
}
/** Texts that only programs write: ISO times, constants, and Markdown that nobody rendered. */
const rawTextsOn = (page: Page) =>
  page.evaluate(`(() => {
    const raw = [];
    const note = (what, found) => found && raw.push(what + ": " + found[0]);
    for (const cell of document.querySelectorAll("main td, main .badge, main .fact-row dd, main .lines, main .lanes")) {
      note("ISO time", /\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d\\S*/.exec(cell.innerText));
      note("constant", /^[A-Z]{2,}(?:_[A-Z]+)+$/m.exec(cell.innerText));
    }
    note("Markdown", /\`[^\`\\n]+\`/.exec(document.querySelector("main")?.innerText ?? ""));
    return [...new Set(raw)];
  })()`) as Promise<string[]>;
/** The bar at the left is the same on all pages. */
async function look(page: Page, name: string, path = name): Promise<void> {
  await turnTo(page, LOOKS[0]);
  await page.goto(instance.url + path);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await settled(page);
  note(name, await shiftsOn(page));
  for (const one of LOOKS) {
    await turnTo(page, one);
    note(`${name}, ${one}`, await problemsOn(page, path === "/console" ? undefined : { exclude: [".side"] }));
    note(`${name}, ${one}`, await rawTextsOn(page));
  }
}
const linksIn = (name: string) =>
  visit.page
    .getByRole("navigation", { name })
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));

it("the console's own pages, also without a session", async () => {
  expect(await linksIn("Tools")).toEqual([...TOOL_PATHS, "/console/docs"]);
  for (const path of await linksIn("Tools")) await look(visit.page, path);
  const { context, page } = await openConsole(browser, instance, "/console", { reducedMotion: "reduce" });
  await watchShifts(page);
  for (const path of ["/console", "/console/docs", "/console/docs/braille", "/console/nowhere"])
    await look(page, `${path} without a session`, path);
  await context.close();
  expect(broken).toEqual({});
}, 600_000);

it("the page of each service, and its documentation", async () => {
  const paths = await linksIn("Services");
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    await look(visit.page, path);
    await look(visit.page, path.replace("/services/", "/docs/"));
  }
  expect(broken).toEqual({});
}, 900_000);

it("what is open beside a list, forms, and the documentation of an operation", async () => {
  const firstOf = async (list: string, member: string, key = "id") =>
    encodeURIComponent((await instance.bearer("GET", `/_medley/${list}`)).body[member][0][key]);
  for (const path of [
    `/console/requests?id=${await firstOf("requests?limit=1", "requests")}`,
    `/console/jobs?id=${await firstOf("jobs?limit=1", "jobs")}`,
    `/console/outbox?id=${await firstOf("outbox?kind=mail", "messages")}`,
    `/console/outbox?id=${await firstOf("outbox?kind=call", "messages")}`,
    `/console/resources?arn=${await firstOf("resources?limit=1", "resources", "arn")}`,
    "/console/try?operation=voice.SendVoiceMessage",
    "/console/docs/bank/bank.CreatePayment",
    "/console/docs/resource-groups/resource-groups.CreateGroup",
  ])
    await look(visit.page, path);
  expect(broken).toEqual({});
}, 600_000);

it("pages that are walked to without loading them anew stand still, too", async () => {
  await turnTo(visit.page, LOOKS[1]);
  for (const path of [...TOOL_PATHS, ...(await linksIn("Services"))]) {
    await visit.page.evaluate("window.shifted.length = 0");
    await walkTo(visit.page, path);
    note(`${path}, walked to`, await shiftsOn(visit.page));
  }
  expect(broken).toEqual({});
  expect([...visit.hosts]).toEqual([new URL(instance.url).host]);
  expect(visit.complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
}, 600_000);
