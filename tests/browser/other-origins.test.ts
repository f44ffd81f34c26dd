/** Pages on origins of their own call services as the makers' users do: with a key in a header, or without one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const key = accounts.first.apiKeys[0] as string;
let instance: Instance;
let browser: Browser;
let page: Page;
const pages = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end("<!doctype html><title>An app</title>"),
);
beforeAll(async () => {
  const services = ["braille", "podcasts", "face", "language", "language-predictions", "robotics", "bank"];
  instance = await startInstance({ services });
  await instance.bearer("POST", "/_medley/seed", { body: { services: ["podcasts"] } });
  browser = await launchBrowser();
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  page = await browser.newPage();
  await page.goto(`http://localhost:${(pages.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await browser.close();
  await instance.stop();
  pages.close();
});

/** What the page gets to see: status and answer, or that the browser refused it. */
const ask = (path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
  page.evaluate(
    ([url, options]) =>
      fetch(url, options).then(
        async (answer) => ({ status: answer.status, body: (await answer.json()) as any }),
        (error) => ({ status: 0, body: String(error) as any }),
      ),
    [`${instance.url}${path}`, init] as const,
  );

it("braille answers without a key", async () => {
  const { body } = await ask("/braille/translate/braille/unicode.json?text=Hello there");
  expect(body.contents.translated.join("").trim()).toBe("⠀⠀⠠⠓⠑⠇⠇⠕⠀⠐⠮");
});
it.each([
  ["podcasts", "/podcasts/api/v2/best_podcasts", { headers: { "X-ListenAPI-Key": key } }],
  ["braille", "/braille/translate/braille?text=x", { headers: { "X-Funtranslations-Api-Secret": key } }],
  ["face", "/face/v1.0/persongroups", { headers: { "Ocp-Apim-Subscription-Key": key } }],
  [
    "language",
    "/language/luis/authoring/v3.0-preview/apps/",
    { headers: { "Ocp-Apim-Subscription-Key": key, "Content-Type": "application/json" } },
  ],
  [
    "robotics",
    "/robotics/v3.0/2024",
    { headers: { authorization: `Basic ${btoa(Object.values(accounts.first.basic?.[0] ?? {}).join(":"))}` } },
  ],
])("%s answers with a key in a header", async (_name, path, init) => {
  const { status, body } = await ask(path, init as { headers: Record<string, string> });
  expect([status, typeof body]).toEqual([200, "object"]);
});
it("errors can be read, too", async () => {
  const { status, body } = await ask("/podcasts/api/v2/best_podcasts", {
    headers: { "X-ListenAPI-Key": "?" },
  });
  expect([status, Object.keys(body)]).toEqual([401, ["error"]]);
});
it("the bank and the administration are out of reach", async () => {
  for (const path of ["/bank/v1/user", "/_medley/clock"])
    expect(await ask(path, { headers: { authorization: "Bearer x" } })).toMatchObject({ status: 0 });
});
