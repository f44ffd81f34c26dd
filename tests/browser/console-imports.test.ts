/** While addresses of feeds are imported, the page of the service shows a bar, which goes away by itself. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { openConsole, problemsOn, walkTo } from "../support/console.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { FeedServer, feedOf, items } from "../support/podcasts.ts";

let instance: Instance;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let feeds: FeedServer;
beforeAll(async () => {
  instance = await startInstance({ services: ["podcasts"] });
  feeds = await FeedServer.start();
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await feeds?.stop();
  await instance?.stop();
});

it("a bar tells how many of the submitted feeds are decided", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const name of ["one", "two", "three", "four"]) {
    const rss = feeds.answer(`/${name}.xml`, async (_request, response) => {
      if (name === "four") await held;
      response.writeHead(200).end(feedOf(`Garden ${name}`, items(1)));
    });
    await instance.bearer("POST", "/podcasts/api/v2/podcasts/submit", { body: { rss } });
  }
  const { page } = await openConsole(browser, instance, "/console", { token: "first-token-0001" });
  await walkTo(page, "/console/services/podcasts");
  const table = page.getByRole("region", { name: "Imports under way", exact: true });
  const bar = table.getByRole("progressbar");
  await table.locator('progress[value="75"]').waitFor();
  expect(await bar.locator("..").textContent()).toBe("75 %");
  expect(await table.getByRole("row").nth(1).textContent()).toContain("3 of 4");
  expect(await problemsOn(page)).toEqual([]);
  release();
  await table.waitFor({ state: "detached" });
  await page.getByText("Garden four").first().waitFor();
});
