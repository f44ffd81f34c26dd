/** How much lists and requests hold, and how long a refusal stands: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { accounts, type Instance, startInstance } from "../../../tests/support/medley.ts";
import { Directory, FeedServer, feedOf } from "../../../tests/support/podcasts.ts";

const ITEMS_MAX = 10_000;
const SUBMISSIONS_MAX = 1000;
const BULK_MAX = 10;
const LIST_MAX = 50;
const REDIRECTS_MAX = 6;
const HOUR_MS = 3_600_000;

const data = mkdtempSync(join(tmpdir(), "medley-podcasts-"));
let instance: Instance;
let feeds: FeedServer;
const directory = new Directory(() => instance);
beforeAll(async () => {
  feeds = await FeedServer.start();
  instance = await startInstance({ services: ["podcasts"], data });
  await instance.clock.freeze();
});
afterAll(async () => {
  await instance.stop();
  await feeds.stop();
  rmSync(data, { recursive: true, force: true });
});

it("ten thousand items of a playlist", async () => {
  const { id } = (await directory.send("POST", "/playlists", { body: { name: "Long" } })).body;
  const item = { type: "custom_audio", title: "A memo", audio: "https://example.org/memo.mp3" };
  const add = async () => (await directory.send("POST", `/playlists/${id}/items`, { body: item })).status;
  expect(await add()).toBe(200);
  copyRow(data, {
    table: "podcasts_playlist_entry",
    count: ITEMS_MAX - 2,
    changed: { number: "copied.number + n", added_at: "copied.added_at + n" },
  });
  expect([await add(), await add()]).toEqual([200, 409]);
});

it("ten podcasts or episodes at once, and fifty of each filter of a search", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`).join(",");
  for (const below of ["/podcasts", "/episodes"]) {
    const ask = async (count: number) =>
      (await directory.send("POST", below, { body: new URLSearchParams({ ids: many(count) }) })).status;
    expect([below, await ask(BULK_MAX), await ask(BULK_MAX + 1)]).toEqual([below, 200, 400]);
  }
  const search = async (count: number) =>
    (await directory.send("GET", `/search?q=garden&genre_ids=${many(count)}`)).status;
  expect([await search(LIST_MAX), await search(LIST_MAX + 1)]).toEqual([200, 400]);
});

it("six redirects on the way to a feed", async () => {
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1)
    feeds.redirect(`/hop-${hop}.xml`, 302, `/hop-${hop + 1}.xml`);
  feeds.serve(`/hop-${REDIRECTS_MAX + 1}.xml`, feedOf("Far away", [{ guid: "a", title: "First" }]));
  expect((await directory.decide(feeds.url("/hop-1.xml"))).status).toBe("found");
  expect((await directory.decide(feeds.url("/hop-0.xml"))).reason).toContain("redirects more than 6 times");
});

it("a refusal stands for an hour, to the millisecond", async () => {
  const url = feeds.serve("/refused.xml", "<html>Sorry</html>");
  expect((await directory.decide(url)).status).toBe("rejected");
  await instance.clock.advance(HOUR_MS);
  expect([(await directory.submit(url)).body.status, feeds.countOf("/refused.xml")]).toEqual(["rejected", 1]);
  await instance.clock.advance(1);
  expect((await directory.submit(url)).body.status).toBe("in review");
  expect((await directory.decide(url)).status).toBe("rejected");
  expect(feeds.countOf("/refused.xml")).toBe(2);
});

it("the last thousand submissions are listed", async () => {
  const listed = async () => (await directory.read("/submissions")).submissions.length;
  const before = await listed();
  const copy = (name: string, count: number) =>
    copyRow(data, {
      table: "podcasts_submission",
      count,
      changed: { address: `'${name}' || n`, podcast_id: `'${name}' || n` },
    });
  copy("few", SUBMISSIONS_MAX - before - 1);
  expect(await listed()).toBe(SUBMISSIONS_MAX - 1);
  copy("more", 2);
  expect(await listed()).toBe(SUBMISSIONS_MAX);
});

type Of = "first" | "second";
const insert = (of: Of, table: string, columns: string, values: string, count: number): void =>
  changeRows(data, (database) =>
    database.exec(`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})
      insert into ${table} (account, ${columns}) select '${accounts[of].id}', ${values} from number`),
  );

it("ten searches, eight terms and five podcasts are suggested", async () => {
  for (const name of ["ant", "bee", "cat", "dog", "elk", "fox"])
    await directory.handOver(`${name}.xml`, feedOf(`Zebra ${name}`, [{ guid: name, title: "First" }]));
  insert("first", "podcasts_term", "term, shown, heat", "'zebra ' || n, 'zebra ' || n, n", 11);
  const counts = async (path: string, member: string) => (await directory.read(path))[member].length;
  expect(await counts("/trending_searches", "terms")).toBe(10);
  expect(await counts("/related_searches?q=zebra", "terms")).toBe(10);
  expect(await counts("/typeahead?q=zeb&show_podcasts=1", "podcasts")).toBe(5);
  insert("first", "podcasts_term", "term, shown, heat", "'yak run ' || n, '', n", 5);
  insert("first", "podcasts_word", "word, skeleton, count", "'yak' || n, 'y', n", 9);
  // A second word completes earlier searches alone, the first one words as well.
  expect(await counts("/typeahead?q=yak%20run", "terms")).toBe(4);
  expect(await counts("/typeahead?q=yak", "terms")).toBe(8);
});

it("a hundred entries of usage are shown", async () => {
  // Nothing counts for this account, which only reads its plans.
  const shown = async () => (await directory.read("/plans", { as: "second" })).usage.length;
  const use = (name: string, count: number) =>
    insert("second", "podcasts_usage", "key_name, month, requests", `'${name}' || n, '2001-01', 1`, count);
  use("key", 99);
  expect(await shown()).toBe(99);
  use("more", 2);
  expect(await shown()).toBe(100);
});

it("1010 episodes of one date on a page; the next page begins with the next date", async () => {
  const pagesWith = async (same: number, sort: string) => {
    const feed = feedOf(`Same date ${same} ${sort}`, [
      { guid: "new", title: "New", date: "Sat, 03 Jan 2026 09:00:00 GMT" },
      { guid: "same", title: "Same", date: "Fri, 02 Jan 2026 09:00:00 GMT" },
      { guid: "old", title: "Old", date: "Thu, 01 Jan 2026 09:00:00 GMT" },
    ]);
    const { podcast } = await directory.decide(feeds.serve(`/same-${same}-${sort}.xml`, feed));
    const where = `guid = 'same' and podcast_id = '${podcast.id}'`;
    const changed = { id: "copied.id || n", guid: "copied.guid || n" };
    copyRow(data, { table: "podcasts_episode", count: same - 1, changed, where });
    const page = async (next = "") =>
      (await directory.send("GET", `/podcasts/${podcast.id}?sort=${sort}${next}`)).body;
    const pages: [number, string][] = [];
    for (
      let body = await page();
      ;
      body = await page(`&next_episode_pub_date=${body.next_episode_pub_date}`)
    ) {
      pages.push([body.episodes.length, body.episodes.at(-1).title]);
      if (body.next_episode_pub_date === null) return pages;
    }
  };
  const [first, last] = ["New", "Old"];
  expect(await pagesWith(1009, "recent_first")).toEqual([
    [1010, "Same"],
    [1, last],
  ]);
  expect(await pagesWith(1010, "recent_first")).toEqual([
    [1010, "Same"],
    [1, last],
  ]);
  expect(await pagesWith(1010, "oldest_first")).toEqual([
    [1010, "Same"],
    [1, first],
  ]);
});
