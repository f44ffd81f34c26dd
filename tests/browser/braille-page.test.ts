/** A page of the maker's users, on an origin of its own: it asks the public addresses of braille without a key. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { type Instance, startInstance } from "../support/medley.ts";

/** What a page does that translates what somebody types: jQuery's `getJSON` and `fetch` ask the same. */
const PAGE = `<!doctype html><title>Braille</title><textarea id="input"></textarea><button>Translate</button>
<p id="output"></p><script>
  const base = new URLSearchParams(location.search).get("server");
  document.querySelector("button").addEventListener("click", () =>
    fetch(base + "/translate/braille/unicode.json?text=" + document.querySelector("#input").value)
      .then((response) => response.json())
      .then((json) => { document.querySelector("#output").innerText = json.contents.translated.join(""); })
      .catch((error) => { document.querySelector("#output").innerText = "failed: " + error; }));
</script>`;

let instance: Instance;
let browser: Browser;
const pages = createServer((_request, response) => response.setHeader("content-type", "text/html").end(PAGE));
beforeAll(async () => {
  instance = await startInstance({ services: ["braille"] });
  browser = await launchBrowser();
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await browser.close();
  await instance.stop();
  pages.close();
});

it("a page of another origin translates what is typed", async () => {
  const page = await browser.newPage();
  const { port } = pages.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/?server=${instance.url}/braille`);
  await page.fill("#input", "Hello there");
  await page.click("button");
  await page.waitForSelector("#output:not(:empty)");
  expect((await page.textContent("#output"))?.trim()).toBe("⠀⠀⠠⠓⠑⠇⠇⠕⠀⠐⠮");
});
