/** The console: what the first view weighs, and how long it takes until it is there, signed in, in a real browser. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const FIRST_VIEW_KB_MAX = 150;
const FIRST_VIEW_MS_MAX = 300;
const VISITS = 7;
const TOKEN = "first-token-0001";
const FIRST = ["main.tsx", "style.css", "pages/overview.tsx"];

const packedBytes = (file) => gzipSync(readFileSync(`dist/console/${file}`), { level: 9 }).length;

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

/** From the address to the first page with its list of services, as a browser with an empty cache sees it. */
async function firstViewMs(url) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const times = [];
  try {
    for (let visit = 0; visit < VISITS; visit += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${url}/console`);
      await page.getByLabel("Bearer token").fill(TOKEN);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      const cache = await context.newCDPSession(page);
      await cache.send("Network.clearBrowserCache");
      await page.goto(`${url}/console`, { waitUntil: "commit" });
      await page.locator(".tile").first().waitFor();
      times.push(
        await page.evaluate(
          () =>
            performance.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint")
              .startTime,
        ),
      );
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return times.sort((a, b) => a - b)[Math.floor(VISITS / 2)];
}

export async function consoleLines({ product }) {
  const kilobytes = firstBytes() / 1000;
  const ms = await firstViewMs(product.url);
  return [
    {
      line: "console: first view, gzipped",
      value: `${kilobytes.toFixed(1)} KB`,
      measured: kilobytes,
      atMost: FIRST_VIEW_KB_MAX,
    },
    {
      line: `console: first view in Chromium, empty cache (median of ${VISITS})`,
      value: `${Math.round(ms)} ms`,
      measured: ms,
      atMost: FIRST_VIEW_MS_MAX,
    },
  ];
}
