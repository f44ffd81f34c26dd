/** Whatever goes wrong while a request is noted, its caller is answered. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type App, startApp } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { allSamples } from "../support/sample.ts";

let app: App;
beforeAll(async () => {
  const config = { ...defaultConfig, memory: true, port: 0, logLevel: "silent" as const };
  app = await startApp(config, allSamples);
});
afterAll(() => app.stop());

const broken = () => {
  throw new TypeError("Cannot read properties of undefined (reading 'byteLength')");
};
it.each([
  ["the request log", () => Object.defineProperty(app.kernel.requestLog, "add", { value: broken })],
  ["the metrics", () => Object.defineProperty(app.kernel.metrics, "request", { value: broken })],
  ["the minutes", () => Object.defineProperty(app.kernel.minutes, "request", { value: broken })],
])("%s", async (_name, breakIt) => {
  breakIt();
  expect((await fetch(`${app.url}/_medley/health`)).status).toBe(200);
  expect((await fetch(`${app.url}/nowhere`)).status).toBe(404);
});
