/** The console by keyboard alone, enlarged, without motion, and when things go wrong: nobody loses their place, and everybody is told what to do. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import {
  type ConsoleVisit,
  openConsole,
  overflowOf,
  problemsOn,
  TOOL_PATHS,
  walkTo,
} from "../support/console.ts";
import { pause } from "../support/eventually.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

const ADMIN = "first-token-0001";
const STOPS_MAX = 120;
/** Rows and links of one list are alike. */
const STOPS_OF_PAGE_MAX = 40;
let instance: Instance;
let browser: Browser;
let visit: ConsoleVisit;
let page: Page;
beforeAll(async () => {
  instance = await startInstance({ services: ["braille", "scheduler", "resource-groups", "voice"] });
  browser = await launchBrowser();
  visit = await openConsole(browser, instance, "/console", { token: ADMIN, reducedMotion: "reduce" });
  ({ page } = visit);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
type Stop = { readonly name: string; readonly isMarked: boolean; readonly isInView: boolean };
/** What has the keyboard: its name, and whether one sees where one is. */
const here = () =>
  page.evaluate(`(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return null;
    const drawn = [at, at.nextElementSibling, at.closest("label")].filter(Boolean).map((one) => getComputedStyle(one));
    const { top, bottom } = at.getBoundingClientRect();
    return {
      name: (at.getAttribute("aria-label") || at.labels?.[0]?.textContent || at.textContent || "").trim(),
      isMarked: drawn.some((one) => one.outlineStyle !== "none" && parseFloat(one.outlineWidth) > 0),
      isInView: bottom > 0 && top < innerHeight,
    };
  })()`) as Promise<Stop | null>;
const nameHere = async () => (await here())?.name ?? "";
const dialog = () => page.getByRole("dialog");
/** Tab after tab, until something of that name has the keyboard. */
async function tabTo(name: RegExp): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await press("Tab");
    if (name.test(await nameHere())) return;
  }
  throw new Error(`no tab leads to ${name}`);
}

it("says where nothing is yet what to do first, and loads the demo data at the press of a button", async () => {
  for (const [path, title] of [
    ["/console/requests", "No requests yet"],
    ["/console/resources", "No resources yet"],
    ["/console/outbox", "No messages yet"],
  ] as const) {
    await walkTo(page, path);
    await page.getByRole("heading", { name: title }).waitFor();
    await page.getByRole("button", { name: "Load the demo data" }).waitFor();
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await walkTo(page, "/console");
  const words = page.getByText("Load the demo data: a few resources");
  await words.waitFor();
  expect((await words.boundingBox())?.width, "not one word a line").toBeGreaterThan(180);
  await page.setViewportSize({ width: 1280, height: 800 });
  await walkTo(page, "/console/outbox");
  await page.getByRole("button", { name: "Load the demo data" }).click();
  await page.getByRole("region", { name: "Outgoing messages" }).locator(".row-button").first().waitFor();
});

it("leads by tabs through every page: each stop has a name, is marked and in view; the first skips the bars", async () => {
  const wrong: Record<string, unknown> = {};
  const follow = async (path: string) => {
    const stops: Stop[] = [];
    for (let at = await here(); at !== null && stops.length < STOPS_OF_PAGE_MAX; at = await here()) {
      stops.push(at);
      await press("Tab");
    }
    const bad = stops.filter(({ name, isMarked, isInView }) => name === "" || !isMarked || !isInView);
    if (bad.length > 0) wrong[path] = bad;
    return stops;
  };
  await press("Tab");
  await page.evaluate("document.querySelector('.skip').focus()");
  const [first, , search] = await follow("the bars");
  expect([first?.name, search?.name]).toEqual(["Skip to content", expect.stringMatching(/^Search/)]);
  for (const path of TOOL_PATHS) {
    await walkTo(page, path);
    await page.evaluate("document.querySelector('.skip').focus()");
    await press("Enter", "Tab");
    expect(await page.evaluate("document.querySelector('main').contains(document.activeElement)")).toBe(true);
    expect([path, (await follow(path)).length > 0]).toEqual([path, true]);
  }
  expect(wrong).toEqual({});
});

it("finds by Ctrl K what is typed at once, by arrows and Enter, and Escape leads back to where one was", async () => {
  await walkTo(page, "/console/credentials");
  await tabTo(/^New credential$/);
  await press("Control+k");
  await page.keyboard.type("outb");
  const box = dialog().getByRole("combobox");
  expect(await box.inputValue()).toBe("outb");
  await press("Escape");
  await dialog().waitFor({ state: "detached" });
  expect(await nameHere()).toBe("New credential");
  await press("Control+k");
  await page.keyboard.type("jo");
  // Closed and opened again before the browser has told of the first.
  await page.evaluate(`(async () => {
    const press = (at, key, ctrlKey) => at.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
    press(document.querySelector("dialog input"), "Escape", false);
    while (document.querySelector("dialog")) await undefined;
    press(document.body, "k", true);
  })()`);
  await page.keyboard.type("jobs");
  await dialog().getByRole("option", { name: "Jobs" }).first().waitFor();
  await press("ArrowDown", "ArrowUp", "Enter");
  await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
});

it("goes through tables by arrows; dialogs keep the keyboard and give it back, also when what opened them is gone", async () => {
  await walkTo(page, "/console/resources");
  const rows = page.getByRole("region", { name: "Resources" }).locator(".row-button");
  await rows.first().focus();
  await press("ArrowDown");
  expect(await nameHere()).toBe(await rows.nth(1).textContent());
  await press("ArrowUp", "ArrowUp");
  expect(await nameHere()).toBe(await rows.first().textContent());
  await walkTo(page, "/console/credentials");
  await tabTo(/^New credential$/);
  await press("Enter");
  await dialog().waitFor();
  for (let stop = 0; stop < 12; stop += 1) {
    await press("Tab");
    const isOutside = await page.evaluate(
      "!document.activeElement.closest('dialog') && document.activeElement !== document.body",
    );
    expect(isOutside).toBe(false);
  }
  await dialog().getByRole("button", { name: "Cancel" }).focus();
  await press("Enter");
  await dialog().waitFor({ state: "detached" });
  expect(await nameHere()).toBe("New credential");
  const made = await instance.bearer("POST", "/_medley/credentials", {
    body: { kind: "token", scopes: ["braille:*"] },
  });
  expect(made.status).toBe(201);
  await walkTo(page, "/console/jobs");
  await walkTo(page, "/console/credentials");
  const row = page.getByRole("listitem").filter({ hasText: "only braille:*" });
  await row.getByRole("button", { name: /^Revoke/ }).focus();
  await press("Enter");
  await dialog().getByRole("button", { name: "Revoke" }).focus();
  await press("Enter");
  await row.waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.id")).toBe("content");
});

it("keeps to the rules in every dialog, light and dark, on a phone and on a desk", async () => {
  const wrong: Record<string, readonly string[]> = {};
  const look = async (name: string) => {
    await dialog().waitFor();
    await page.locator(".waiting").first().waitFor({ state: "detached" });
    for (const [colorScheme, width] of [
      ["light", 320],
      ["dark", 1440],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect([name, width, await dialog().isVisible()]).toEqual([name, width, true]);
      const cut = (await page.evaluate(
        "[...document.querySelectorAll('dialog, dialog .scroller')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className)",
      )) as string[];
      const found = [...(await problemsOn(page, "dialog")), ...cut.map((part) => `${part} is cut`)];
      if (found.length > 0) wrong[`${name} ${width}`] = found;
    }
    await press("Escape");
    await dialog().waitFor({ state: "detached" });
  };
  const open = async (path: string, button: string | RegExp) => {
    await walkTo(page, path);
    await page.getByRole("main").getByRole("button", { name: button }).first().click();
  };
  await walkTo(page, "/console/state");
  await page.getByLabel("Name of the snapshot").fill("of a dialog");
  await page.getByRole("button", { name: "Take a snapshot" }).click();
  await page.getByText("of a dialog").waitFor();
  await open("/console/state", "Reset");
  await look("reset");
  await open("/console/state", "Restore");
  await look("go back");
  await open("/console/state", "Delete of a dialog");
  await look("delete a snapshot");
  await page.locator("input[type=file]").setInputFiles({
    name: "wrong.ndjson",
    mimeType: "text/plain",
    buffer: Buffer.from("nothing of the kind"),
  });
  await look("import");
  await open("/console/credentials", "New credential");
  await look("new credential");
  await open("/console/credentials", "Policies");
  await look("policies");
  await open("/console/credentials", /^Revoke/);
  await look("revoke");
  await open("/console/services/voice", /^5eed/);
  await look("a row of a service");
  await walkTo(page, "/console/resources?type=Vendor%3A%3AResourceGroups%3A%3AGroup");
  await page.getByRole("region", { name: "Resources" }).locator(".row-button").first().click();
  await page.getByRole("article").getByRole("button", { name: "Delete" }).click();
  await look("delete");
  await press("Control+k");
  await look("search");
  expect(wrong).toEqual({});
});

it("reads enlarged to twice its size, and moves nothing for those who want no motion", async () => {
  const { context, page: large } = await openConsole(browser, instance, "/console", {
    token: ADMIN,
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
  });
  for (const path of TOOL_PATHS) {
    await walkTo(large, path);
    const moving = await large.evaluate(
      "document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 1).length",
    );
    expect([path, await overflowOf(large), moving]).toEqual([path, 0, 0]);
  }
  await context.close();
});

it("says where nothing is what to do, and what is gone can be left, also on a phone", async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [path, sentence] of [
    ["/console/requests?id=none", "There is no request none"],
    ["/console/jobs?id=none", "There is no job none"],
    ["/console/outbox?id=none", "There is no message none"],
    ["/console/resources?arn=arn%3Anone", "There is no resource arn:none"],
  ] as const) {
    await walkTo(page, path);
    await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
    await page.getByRole("main").getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: sentence }).waitFor({ state: "detached" });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of [
    "/console/jobs?kind=none",
    "/console/outbox?target=none",
    "/console/resources?text=none-such",
  ]) {
    await walkTo(page, path);
    await page.getByRole("heading", { name: "Nothing fits the filter" }).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.locator(".row-button").first().waitFor();
  }
  await walkTo(page, "/console/try?operation=braille.none");
  await page.getByRole("heading", { name: "There is no such operation" }).waitFor();
  await walkTo(page, "/console/try?operation=none.such");
  await page.getByRole("alert").filter({ hasText: "none" }).waitFor();
});

it("says that the server does not answer, and goes on by itself when it does again", async () => {
  const goTo = (tool: string) =>
    page.getByRole("navigation").getByRole("link", { name: tool, exact: true }).click();
  await walkTo(page, "/console/time");
  await visit.context.setOffline(true);
  await page.getByRole("button", { name: "1 h", exact: true }).click();
  await page.getByText("then try once more").waitFor();
  const said = page.getByRole("alert").getByText("this page goes on as soon as it does");
  await said.waitFor();
  await goTo("State");
  await page.getByRole("heading", { name: "State", level: 1 }).waitFor();
  expect(await page.getByText("of a dialog").count()).toBe(0);
  await visit.context.setOffline(false);
  await page.getByText("of a dialog").waitFor();
  await said.waitFor({ state: "detached" });
});

it("shows what takes longer to be answered than it rests between questions", async () => {
  await walkTo(page, "/console/jobs");
  await page.route(/_medley\/clock$/, async (route) => {
    await pause(2500);
    await route.continue();
  });
  await walkTo(page, "/console/time");
  await page.getByRole("main").locator("time.big-time").waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("keeps a list that stands still when its stream breaks: what came meanwhile waits, each once", async () => {
  const line = await TcpProxy.start(Number(new URL(instance.url).port));
  const through = { url: line.through(`${instance.url}/`).slice(0, -1) };
  const path = "/console/requests?text=stream%3D";
  const { context, page } = await openConsole(browser, through, path, { token: ADMIN });
  const rows = page.getByRole("listbox", { name: "Requests" }).getByRole("option");
  const ask = (word: string) => instance.bearer("GET", `/_medley/services?stream=${word}`);
  const state = (text: string) => page.getByRole("status").getByText(text, { exact: true });
  await ask("before");
  await rows.first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await context.setOffline(true);
  line.cut();
  await state("Interrupted").waitFor();
  await ask("during");
  await context.setOffline(false);
  await state("1 more waiting").waitFor();
  await ask("after");
  await state("2 more waiting").waitFor();
  expect(await rows.count()).toBe(1);
  await page.getByRole("button", { name: "Go on" }).click();
  await state("Live").waitFor();
  const addresses = ["after", "during", "before"].map((word) => `/_medley/services?stream=${word}`);
  await expect.poll(() => rows.locator(".url").allTextContents()).toEqual(addresses);
  await context.close();
  await line.stop();
});
