/** What an older version has exported is brought up to date on import: renamed columns and tables, backfilled values, blobs. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ann, TestBrowser } from "../support/identity-browser.ts";
import type { DatabaseKind, Instance } from "../support/medley.ts";
import { accounts } from "../support/medley.ts";
import { book, cover, databases, exportOf, fillShelf, importInto, type Reader, startShelf } from "./shelf.ts";
import type { ShelfVersion } from "./shelf-service.ts";

async function saved(version: ShelfVersion, on: DatabaseKind, query = ""): Promise<Buffer> {
  const instance = await startShelf(version, on);
  for (const as of ["first", "second"] as const) await fillShelf(instance, as);
  const archive = await exportOf(instance, query);
  await instance.stop();
  return archive;
}

async function expectUpgraded(instance: Instance, as: Reader): Promise<void> {
  expect(await book(instance, "one", as)).toEqual({
    id: "one",
    name: `Ursula of ${as}: The Long Way`,
    slug: `ursula-of-${as}-the-long-way`,
    pages: 300,
    code: `1234 of ${as}`,
  });
  expect((await instance.bearer("GET", "/shelf/authors", { as })).body.authors).toEqual([
    { name: `Italo of ${as}`, books: 1 },
    { name: `Ursula of ${as}`, books: 2 },
  ]);
  const shown = await instance.bearer("GET", "/shelf/books/one/cover", { as });
  expect(shown.bytes.equals(cover)).toBe(true);
}

describe.each(databases)("an export of version 1, made on %s", (from) => {
  it.each(databases)("is read by version 3 on %s", async (to) => {
    const archive = await saved(1, from);
    expect(archive.toString()).toContain('"title":"Ursula of first: The Long Way"');
    const instance = await startShelf(3, to);
    await instance.bearer("PUT", "/shelf/books/replaced", { body: { title: "A: B", pages: 1 } });
    const loaded = await importInto(instance, archive);
    expect([loaded.status, loaded.text]).toEqual([200, expect.stringContaining("rows")]);
    for (const as of ["first", "second"] as const) await expectUpgraded(instance, as);
    expect((await instance.bearer("GET", "/shelf/books/replaced")).status).toBe(404);
    await instance.bearer("PUT", "/shelf/books/four", { body: { title: "Ursula of first: New", pages: 9 } });
    expect((await instance.bearer("GET", "/shelf/authors")).body.authors).toContainEqual({
      name: "Ursula of first",
      books: 3,
    });
    const ran = await instance.clock.advance("2h");
    expect(ran.filter(({ name }) => name === "shelf.remind")).toHaveLength(2);
    await instance.stop();
  });
});

describe.each(databases)("older exports on %s", (on) => {
  it("of one service leave accounts and other services alone", async () => {
    const archive = await saved(1, on, "?service=shelf");
    expect(archive.toString()).not.toContain("medley_account");
    const instance = await startShelf(3, on);
    const arn = "arn:vendor:storage:us-east-1:111111111111:bucket/kept";
    await instance.bearer("PUT", "/_medley/resources", { body: { arn, type: "Vendor::Storage::Bucket" } });
    expect((await importInto(instance, archive)).status).toBe(200);
    for (const as of ["first", "second"] as const) await expectUpgraded(instance, as);
    const { body } = await instance.bearer("GET", "/_medley/resources");
    expect(body.resources).toMatchObject([{ arn }]);
    await instance.stop();
  });

  it.each(["?account=222222222222", "?service=shelf&account=222222222222"])(
    "of one account (%s) leave the other accounts alone",
    async (query) => {
      const archive = await saved(2, on, query);
      expect(archive.toString()).not.toContain("Ursula of first");
      const instance = await startShelf(3, on);
      for (const as of ["first", "second"] as const)
        await instance.bearer("PUT", "/shelf/books/own", { as, body: { title: "Mine: Own", pages: 1 } });
      expect((await importInto(instance, archive)).status).toBe(200);
      await expectUpgraded(instance, "second");
      expect((await instance.bearer("GET", "/shelf/books/own", { as: "second" })).status).toBe(404);
      expect(await book(instance, "own", "first")).toMatchObject({ name: "Mine: Own", slug: "mine-own" });
      expect((await instance.bearer("GET", "/shelf/books/one")).status).toBe(404);
      await instance.stop();
    },
  );

  it("made before a service was mounted leave it empty", async () => {
    const before = await startShelf(1, on, { extraServices: [] });
    const archive = await exportOf(before);
    await before.stop();
    const instance = await startShelf(3, on);
    await fillShelf(instance, "first");
    expect((await importInto(instance, archive)).status).toBe(200);
    expect((await instance.bearer("GET", "/shelf/books/one")).status).toBe(404);
    await instance.stop();
  });

  it("bring signing secrets along, although every instance seals with a key of its own", async () => {
    const before = await startShelf(1, on);
    const archive = await exportOf(before);
    expect(archive.toString()).not.toContain(accounts.first.accessKeys[0]?.secret);
    await before.stop();
    const instance = await startShelf(3, on, { services: ["voice"] });
    expect((await importInto(instance, archive)).status).toBe(200);
    const sets = await instance.signed("sms-voice", "GET", "/voice/v1/sms-voice/configuration-sets");
    expect([sets.status, sets.body]).toEqual([200, { ConfigurationSets: [] }]);
    await instance.stop();
  });

  it("sealed with a key of one's own are taken by those who have it, and by nobody else", async () => {
    const before = await startShelf(1, on, { secretKey: "a key of one's own" });
    await fillShelf(before, "first");
    const archive = await exportOf(before);
    await before.stop();
    const stranger = await startShelf(3, on);
    const refused = await importInto(stranger, archive);
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining("--secret-key"),
    ]);
    await stranger.stop();
    const instance = await startShelf(3, on, { secretKey: "a key of one's own" });
    expect((await importInto(instance, archive)).status).toBe(200);
    expect((await book(instance, "one")).code).toBe("1234 of first");
    await instance.stop();
  });
});

it("of the whole bring the people along whom an owner has named, and a reset leaves them", async () => {
  const before = await startShelf(1, "sqlite", { services: ["identity"] });
  const archive = await exportOf(before);
  await before.stop();
  const strangers = join(mkdtempSync(join(tmpdir(), "medley-strangers-")), "credentials.json");
  const everything = [{ effect: "Allow", actions: ["*"], resources: ["*"] }];
  const stranger = { id: "333333333333", tokens: ["third-token-0003"], policies: everything, admin: true };
  writeFileSync(strangers, JSON.stringify({ accounts: [stranger] }));
  const instance = await startShelf(3, "sqlite", { services: ["identity"], credentialsFile: strangers });
  const isKnown = async () => {
    const browser = new TestBrowser(instance);
    const page = await browser.open("/identity/sign-in");
    await browser.submit(page, ({ action }) => action.endsWith("/sign-in"), { ...ann });
    return (await browser.open("/identity/account")).status === 200;
  };
  expect(await isKnown()).toBe(false);
  const headers = { authorization: "Bearer third-token-0003" };
  expect((await instance.send("PUT", "/_medley/state", { headers, body: archive })).status).toBe(200);
  expect(await isKnown()).toBe(true);
  // Whoever loads it is not shut out by accounts that know nothing of them.
  expect((await instance.send("GET", "/_medley/clock", { headers })).status).toBe(200);
  expect((await instance.bearer("POST", "/_medley/state/reset", { body: {} })).status).toBe(204);
  expect(await isKnown()).toBe(true);
  await instance.stop();
});
