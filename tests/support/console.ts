/** The console in a browser: signed in, and held against the rules for accessible pages. */
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";
import { type Visit, visit } from "./browser.ts";
import type { Instance } from "./medley.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Nobody sees less than this, of a window's height and width together. */
const SHIFT_MAX = 0.005;

export const TOOL_PATHS = [
  "/console",
  "/console/requests",
  "/console/try",
  "/console/resources",
  "/console/time",
  "/console/jobs",
  "/console/outbox",
  "/console/faults",
  "/console/state",
  "/console/credentials",
  "/console/metrics",
];

/** `complaints`: what the browser's own console said, but for answers that were refused on purpose. */
export type ConsoleVisit = Visit & {
  readonly complaints: readonly string[];
  readonly hosts: ReadonlySet<string>;
};

export async function openConsole(
  browser: Browser,
  instance: Pick<Instance, "url">,
  path: string,
  { token, ...options }: BrowserContextOptions & { readonly token?: string } = {},
): Promise<ConsoleVisit> {
  const { context, page } = await visit(browser, options);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith("blob:")) hosts.add(new URL(request.url()).host);
  });
  await page.goto(instance.url + path);
  if (token !== undefined) await signIn(page, token);
  return { context, page, complaints, hosts };
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Bearer token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

/** Adds up by how much what was there moved, without anybody having done anything. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.shifted = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput)
          window.shifted.push({ value, what: sources.map(({ node }) => (node?.nodeName ?? "") + "." + (node?.className ?? "")) });
    }).observe({ type: "layout-shift", buffered: true });`);
}
export async function shiftsOn(page: Page | Frame): Promise<string[]> {
  const shifted = (await page.evaluate("window.shifted")) as { value: number; what: string[] }[];
  const whole = shifted.reduce((sum, { value }) => sum + value, 0);
  return whole < SHIFT_MAX ? [] : [`moves by ${whole}: ${shifted.flatMap(({ what }) => what).join(", ")}`];
}

/** To another page of the app, as a link in it leads there: nothing is loaded anew. Done when it shows what it has. */
export async function walkTo(page: Page, path: string): Promise<void> {
  const { pathname } = new URL(path, "http://localhost");
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await page.locator(`nav [aria-current=page][href="${pathname}"]`).waitFor({ state: "attached" });
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await settled(page);
}
/** What is asked for is there, and no table shows what was asked before. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  await page.locator(".waiting").first().waitFor({ state: "detached" });
  await page.locator(".table-list[aria-busy=true]").first().waitFor({ state: "detached" });
}

export const overflowOf = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - window.innerWidth") as Promise<number>;

/** `part`: what of the page, as axe takes it: a selector, or what to leave out. */
export async function problemsOn(
  page: Page,
  part?: string | { readonly exclude: readonly string[] },
): Promise<string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate("'axe' in window"))) await frame.evaluate(axe.source);
  const found = (await page.evaluate(
    `axe.run(${part === undefined ? "document" : JSON.stringify(part)}, { preload: false, runOnly: ${JSON.stringify(RULES)}, resultTypes: ["violations"] }).then((result) => result.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")))`,
  )) as string[];
  const overflow = await overflowOf(page);
  return [...found, ...(overflow > 0 ? [`scrolls sideways by ${overflow}`] : [])];
}
