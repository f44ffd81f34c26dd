/** The console's pages as they are served: complete, without script, and with nothing from elsewhere. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadServices } from "../../src/app/index.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const allServices = await loadServices();

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(async () => {
  await instance.stop();
});

it("shows every service with its mount on the first page, and every operation in the documentation", async () => {
  const overview = await instance.send("GET", "/console");
  const index = await instance.send("GET", "/console/docs");
  for (const { name, title, mount, operations } of allServices) {
    expect(overview.text).toContain(`<code>${mount}</code>`);
    for (const { text } of [overview, index]) expect(text).toContain(`/console/docs/${name}">${title}<`);
    const page = await instance.send("GET", `/console/docs/${name}`);
    expect([name, page.status]).toEqual([name, 200]);
    for (const { id } of operations) expect(page.text).toContain(`id="${id}"`);
  }
});

it("loads nothing from elsewhere and may not be framed", async () => {
  for (const path of [
    "/console",
    "/console/requests",
    "/console/docs",
    "/console/docs/braille",
    "/console/services/voice",
    "/console/services/bank/till",
  ]) {
    const { headers, text } = await instance.send("GET", path);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    const loaded = [...text.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g)].map(
      ([, address]) => address ?? "",
    );
    expect(loaded.length).toBeGreaterThan(1);
    for (const address of loaded) {
      expect(address).toMatch(/^\/console\/assets\//);
      const file = await instance.send("GET", address);
      expect(file.status).toBe(200);
      if (!address.endsWith(".svg")) expect(file.headers.get("cache-control")).toContain("immutable");
    }
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self'; connect-src 'self'/);
  }
});

it("tools may be framed by the console alone", async () => {
  let count = 0;
  for (const { mount, pages = [] } of allServices)
    for (const { path } of pages.filter(({ isTool }) => isTool)) {
      const { headers, status } = await instance.send("GET", mount + path);
      expect([path, status, headers.get("x-frame-options")]).toEqual([path, 200, "SAMEORIGIN"]);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'self';");
      count += 1;
    }
  expect(count).toBe(8);
});

it("sends the first view in at most 40 KB: the page, its styles and all scripts that it begins with", async () => {
  const headers = { "accept-encoding": "gzip, deflate, br" };
  const load = async (path: string) => {
    const answer = await fetch(`${instance.url}${path}`, { headers });
    expect([path, answer.headers.get("content-encoding")]).toEqual([path, "gzip"]);
    const text = await answer.text();
    return { text, bytes: gzipSync(text).length };
  };
  const page = await load("/console");
  const wanted = [...page.text.matchAll(/"(\/console\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path = ""]) => path,
  );
  let bytes = page.bytes;
  const loaded = new Set<string>();
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const file = await load(path);
    bytes += file.bytes;
    for (const [, imported] of file.text.matchAll(/\bfrom"\.\/([^"]+)"/g))
      wanted.push(`/console/assets/${imported}`);
  }
  expect(loaded.size).toBeGreaterThan(2);
  expect(bytes).toBeLessThan(40_000);
  const plain = await instance.send("GET", "/console", { headers: { "accept-encoding": "identity" } });
  expect([plain.headers.get("content-encoding"), plain.text]).toEqual([null, page.text]);
});

it("has the icon that browsers ask for, and says which service needs no credential", async () => {
  const icon = await instance.send("GET", "/favicon.ico");
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  const { text } = await instance.send("GET", "/console");
  const credentialOf = (mount: string) =>
    new RegExp(`<code>${mount}</code>[\\s\\S]*?data-label="Credential">([^<]+)<`).exec(text)?.[1];
  expect(credentialOf("/unpack/v1")).toBe("none");
  expect(credentialOf("/contributions/1")).toBe("OAuth 2.0");
  expect(credentialOf("/braille")).toBe("API key");
});

it("tables of a service have titles of their own, and name operations that exist", () => {
  const known = new Set(allServices.flatMap(({ operations }) => operations.map(({ id }) => id)));
  for (const { name, console: views = [] } of allServices) {
    const titles = views.map(({ title }) => title);
    expect([name, new Set(titles).size]).toEqual([name, titles.length]);
    const unknown = views.flatMap(({ madeBy }) => (madeBy && !known.has(madeBy) ? [madeBy] : []));
    expect([name, unknown]).toEqual([name, []]);
  }
});

it("shows live state to admin accounts: every view of every service, filled by the demo data", async () => {
  await instance.bearer("POST", "/_medley/seed", { body: {} });
  for (const { name, console: views = [] } of allServices) {
    const { status, body } = await instance.bearer("GET", `/_medley/views/${name}`);
    const always = views.filter(({ isShownEmpty = true }) => isShownEmpty).map(({ title }) => title);
    const shown = body.views.map(({ title }: { title: string }) => title);
    expect([name, status, shown]).toEqual([name, 200, expect.arrayContaining(always)]);
    for (const { columns, rows } of body.views)
      for (const row of rows) expect(row.length).toBe(columns.length);
  }
  expect((await instance.bearer("GET", "/_medley/views/none")).status).toBe(404);
  expect((await instance.bearer("GET", "/_medley/views/braille", { as: "second" })).status).toBe(403);
});

it("answers what is not there with 404: browsers by a page, programs by JSON", async () => {
  for (const path of [
    "/console/docs/none",
    "/console/assets/none.js",
    "/console/assets/..%2fmanifest.json",
    "/console/nowhere",
    "/console/requests/none",
    "/console/services/none",
    "/console/services/bank/none",
    "/console/services/identity/dashboard",
    "/nowhere",
  ]) {
    const told = await instance.send("GET", path, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([path, told.status, told.headers.get("content-type")]).toEqual([
      path,
      404,
      "text/html; charset=utf-8",
    ]);
    expect(told.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await instance.send("GET", path)).body.error.code).toMatch(/^(?:NoSuchPage|NotFound)$/);
  }
});
