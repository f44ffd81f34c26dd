/** A function and a backend that want the console's session, opened in a real Chromium by somebody who is signed in. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backend } from "../support/backend.ts";
import { launchBrowser } from "../support/browser.ts";
import { type ConsoleVisit, openConsole } from "../support/console.ts";
import { Functions } from "../support/functions.ts";
import { newGateway } from "../support/gateway.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

/** What the page tries, and what came of it. */
const SCRIPT = `
const attempt = (work) => Promise.resolve().then(work).then((made) => "done: " + made, (error) => "refused: " + error.name);
const main = new URLSearchParams(location.search).get("main");
const read = (path, options) => attempt(async () => {
  const answer = await fetch(main + path, { credentials: "include", ...options });
  return answer.status + " " + (await answer.text());
});
window.outcome = (async () => ({
  origin: location.origin,
  cookie: await attempt(() => { document.cookie = "medley_console=planted; path=/_medley; domain=localhost"; return document.cookie; }),
  many: await attempt(() => { for (let i = 0; i < 400; i += 1) document.cookie = "c" + i + "=1; path=/"; return "set"; }),
  worker: await attempt(async () => {
    const made = await navigator.serviceWorker.register("worker.js", { scope: "/" });
    await made.unregister();
    return made.scope;
  }),
  session: await read("/_medley/session"),
  accounts: await read("/_medley/requests"),
  write: await read("/_medley/state/reset", { method: "POST", mode: "no-cors" }),
  parent: await attempt(() => parent === self ? "none" : parent.document.title),
  opener: await attempt(() => opener === null ? "none" : opener.document.title),
}))();`;
const PAGE = `<!doctype html><title>hostile</title><script>${SCRIPT}</script>`;
const HEADERS: Readonly<Record<string, string | readonly string[]>> = {
  "content-type": "text/html",
  "clear-site-data": '"*"',
  "service-worker-allowed": "/",
  "set-cookie": [
    "medley_console=planted; Path=/_medley",
    "medley_console=planted; Path=/_medley; Domain=localhost",
    ...Array.from({ length: 200 }, (_, index) => `h${index}=1; Path=/`),
  ],
};
const WORKER = "self.addEventListener('fetch', (event) => event.respondWith(new Response('taken over')));";
const SOURCE = `exports.hostile = (request, response) => {
  for (const [name, value] of Object.entries(${JSON.stringify(HEADERS)})) response.setHeader(name, value);
  if (!request.path.endsWith("/worker.js")) return response.end(${JSON.stringify(PAGE)});
  response.setHeader("content-type", "text/javascript");
  response.end(${JSON.stringify(WORKER)});
};`;

const backend = new Backend({
  "/page": (_request, response) => void response.writeHead(200, HEADERS as Record<string, string>).end(PAGE),
  "/worker.js": (_request, response) =>
    void response
      .writeHead(200, { ...HEADERS, "content-type": "text/javascript" } as Record<string, string>)
      .end(WORKER),
});
let instance: Instance;
let browser: Browser;
let visit: ConsoleVisit;
/** Paths of the two programs under this host's name, and the hosts that are theirs. */
const programs: Record<string, { path: string; host: string }> = {};
beforeAll(async () => {
  await backend.start();
  instance = await startInstance({ services: ["functions", "api-diagnostics", "resource-manager"] });
  const { pathname } = new URL(await new Functions(() => instance).running("hostile", { source: SOURCE }));
  programs.function = { path: `${pathname}/page`, host: `${pathname.split("/").at(-1)}.functions.localhost` };
  const { name, api } = newGateway(() => instance, backend);
  await api();
  programs.backend = { path: `/gateway/${name}/orders/page`, host: `${name}.api.localhost` };
  browser = await launchBrowser();
  visit = await openConsole(browser, local(), "/console", { token: accounts.first.tokens[0] });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
  await backend.stop();
});

const port = () => new URL(instance.url).port;
const local = () => ({ url: `http://localhost:${port()}` });
const outcomeOf = async (page: Page): Promise<Record<string, string>> => {
  await page.waitForFunction("window.outcome !== undefined");
  return (await page.evaluate("window.outcome")) as Record<string, string>;
};
/** The console's cookie as it is, and what the console says of it. */
const session = async () => {
  const cookies = (await visit.context.cookies(`${local().url}/_medley/`)).filter(
    ({ path }) => path === "/_medley",
  );
  const signedIn = await visit.page.evaluate(
    "fetch('/_medley/session', { credentials: 'same-origin' }).then((answer) => answer.json()).then((body) => body.signedIn)",
  );
  return { cookies, signedIn };
};

describe.each(["function", "backend"])("a hostile %s", (kind) => {
  it("is sent to an origin of its own, and touches nothing of the console's from there", async () => {
    const { path, host } = programs[kind] as { path: string; host: string };
    const before = await session();
    expect([before.cookies.length, before.signedIn]).toEqual([1, true]);
    const page = await visit.context.newPage();
    await page.goto(`${local().url}${path}?main=${encodeURIComponent(local().url)}`);
    expect(new URL(page.url()).host).toBe(`${host}:${port()}`);
    const outcome = await outcomeOf(page);
    expect(outcome.origin).toBe(`http://${host}:${port()}`);
    // A worker of its own origin is its own affair, below where it lies.
    const isAtRoot = kind === "function";
    expect(outcome.worker).toBe(isAtRoot ? `done: ${outcome.origin}/` : "refused: SecurityError");
    for (const name of ["session", "accounts"])
      expect([name, outcome[name]]).toEqual([name, "refused: TypeError"]);
    expect(await page.evaluate("fetch('/_medley/session').then((answer) => answer.text())")).not.toContain(
      "signedIn",
    );
    await page.close();
    expect(await session()).toEqual(before);
  });
  it("opened by the console's own origin, reads nothing of the page that opened it", async () => {
    const { path, host } = programs[kind] as { path: string; host: string };
    const before = await session();
    const page = await visit.context.newPage();
    await page.goto(`${local().url}/console`);
    const opened = page.waitForEvent("popup");
    await page.evaluate(
      `void window.open(${JSON.stringify(`${path}?main=${encodeURIComponent(local().url)}`)})`,
    );
    const outcome = await outcomeOf(await opened);
    expect([outcome.origin, outcome.opener]).toEqual([
      `http://${host}:${port()}`,
      expect.stringMatching(/^refused: SecurityError$|^done: none$/),
    ]);
    await page.context().pages().at(-1)?.close();
    await page.close();
    expect(await session()).toEqual(before);
  });
  it("asked for by a script or a picture of this origin, sets no cookie and clears nothing", async () => {
    const { path } = programs[kind] as { path: string };
    const before = await session();
    const status = await visit.page.evaluate(
      `fetch(${JSON.stringify(path)}).then((answer) => answer.status)`,
    );
    expect(status).toBe(200);
    expect((await visit.context.cookies(local().url)).map(({ name }) => name)).not.toContain("h1");
    expect(await session()).toEqual(before);
    expect(
      await visit.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)"),
    ).toBe(0);
  });
});
