/**
 * Every filter and every pair of filters, compared with simple predicates over the contributions; on both
 * databases.
 */
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

type View = any;
type Filter = { readonly query: string; readonly fits: (view: View) => boolean };

const COUNT = 240;
const PER_MONTH = 120;
const AT_ONCE = 20;
const HEADLINES = [
  "Flood at the bridge",
  "Flooded café in Orléans",
  "The bridge this morning",
  "東京の洪水",
  "Наводнение у моста",
  "Brücke gesperrt",
  "Morning fog, no flood",
  "",
];
const PLACES: readonly (readonly [latitude: number, longitude: number])[] = [
  [48.85, 2.35],
  [48.2, 16.37],
  [-16.8, 179.95],
  [-16.8, -179.95],
  [89.9, 10],
  [89.9, -170],
  [-89.95, 0],
  [35.68, 139.69],
  [0, 0],
];
/** Deterministic, the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const EARTH_KM = 6371.0088;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
function kilometresBetween(a: readonly [number, number], b: readonly [number, number]): number {
  const [south, north] = [radians(a[0]), radians(b[0])];
  const half =
    Math.sin((north - south) / 2) ** 2 +
    Math.cos(south) * Math.cos(north) * Math.sin(radians(b[1] - a[1]) / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half)));
}
const plainly = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const hasWord = (view: View, beginning: string) =>
  plainly(view.headline)
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.startsWith(plainly(beginning)));
const isNear = (view: View, at: readonly [number, number], kilometres: number) =>
  view.place?.latLong !== undefined &&
  kilometresBetween([view.place.latLong.latitude, view.place.latLong.longitude], at) <= kilometres;

onBothDatabases(
  "filters of contributions",
  (instance) => {
    let room: Newsroom;
    let all: View[] = [];
    let filters: Readonly<Record<string, readonly Filter[]>> = {};

    beforeAll(async () => {
      room = await openNewsroom(instance());
      const random = seeded(7);
      const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
      const body = async (sent: ReturnType<Newsroom["ann"]["send"]>) => {
        const answered = await sent;
        expect(answered.status, answered.text).toBe(200);
        return answered.body;
      };
      const assignments: string[] = [];
      for (const [owner, precision] of [
        [room.ann, undefined],
        [room.ann, 4],
        [room.cleo, undefined],
        [room.cleo, 0],
      ] as const)
        assignments.push(
          (
            await body(
              owner.send("POST", "/assignments", {
                name: "Filters",
                moderation: "after",
                ...(precision !== undefined && { locationPrecision: precision }),
              }),
            )
          ).id,
        );
      const tags: string[] = [];
      for (const name of ["Red", "Blue"])
        tags.push((await body(room.ann.send("POST", "/tags", { name }))).id);
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
        .jpeg()
        .toBuffer();
      const media = { bob: "", cleo: "" };
      for (const name of ["bob", "cleo"] as const) {
        const sent = await instance().send("POST", "/contributions/1/media", {
          body: picture,
          headers: { authorization: `Bearer ${room.tokens[name]}`, "content-type": "image/jpeg" },
        });
        expect(sent.status, sent.text).toBe(200);
        media[name] = sent.body.id;
      }
      await instance().clock.freeze();
      const contribution = () => {
        const name = pick(["bob", "cleo"] as const);
        const [latitude, longitude] = pick(PLACES);
        const jitter = () => (random() - 0.5) * 0.2;
        const position = {
          latitude: Math.max(-90, Math.min(90, latitude + jitter())),
          longitude: Math.max(-180, Math.min(180, longitude + jitter())),
        };
        const place = pick([undefined, { latLong: position }, { latLong: position }, { name: "France" }]);
        const headline = pick(HEADLINES);
        const given = {
          assignment: { id: pick(assignments) },
          headline,
          ...(headline === "" && { body: "Only a text." }),
          ...(place && { place }),
          ...(random() < 0.4 && { mediaUsages: [{ media: { id: media[name] } }] }),
          tags: tags.filter(() => random() < 0.4).map((id) => ({ id })),
        };
        return body(room[name].send("POST", "/contributions", given));
      };
      for (let sent = 0; sent < COUNT; sent += PER_MONTH) {
        if (sent > 0) {
          await instance().clock.advance("800h");
          room = await openNewsroom(instance());
        }
        for (let more = 0; more < PER_MONTH; more += AT_ONCE) {
          await Promise.all(Array.from({ length: AT_ONCE }, contribution));
          await instance().clock.advance("1m");
        }
      }
      // Filters use the public position.
      for (let page = 1; all.length < COUNT; page += 1) {
        const some = await body(room.account.send("GET", `/contributions?pageSize=80&page=${page}`));
        const ids = some.map(({ id }: View) => id).join(",");
        all = [...all, ...(await body(room.stranger.send("GET", `/contributions?ids=${ids}&pageSize=80`)))];
      }
      expect(all).toHaveLength(COUNT);
      filters = filtersFor(all, assignments, tags, room);
    }, 120_000);

    const idsOf = (views: readonly View[]) => views.map(({ id }) => id);
    const found = async (query: string) => {
      const answered = await room.account.send("GET", `/contributions?${query}&pageSize=100`);
      expect(answered.status, `${query} ${answered.text.slice(0, 300)}`).toBe(200);
      return { ids: idsOf(answered.body), total: Number(answered.headers.get("x-total-count")) };
    };
    const check = async (chosen: readonly Filter[]) => {
      const query = chosen.map((one) => one.query).join("&");
      const expected = idsOf(all.filter((view) => chosen.every((one) => one.fits(view))));
      const { ids, total } = await found(query);
      expect([query, total, ids]).toEqual([query, expected.length, expected.slice(0, 100)]);
      return expected.length;
    };

    it("finds by each filter what plainly fits, and not always all or nothing", async () => {
      for (const [name, choices] of Object.entries(filters)) {
        const counts: number[] = [];
        for (const one of choices) counts.push(await check([one]));
        expect([name, counts.some((count) => count > 0 && count < COUNT)]).toEqual([name, true]);
      }
    });
    it("finds by words and another filter what fits both, by the database alone", async () => {
      const { q: words = [], ...others } = filters;
      for (const choices of Object.values(others))
        await check([words[0] as Filter, choices.at(-1) as Filter]);
    });
    it("finds by each pair of filters what fits both", async () => {
      // From here on the column cache answers.
      await room.account.send("GET", "/contribution-refinements");
      const names = Object.keys(filters);
      const random = seeded(11);
      for (const [at, name] of names.entries())
        for (const other of names.slice(at + 1)) {
          const choose = (of: string) => {
            const choices = filters[of] ?? [];
            return choices[Math.floor(random() * choices.length)] as Filter;
          };
          await check([choose(name), choose(other)]);
        }
    });
    it("counts each refinement as the list would have it, under any filter", async () => {
      const valuesOf: Readonly<Record<string, (view: View) => readonly string[]>> = {
        assignment: (view) => [view.assignment.id],
        country: (view) => (view.place?.country ? [view.place.country] : []),
        createdDay: (view) => [view.created.slice(0, 10)],
        createdMonth: (view) => [view.created.slice(0, 7)],
        geohash: (view) => (view.place?.geohash ? [view.place.geohash.slice(0, 3)] : []),
        hasLocation: (view) => [String(view.place?.geohash !== undefined)],
        mediaType: (view) => (view.mediaUsages.length > 0 ? ["image"] : []),
        ownedBy: (view) => [view.ownedBy],
        tag: (view) => view.tags.map(({ id }: { id: string }) => id),
        user: (view) => [view.user],
      };
      const chosen = Object.entries(filters)
        .filter(([name]) => !["ids", "createdDay", "createdMonth"].includes(name))
        .map(([, choices]) => choices[0] as Filter);
      for (const { query, fits } of [{ query: "", fits: () => true }, ...chosen]) {
        const answered = await room.account.send(
          "GET",
          `/contribution-refinements?${query}&refinementSize=1000`,
        );
        expect(answered.status, answered.text).toBe(200);
        const fitting = all.filter(fits);
        for (const [name, values] of Object.entries(valuesOf)) {
          const counts = new Map<string, number>();
          for (const value of fitting.flatMap((view) => values(view)))
            counts.set(value, (counts.get(value) ?? 0) + 1);
          const expected = [...counts]
            .map(([value, count]) => ({ value, count }))
            .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
          expect([query, name, answered.body[name]]).toEqual([query, name, expected]);
        }
      }
    });
    it("finds by words what came in this moment, and what has gone no more", async () => {
      const { body: assignment } = await room.ann.send("POST", "/assignments", {
        name: "Words",
        moderation: "after",
      });
      const send = async (headline: string): Promise<string> => {
        const sent = await room.bob.send("POST", "/contributions", {
          assignment: { id: assignment.id },
          headline,
        });
        expect(sent.status, sent.text).toBe(200);
        return sent.body.id;
      };
      const summed = async (query: string) =>
        (await room.account.send("POST", `/export-summary?${query}`)).body.contributions;
      const first = await send("Zeppelin über Zürich");
      expect(await found("q=zeppelin zur")).toEqual({ ids: [first], total: 1 });
      expect(await found(`q=zep&assignment=${assignment.id}&user=${room.bob.userId}`)).toEqual({
        ids: [first],
        total: 1,
      });
      expect((await found("q=eppelin")).ids).toEqual([]);
      // More than the tail of SQLite's index holds.
      const more: string[] = [];
      for (let number = 0; number < 70; number += 1) more.push(await send(`Zeppelins, the ${number}th`));
      const newestFirst = [...more.reverse(), first];
      expect(await found("q=zeppelin")).toEqual({ ids: newestFirst, total: 71 });
      const { body: second } = await room.account.send("GET", "/contributions?q=zeppelin&pageSize=40&page=2");
      expect(idsOf(second)).toEqual(newestFirst.slice(40));
      expect(await summed("q=zeppelin")).toBe(71);
      await room.bob.send("DELETE", `/contributions/${newestFirst[0]}`);
      await room.bob.send("DELETE", `/contributions/${first}`);
      await instance().clock.advance("1s");
      expect(await found("q=zeppelin")).toEqual({ ids: newestFirst.slice(1, -1), total: 69 });
      expect(await summed("q=zeppelin")).toBe(69);
    });
    it("counts at every moment what each caller may see, and nothing more", async () => {
      const total = async (by: Newsroom["ann"], query: string) => {
        const listed = await by.send("GET", `/contributions?${query}`);
        const refined = await by.send("GET", `/contribution-refinements?${query}&refinements=assignment`);
        const [option] = refined.body.assignment;
        const count = Number(listed.headers.get("x-total-count"));
        expect([query, option?.count ?? 0, listed.body.length]).toEqual([query, count, Math.min(20, count)]);
        return count;
      };
      const { body: assignment } = await room.ann.send("POST", "/assignments", { name: "Counted" });
      const query = `assignment=${assignment.id}`;
      const { account, ann, bob, cleo, stranger } = room;
      const seen = async (callers = [account, ann, bob, cleo, stranger]) => {
        const totals: number[] = [];
        for (const by of callers) totals.push(await total(by, query));
        return totals;
      };
      expect(await seen()).toEqual([0, 0, 0, 0, 0]);
      const send = () =>
        room.bob.send("POST", "/contributions", { assignment: { id: assignment.id }, headline: "One" });
      const { body: first } = await send();
      await send();
      expect(await seen()).toEqual([2, 2, 2, 0, 0]);
      const moderate = (action: string) =>
        room.ann.send("POST", `/contributions/${first.id}/moderate`, { action: { id: action } });
      await moderate("approve");
      expect(await seen()).toEqual([2, 2, 2, 1, 1]);
      await moderate("reject");
      expect(await seen()).toEqual([2, 2, 2, 0, 0]);
      await moderate("approve");
      await room.ann.send("POST", "/assignments", {
        id: assignment.id,
        embargo: new Date(Date.parse(first.created) + 3_600_000).toISOString(),
      });
      // A caller without a token must not learn that it exists.
      const signedIn = [account, ann, bob, cleo];
      expect(await seen(signedIn)).toEqual([2, 2, 2, 0]);
      await room.bob.send("DELETE", `/contributions/${first.id}`);
      expect(await seen(signedIn)).toEqual([1, 1, 1, 0]);
    });
  },
  { services: ["identity", "contributions"] },
);

function filtersFor(
  all: readonly View[],
  assignments: readonly string[],
  tags: readonly string[],
  room: Newsroom,
): Readonly<Record<string, readonly Filter[]>> {
  const circle = (at: readonly [number, number], kilometres: number): Filter => ({
    query: `latLong=${at.join(",")}&radius=${kilometres}`,
    fits: (view) => isNear(view, at, kilometres),
  });
  const times = all.map(({ created }) => created as string).sort();
  const middle = times[Math.floor(times.length / 2)] as string;
  const some = all.filter((_, at) => at % 17 === 0);
  const geohash = (...cells: readonly string[]): Filter => ({
    query: `geohash=${cells.join(",")}`,
    fits: (view) => cells.some((cell) => view.place?.geohash?.startsWith(cell) === true),
  });
  const words = (q: string, ...beginnings: readonly string[]): Filter => ({
    query: `q=${encodeURIComponent(q)}`,
    fits: (view) => beginnings.every((beginning) => hasWord(view, beginning)),
  });
  const has = (name: "country" | "ownedBy" | "user", value: string, of: (view: View) => unknown): Filter => ({
    query: `${name}=${value}`,
    fits: (view) => of(view) === value,
  });
  return {
    assignment: assignments.map((id) => ({
      query: `assignment=${id}`,
      fits: (view) => view.assignment.id === id,
    })),
    country: ["FR", "AT", "JP"].map((code) => has("country", code, (view) => view.place?.country)),
    createdBefore: [{ query: `createdBefore=${middle}`, fits: (view) => view.created < middle }],
    createdAfter: [{ query: `createdAfter=${middle}`, fits: (view) => view.created > middle }],
    createdDay: [
      {
        query: `createdDay=${middle.slice(0, 10)}`,
        fits: (view) => view.created.startsWith(middle.slice(0, 10)),
      },
    ],
    createdMonth: [times[0], times.at(-1)].map((time) => ({
      query: `createdMonth=${time?.slice(0, 7)}`,
      fits: (view: View) => view.created.startsWith(time?.slice(0, 7)),
    })),
    geohash: [geohash("u"), geohash("u09", "xn7"), geohash("u2ed", "z"), geohash("s0000000", "u09t")],
    hasLocation: [true, false].map((wanted) => ({
      query: `hasLocation=${wanted}`,
      fits: (view) => (view.place?.geohash !== undefined) === wanted,
    })),
    latLong: [
      circle([48.85, 2.35], 8),
      circle([48.85, 2.35], 1200),
      circle([-16.8, 180], 30),
      circle([90, 0], 25),
      circle([-90, 0], 12),
      circle([0, 0], 6000),
      circle([35, 135], 19_000),
    ],
    mediaType: [{ query: "mediaType=image", fits: (view) => view.mediaUsages.length > 0 }],
    ownedBy: [room.ann, room.cleo].map(({ userId }) => has("ownedBy", userId, (view) => view.ownedBy)),
    q: [
      words("flood", "flood"),
      words("BRIDGE the", "bridge", "the"),
      words("café orl", "cafe", "orl"),
      words("brucke", "brucke"),
      words("наводн", "наводн"),
      { query: `q=${encodeURIComponent("京の洪")}`, fits: (view) => view.headline.includes("京の洪") },
    ],
    urlWords: ["flood-at-the-bridge", "brucke-gesperrt"].map((urlWords) => ({
      query: `urlWords=${urlWords}`,
      fits: (view) => view.urlWords === urlWords,
    })),
    user: [room.bob, room.cleo].map(({ userId }) => has("user", userId, (view) => view.user)),
    ids: [{ query: `ids=${some.map(({ id }) => id).join(",")}`, fits: (view) => some.includes(view) }],
    tags: [
      {
        query: `tags=${tags[0]}`,
        fits: (view) => view.tags.some(({ id }: { id: string }) => id === tags[0]),
      },
      { query: `tags=${tags.join(",")}`, fits: (view) => view.tags.length === 2 },
    ],
  };
}
