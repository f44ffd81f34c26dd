/** Data that an older version has written is brought up to date by the start of a newer one, where it lies. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createDatabase, type DatabaseKind, type Instance, startInstance } from "../support/medley.ts";
import { book, cover, databases, fillShelf, startShelf } from "./shelf.ts";
import { begun, shelfService } from "./shelf-service.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
/** A place that outlives an instance. */
async function createPlace(on: DatabaseKind): Promise<{ data: string; database?: string }> {
  const data = mkdtempSync(join(tmpdir(), "medley-upgrade-"));
  folders.push(data);
  return on === "sqlite" ? { data } : { data, database: await createDatabase() };
}
async function expectUpgraded(instance: Instance): Promise<void> {
  expect(await book(instance, "one")).toMatchObject({
    name: "Ursula of first: The Long Way",
    slug: "ursula-of-first-the-long-way",
    code: "1234 of first",
  });
  expect((await instance.bearer("GET", "/shelf/authors")).body.authors).toEqual([
    { name: "Italo of first", books: 1 },
    { name: "Ursula of first", books: 2 },
  ]);
  const shown = await instance.bearer("GET", "/shelf/books/one/cover");
  expect(shown.bytes.equals(cover)).toBe(true);
}

describe.each(databases)("data of version 1 on %s", (on) => {
  it("is brought up to date by the start of version 3, with the work that was waiting", async () => {
    const place = await createPlace(on);
    const before = await startShelf(1, on, place);
    await fillShelf(before, "first");
    await before.stop();
    const after = await startShelf(3, on, place);
    await expectUpgraded(after);
    const ran = await after.clock.advance("2h");
    expect(ran.filter(({ name }) => name === "shelf.remind")).toMatchObject([{ outcome: "done" }]);
    await after.stop();
    const again = await startShelf(3, on, place);
    await expectUpgraded(again);
    await again.stop();
  });

  it("goes through every version in turn", async () => {
    const place = await createPlace(on);
    const before = await startShelf(1, on, place);
    await fillShelf(before, "first");
    await before.stop();
    const between = await startShelf(2, on, place);
    expect(await book(between, "two")).toMatchObject({ name: "Ursula of first: Home" });
    await between.stop();
    const after = await startShelf(3, on, place);
    await expectUpgraded(after);
    await after.stop();
  });

  it("is left as it was by a migration that fails half way", async () => {
    const place = await createPlace(on);
    const before = await startShelf(1, on, place);
    await fillShelf(before, "first");
    await before.stop();
    const failing = shelfService(3, {
      "004-broken": {
        async up(db) {
          await db.schema.dropTable("shelf_author").execute();
          throw new Error("this migration is broken");
        },
      },
    });
    await expect(startShelf(3, on, { ...place, extraServices: [failing] })).rejects.toThrow("is broken");
    const still = await startShelf(1, on, place);
    expect(await book(still, "one")).toMatchObject({ title: "Ursula of first: The Long Way" });
    await still.stop();
    const after = await startShelf(3, on, place);
    await expectUpgraded(after);
    await after.stop();
  });

  it("once upgraded, is refused by the older version, which changes nothing", async () => {
    const place = await createPlace(on);
    const newer = await startShelf(3, on, place);
    await fillShelf(newer, "first");
    await newer.stop();
    await expect(startShelf(1, on, place)).rejects.toThrow(
      /written by a newer version of Medley \(it knows shelf\/002-names-and-slugs, shelf\/003-authors\)/,
    );
    const without = await startInstance({ on, services: [], ...place });
    expect((await without.send("GET", "/_medley/ready")).status).toBe(200);
    await without.stop();
    const again = await startShelf(3, on, place);
    await expectUpgraded(again);
    await again.stop();
  });
});

it("two nodes that start at the same time on one database migrate it once, and both serve", async () => {
  const place = await createPlace("postgres");
  const before = await startShelf(1, "postgres", place);
  await fillShelf(before, "first");
  await before.stop();
  const counted = { ...begun };
  const nodes = await Promise.all([startShelf(3, "postgres", place), startShelf(3, "postgres", place)]);
  for (const name of ["002-names-and-slugs", "003-authors"])
    expect([name, (begun[name] ?? 0) - (counted[name] ?? 0)]).toEqual([name, 1]);
  for (const node of nodes) await expectUpgraded(node);
  await Promise.all(nodes.map((node) => node.stop()));
});

it("two nodes that start at the same time on an empty database make its tables once, and both serve", async () => {
  const place = await createPlace("postgres");
  const counted = begun["001-books"] ?? 0;
  const nodes = await Promise.all([startShelf(3, "postgres", place), startShelf(3, "postgres", place)]);
  expect((begun["001-books"] ?? 0) - counted).toBe(1);
  await fillShelf(nodes[0], "first");
  for (const node of nodes) await expectUpgraded(node);
  await Promise.all(nodes.map((node) => node.stop()));
});
