/** Contributions over HTTP, on both databases: create, decide, like, flag, list, count and delete. */
import { expect, it } from "vitest";
import { asToken, deskOf, type Newsroom, ok } from "../../../tests/support/contributions.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const LYON = { latLong: { latitude: 45.76, longitude: 4.84 } };

onBothDatabases(
  "contributions",
  (instance) => {
    const desk = deskOf(instance);
    const { assign, contribute, statuses } = desk;

    it("waits for a moderator where the assignment says so, and tells nobody before", async () => {
      const { id } = await assign({
        moderation: "before",
        moderator: desk.room.cleo.userId,
        locationPrecision: 4,
      });
      const sent = await contribute(id, {
        headline: "Hidden heron",
        place: { ...LYON, name: "Quai 7, Lyon" },
      });
      expect(sent.moderationState.id).toBe("pending");
      const path = `/contributions/${sent.id}`;
      const blind = { account: 200, ann: 200, bob: 200, cleo: 200, stranger: 401 };
      expect(await statuses(path)).toEqual(blind);
      const other = asToken(instance(), accounts.second.tokens[0]);
      expect((await other.send("GET", path)).status).toBe(404);
      const stranger = await desk.room.stranger.send("GET", `/contributions?assignment=${id}`);
      expect([stranger.body, stranger.headers.get("x-total-count")]).toEqual([[], "0"]);
      for (const query of ["q=heron", "country=FR", "geohash=u05k", "latLong=45.76,4.84&radius=50"]) {
        const counted = await ok(
          desk.room.stranger.send("GET", `/contribution-refinements?assignment=${id}&${query}`),
        );
        expect(Object.values(counted).flat()).toEqual([]);
      }
      expect(
        (await desk.room.stranger.send("GET", `/contributions?assignment=${id}&format=rss`)).text,
      ).not.toContain("heron");
      const moderate = (by: keyof Newsroom & ("ann" | "bob" | "cleo" | "stranger"), action: string) =>
        desk.room[by].send("POST", `${path}/moderate`, { action: { id: action }, notes: "seen" });
      expect((await moderate("bob", "approve")).status).toBe(403);
      expect((await moderate("stranger", "approve")).status).toBe(401);
      expect((await moderate("cleo", "praise")).status).toBe(400);
      const approved = await moderate("cleo", "approve");
      expect([approved.status, approved.body]).toEqual([200, "approved"]);
      const shown = await ok(desk.room.stranger.send("GET", path));
      expect(shown.place.geohash).toHaveLength(4);
      expect(shown.place.latLong).not.toEqual(LYON.latLong);
      expect(shown).not.toHaveProperty("via");
      expect(JSON.stringify(shown)).not.toContain("Quai");
      const full = await ok(desk.room.cleo.send("GET", path));
      expect(full.place).toMatchObject({ ...LYON, name: "Quai 7, Lyon", country: "FR" });
      expect(full.moderationHistory).toMatchObject([
        { action: { id: "approve" }, notes: "seen", user: desk.room.cleo.userId },
      ]);
      expect(full.via.authority.client.name).toBe("Newsroom");
      for (const action of ["hold", "reject", "flag", "approve"])
        expect((await moderate("ann", action)).status).toBe(200);
      const titles = (await ok(desk.room.cleo.send("GET", `/change-log?assignment=${id}`))).map(
        ({ type }: { type: string }) => type,
      );
      expect(titles).toEqual([
        "contribution.approved",
        "contribution.hidden",
        "contribution.rejected",
        "contribution.held",
        "contribution.approved",
        "contribution.created",
        "assignment.created",
      ]);
      expect(
        (await ok(desk.room.bob.send("GET", `/change-log?assignment=${id}`))).map(
          ({ type }: { type: string }) => type,
        ),
      ).toEqual(["contribution.created"]);
    });
    it("two hundred characters of a contribution without a headline are in the log of changes", async () => {
      const { id } = await assign();
      const lengthOf = async (length: number) => {
        await ok(
          desk.room.bob.send("POST", "/contributions", { assignment: { id }, body: "x".repeat(length) }),
        );
        const [change] = await ok(desk.room.bob.send("GET", `/change-log?assignment=${id}`));
        return change.description.length;
      };
      expect([await lengthOf(199), await lengthOf(200), await lengthOf(201)]).toEqual([199, 200, 200]);
    });

    it("counts each like once, also of many at once", async () => {
      const { id } = await assign();
      const sent = await contribute(id);
      const likers = [desk.room.account, desk.room.ann, desk.room.bob, desk.room.cleo];
      const counts = await Promise.all(
        [...likers, ...likers, ...likers].map(async (by) =>
          ok(by.send("POST", `/contributions/${sent.id}/like`)),
        ),
      );
      expect(Math.max(...counts)).toBe(4);
      expect((await ok(desk.room.bob.send("GET", `/contributions/${sent.id}`))).likes).toBe(4);
      expect((await ok(desk.room.stranger.send("GET", `/contributions/${sent.id}/likes`))).sort()).toEqual(
        likers.map(({ userId }) => userId).sort(),
      );
      expect((await desk.room.stranger.send("POST", `/contributions/${sent.id}/like`)).status).toBe(401);
    });

    it("hides what enough people flag, until a moderator approves it", async () => {
      const { id } = await assign({ flagsHide: 3 });
      const sent = await contribute(id);
      const flag = (by: Newsroom["ann"], type = "privacy") =>
        by.send("POST", `/contributions/${sent.id}/flag`, { type, notes: "a face" });
      const first = await flag(desk.room.cleo);
      expect([first.status, first.body.type]).toEqual([200, "privacy"]);
      expect((await flag(desk.room.cleo, "spam")).body).toEqual(first.body);
      expect((await flag(desk.room.stranger)).status).toBe(200);
      expect((await flag(desk.room.stranger)).status).toBe(200);
      expect((await flag(desk.room.ann, "dull")).status).toBe(400);
      expect(await statuses(`/contributions/${sent.id}`)).toMatchObject({ stranger: 200 });
      expect((await flag(desk.room.bob)).status).toBe(200);
      expect(await statuses(`/contributions/${sent.id}`)).toMatchObject({
        ann: 200,
        bob: 200,
        cleo: 404,
        stranger: 401,
      });
      const seen = await ok(desk.room.ann.send("GET", `/contributions/${sent.id}`));
      expect([seen.moderationState.id, seen.flags]).toEqual(["flagged", 3]);
      await ok(
        desk.room.ann.send("POST", `/contributions/${sent.id}/moderate`, { action: { id: "approve" } }),
      );
      expect(await statuses(`/contributions/${sent.id}`)).toMatchObject({ cleo: 200, stranger: 200 });
    });

    it("takes places as given, from a geohash and from a country's name in any language", async () => {
      const { id } = await assign();
      const placed = async (place: object) => (await contribute(id, { place })).place;
      expect(await placed(LYON)).toMatchObject({
        ...LYON,
        country: "FR",
        geohash: expect.stringMatching(/^u05k/),
      });
      expect((await placed({ geohash: "gcpvj0" })).country).toBe("GB");
      expect(await placed({ name: "日本" })).toMatchObject({
        country: "JP",
        name: "日本",
        latLong: expect.anything(),
      });
      expect((await placed({ name: "Köln, Deutschland" })).country).toBe("DE");
      expect(await placed({ name: "Atlantis" })).toEqual({ name: "Atlantis" });
      for (const place of [
        { latLong: { latitude: 91, longitude: 0 } },
        { geohash: "aaaa" },
        { country: "FRA" },
      ])
        expect(
          (await desk.room.bob.send("POST", "/contributions", { assignment: { id }, headline: "x", place }))
            .status,
        ).toBe(400);
      expect((await desk.room.bob.send("POST", "/contributions", { assignment: { id } })).status).toBe(400);
      expect(
        (await desk.room.bob.send("POST", "/contributions", { assignment: { id: "none" }, headline: "x" }))
          .status,
      ).toBe(404);
      const media = await assign({ mediaRequired: true });
      expect(
        (await desk.room.bob.send("POST", "/contributions", { assignment: { id: media.id }, headline: "x" }))
          .status,
      ).toBe(400);
    });

    it("pages by number and by a link that nothing new shifts, and feeds", async () => {
      const { id } = await assign({ name: "Pages & <feeds>" });
      const sent: string[] = [];
      for (let number = 0; number < 7; number += 1)
        sent.unshift((await contribute(id, { headline: `Number ${number} & more` })).id);
      const page = async (query: string) =>
        desk.room.stranger.send("GET", `/contributions?assignment=${id}&${query}`);
      const idsOf = (body: { id: string }[]) => body.map((one) => one.id);
      const first = await page("pageSize=3");
      expect([idsOf(first.body), first.headers.get("x-total-count")]).toEqual([sent.slice(0, 3), "7"]);
      expect(idsOf((await page("pageSize=3&page=3")).body)).toEqual(sent.slice(6));
      await contribute(id, { headline: "Something new" });
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
      expect(idsOf((await instance().send("GET", next)).body)).toEqual(sent.slice(3, 6));
      for (const query of [
        "pageSize=0",
        "pageSize=101",
        "page=0",
        "page=100000&pageSize=100",
        "next=made-up",
      ])
        expect([query, (await page(query)).status]).toEqual([query, 400]);
      const feed = await page("format=rss&pageSize=2");
      expect(feed.headers.get("content-type")).toContain("application/rss+xml");
      expect(feed.text).toContain("<title>Pages &amp; &lt;feeds&gt;</title>");
      expect(feed.text).toContain("Something new");
      const links = [...feed.text.matchAll(/<link>([^<]+)<\/link>/g)].map(([, link]) => link ?? "");
      expect(links[0]).toBe(`${instance().url}/contributions/1/pages/${id}`);
      const shown = await instance().send("GET", links[2]?.replace("&amp;", "&") ?? "");
      expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html"]);
      expect(shown.text).toContain(`href="${links[0]}">Newest contributions</a>`);
      const [newest] = [...shown.text.matchAll(/id="c-([^"]+)"/g)].map(([, one]) => one);
      expect([newest, links[2]?.split("#")[1]]).toEqual([sent[0], `c-${sent[0]}`]);
    });

    it("deletes at once for everybody, and in the background what belongs to it", async () => {
      const { id } = await assign();
      const sent = await contribute(id);
      const path = `/contributions/${sent.id}`;
      expect((await desk.room.cleo.send("DELETE", path)).status).toBe(403);
      expect((await desk.room.stranger.send("DELETE", path)).status).toBe(401);
      expect((await desk.room.bob.send("DELETE", path)).body.id).toBe(sent.id);
      expect(await statuses(path)).toEqual({ account: 404, ann: 404, bob: 404, cleo: 404, stranger: 401 });
      expect((await desk.room.bob.send("DELETE", path)).status).toBe(404);
      for (let number = 0; number < 3; number += 1) await contribute(id);
      await ok(desk.room.ann.send("DELETE", `/assignments/${id}`));
      const left = await desk.room.account.send("GET", `/contributions?assignment=${id}`);
      expect([left.body, left.headers.get("x-total-count")]).toEqual([[], "0"]);
    });

    it("refines by counts under the same filters", async () => {
      const { id } = await assign({ name: "Refined" });
      await contribute(id, { place: LYON });
      await contribute(id, { place: { name: "Japan" } });
      await contribute(id, { place: { name: "Japan" } }, desk.room.cleo);
      await contribute(id);
      const types = await ok(desk.room.stranger.send("GET", "/contribution-refinement-types"));
      const all = await ok(desk.room.stranger.send("GET", `/contribution-refinements?assignment=${id}`));
      expect(Object.keys(all).sort()).toEqual([...types].sort());
      expect(all.country).toEqual([
        { value: "JP", count: 2 },
        { value: "FR", count: 1 },
      ]);
      expect(all.hasLocation).toEqual([
        { value: "true", count: 3 },
        { value: "false", count: 1 },
      ]);
      expect(all.assignment).toEqual([{ value: id, count: 4 }]);
      const some = await ok(
        desk.room.stranger.send(
          "GET",
          `/contribution-refinements?assignment=${id}&country=JP&refinements=user,createdMonth&refinementSize=1`,
        ),
      );
      expect(some).toEqual({
        user: [{ value: expect.any(String), count: 1 }],
        createdMonth: [{ value: new Date(instance().clock.nowMs()).toISOString().slice(0, 7), count: 2 }],
      });
      for (const query of [
        "refinements=colour",
        "refinementSize=0",
        "radius=5",
        "latLong=1",
        "latLong=0x10,2",
        "geohash=ai",
      ])
        expect([
          query,
          (await desk.room.ann.send("GET", `/contribution-refinements?${query}`)).status,
        ]).toEqual([query, 400]);
    });
  },
  { services: ["identity", "contributions"] },
);
