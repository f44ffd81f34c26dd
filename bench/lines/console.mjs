/** The console in a real browser: what the first view weighs and how long it takes, and what is done with very much in view. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { startServer, token } from "../load.mjs";
import { startPostgres } from "../postgres.mjs";

const FIRST_VIEW_KB_MAX = 150;
const FIRST_VIEW_MS_MAX = 300;
const INTERACTION_MS_MAX = 100;
const ROUNDS = 7;
const REQUESTS = 500;
const FIRST = ["main.tsx", "style.css"];
const admin = { authorization: `Bearer ${token}` };

const packedBytes = (file) => gzipSync(readFileSync(`dist/console/${file}`), { level: 9 }).length;
const middleOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Everything that is loaded before the first view stands, with what its pieces import. */
function firstBytes() {
  const manifest = JSON.parse(readFileSync("dist/console/manifest.json", "utf8"));
  const needed = new Set();
  const add = (name) => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of manifest[name].imports ?? []) add(other);
  };
  for (const name of FIRST) add(name);
  return [...needed].reduce((sum, name) => sum + packedBytes(manifest[name].file), 0);
}

const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
async function signedIn(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await page.getByLabel("Bearer token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  return page;
}

/** From the address to the overview with its services, as a browser with an empty cache sees it. */
async function firstViewMs(browser, url) {
  const times = [];
  for (let visit = 0; visit < ROUNDS; visit += 1) {
    const page = await signedIn(browser, url);
    const cache = await page.context().newCDPSession(page);
    await cache.send("Network.clearBrowserCache");
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(".tile")) return;
        observer.disconnect();
        // The next frame shows it; it was drawn when the one after that begins.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            globalThis.firstViewMs = performance.now();
          }),
        );
      });
      observer.observe(document, { subtree: true, childList: true });
    });
    await page.goto(`${url}/console`, { waitUntil: "commit" });
    times.push(await page.waitForFunction(() => globalThis.firstViewMs).then((held) => held.jsonValue()));
    await page.context().close();
  }
  return middleOf(times);
}

const KINDS = Array.from({ length: 20 }, (_, at) => `Vendor::Bench::Kind${String(at).padStart(2, "0")}`);
const markOf = (kind, number) => `k${String(kind).padStart(2, "0")}-${String(number).padStart(6, "0")}`;
/** Clones one registered resource of each kind by way of a state import. */
async function fill(url, resources) {
  const marks = KINDS.map((_, at) => markOf(at, 0));
  for (const [at, type] of KINDS.entries()) {
    const body = {
      arn: `arn:vendor:bench:us-east-1:111111111111:thing/${marks[at]}`,
      type,
      name: `thing ${marks[at]}`,
      region: "us-east-1",
      tags: { stage: at % 2 === 0 ? "test" : "live" },
    };
    await fetch(`${url}/_medley/resources`, {
      method: "PUT",
      headers: { ...admin, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
  const lines = (await (await fetch(`${url}/_medley/state`, { headers: admin })).text()).trim().split("\n");
  // Its checksum would not fit what is added.
  lines[0] = JSON.stringify({ ...JSON.parse(lines[0]), check: undefined });
  const own = marks.map((mark) => lines.filter((line) => line.includes(mark)));
  for (let made = marks.length; made < resources; made += 1) {
    const at = made % marks.length;
    const mark = markOf(at, Math.floor(made / marks.length));
    for (const line of own[at]) lines.push(line.replaceAll(marks[at], mark));
  }
  const body = `${lines.join("\n")}\n`;
  const { status } = await fetch(`${url}/_medley/state`, { method: "PUT", headers: admin, body });
  if (status !== 200) throw new Error(`filling the catalogue was refused with ${status}`);
}

/**
 * In the page: from what is done to the frame that shows what comes of it. Whether it is there is looked at when something has
 * changed: to look in every frame would keep the browser drawing. Told as text, because the page lets nothing be made of text.
 */
const timed = (act, isDone) => `new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (!(${isDone})) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - before)));
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const before = performance.now();
  { ${act} }
})`;
/** Nobody clicks before a page has come to rest. */
const AT_REST = "new Promise((resolve) => requestIdleCallback(resolve))";

const TYPE = (text) => `const box = document.querySelector('input[type="search"]');
  box.value = ${JSON.stringify(text)};
  box.dispatchEvent(new Event("input", { bubbles: true }));`;
const CLICK = (what) => `document.querySelector(${JSON.stringify(what)}).click();`;
const FIRST_ROW = 'document.querySelector(".table-list tbody tr")?.textContent';
const SETTLED = 'document.querySelector(".table-list")?.getAttribute("aria-busy") === "false"';
const press = (key) =>
  `document.querySelector('[role="listbox"]').dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }));`;

/** Where it begins, what is done, and by what it can be seen. */
const interactionsWith = (resources) => [
  [
    "resources sorted by name, downwards",
    "/console/resources?sort=name",
    CLICK("th .sort"),
    `${SETTLED} && ${FIRST_ROW}.includes("${markOf(19, resources / KINDS.length - 1)}")`,
  ],
  [
    "resources sorted by change",
    "/console/resources?sort=name",
    CLICK("th:last-child .sort"),
    `${SETTLED} && document.querySelector('th:last-child').ariaSort === "ascending"`,
  ],
  [
    "a kind chosen in the tree",
    "/console/resources?sort=name",
    CLICK('.tree a[href*="Kind15"]'),
    `${SETTLED} && ${FIRST_ROW}.includes("k15-000000")`,
  ],
  [
    "a text that one resource has",
    "/console/resources?sort=name",
    TYPE(markOf(7, Math.floor(resources / KINDS.length / 2))),
    `${SETTLED} && document.querySelectorAll(".table-list tbody tr").length === 1`,
  ],
  [
    "a text that nothing has",
    "/console/resources",
    TYPE("nowhere"),
    'document.querySelector(".empty") !== null',
  ],
  [
    "a text that every other resource has",
    "/console/resources?sort=-updated",
    TYPE("k0"),
    `${SETTLED} && ${FIRST_ROW}.includes("k0")`,
  ],
  [
    "a resource opened",
    "/console/resources",
    CLICK(".table-list tbody tr"),
    'document.querySelector("article.inspector") !== null',
  ],
  [
    `the next of ${REQUESTS} requests opened`,
    "/console/requests?text=seen%3D",
    press("ArrowDown"),
    'document.querySelector("article.inspector") !== null',
  ],
  [
    `the last of ${REQUESTS} requests opened`,
    "/console/requests?text=seen%3D",
    press("End"),
    'document.querySelector("article.inspector") !== null',
  ],
  [
    `${REQUESTS} requests filtered by text`,
    "/console/requests?text=seen%3D",
    TYPE("seen=123&"),
    'document.querySelectorAll(".request-row").length === 1',
  ],
];

async function interactionLines(browser, resources, where, options) {
  const server = await startServer("product", options);
  try {
    await fill(server.url, resources);
    for (let at = 0; at < REQUESTS; at += 1) await fetch(`${server.url}/braille/none?seen=${at}&`);
    const page = await signedIn(browser, server.url);
    const lines = [];
    for (const [name, path, act, isDone] of interactionsWith(resources)) {
      const times = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await page.goto(server.url + path);
        await page.locator(".table-list tbody tr, .request-row").nth(20).waitFor();
        if (path.includes("resources")) await page.locator(".tree a").nth(20).waitFor();
        await page.evaluate(AT_REST);
        times.push(await page.evaluate(timed(act, isDone)));
      }
      const ms = middleOf(times);
      lines.push({
        line: `console: ${name}, ${resources} resources, ${where} (median of ${ROUNDS})`,
        value: `${Math.round(ms)} ms`,
        measured: ms,
        atMost: INTERACTION_MS_MAX,
      });
    }
    await page.context().close();
    return lines;
  } finally {
    server.stop();
  }
}

export async function consoleLines({ product }, resources) {
  const kilobytes = firstBytes() / 1000;
  const browser = await launch();
  const data = mkdtempSync(join(tmpdir(), "medley-bench-console-"));
  const postgres = await startPostgres();
  try {
    const ms = await firstViewMs(browser, product.url);
    return [
      {
        line: "console: first view, gzipped",
        value: `${kilobytes.toFixed(1)} KB`,
        measured: kilobytes,
        atMost: FIRST_VIEW_KB_MAX,
      },
      {
        line: `console: first view in Chromium, empty cache (median of ${ROUNDS})`,
        value: `${Math.round(ms)} ms`,
        measured: ms,
        atMost: FIRST_VIEW_MS_MAX,
      },
      ...(await interactionLines(browser, resources, "SQLite", { data: join(data, "sqlite") })),
      ...(await interactionLines(browser, resources, "PostgreSQL", {
        data: join(data, "postgres"),
        database: postgres.url,
      })),
    ];
  } finally {
    await browser.close();
    await postgres.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
