/** Contributions over HTTP, on both databases: access, assignments, forms, contributions and what people do with them. */
import { beforeAll, describe, expect, it } from "vitest";
import { asToken, BASE, type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const LYON = { latLong: { latitude: 45.76, longitude: 4.84 } };

onBothDatabases(
  "contributions",
  (instance) => {
    let room: Newsroom;
    beforeAll(async () => {
      room = await openNewsroom(instance());
    });
    const ok = async (sent: ReturnType<Newsroom["ann"]["send"]>) => {
      const answered = await sent;
      expect(answered.status, answered.text).toBe(200);
      return answered.body;
    };
    const assign = (body: object = {}) =>
      ok(room.ann.send("POST", "/assignments", { name: "The flood", moderation: "after", ...body }));
    const contribute = (assignment: string, body: object = {}, by = room.bob) =>
      ok(
        by.send("POST", "/contributions", {
          assignment: { id: assignment },
          headline: "The bridge",
          ...body,
        }),
      );
    const statuses = async (path: string) =>
      Object.fromEntries(
        await Promise.all(
          (["account", "ann", "bob", "cleo", "stranger"] as const).map(async (name) => [
            name,
            (await room[name].send("GET", path)).status,
          ]),
        ),
      );

    describe("access", () => {
      it("gives a token for a name and password to a registered client", async () => {
        const form = {
          grant_type: "password",
          username: "ann",
          password: "ann-password-1",
          client_id: room.client.id,
          client_secret: room.client.secret,
        };
        const ask = async (change: object, headers: Record<string, string> = {}) => {
          const given = Object.entries({ ...form, ...change }).filter(([, value]) => value !== undefined);
          const body = new URLSearchParams(given as [string, string][]);
          const answered = await instance().send("POST", `${BASE}/token`, { body, headers });
          return [answered.status, answered.body.error ?? answered.body.scope];
        };
        const basic = Buffer.from(`${room.client.id}:${room.client.secret}`).toString("base64");
        expect(await ask({})).toEqual([200, "full"]);
        expect(await ask({ scope: "full" })).toEqual([200, "full"]);
        expect(
          await ask({ client_id: undefined, client_secret: undefined }, { authorization: `Basic ${basic}` }),
        ).toEqual([200, "full"]);
        expect(await ask({ scope: "some" })).toEqual([400, "invalid_scope"]);
        expect(await ask({ grant_type: "authorization_code" })).toEqual([400, "unsupported_grant_type"]);
        expect(await ask({ password: undefined })).toEqual([400, "invalid_request"]);
        expect(await ask({ password: "wrong" })).toEqual([400, "invalid_grant"]);
        expect(await ask({ username: "nobody" })).toEqual([400, "invalid_grant"]);
        expect(await ask({ client_secret: "wrong" })).toEqual([401, "invalid_client"]);
        const { body: open } = await instance().bearer("POST", "/identity/client", {
          body: {
            client_name: "Without a secret",
            client_uri: "https://open.example.org",
            redirect_uris: ["https://open.example.org/answer"],
            token_endpoint_auth_method: "none",
          },
        });
        expect(await ask({ client_id: open.client_id, client_secret: undefined })).toEqual([
          400,
          "unauthorized_client",
        ]);
        for (let time = 0; time < 5; time += 1)
          expect(await ask({ username: "bob", password: "wrong" })).toEqual([400, "invalid_grant"]);
        expect(await ask({ username: "bob", password: "wrong" })).toEqual([429, "temporarily_unavailable"]);
      });

      it("tells everybody what can happen", async () => {
        const types = await ok(room.stranger.send("GET", "/event-types"));
        expect(types.length).toBeGreaterThan(5);
        for (const type of types)
          expect(type).toMatchObject({ id: expect.any(String), name: expect.any(String) });
      });

      it("tells the truth about the caller", async () => {
        expect(await ok(room.ann.send("GET", "/scopes"))).toEqual(["full"]);
        const verified = await ok(room.ann.send("POST", "/verify"));
        expect(verified).toMatchObject({
          client: { id: room.client.id, name: "Newsroom" },
          user: { username: "ann", displayName: "Ann Example" },
        });
        const credentials = await ok(room.ann.send("GET", "/credentials"));
        expect(credentials[0]).toEqual({
          type: "token",
          user: room.ann.userId,
          scopes: ["full"],
          value: room.client.id,
        });
        const account = await ok(room.account.send("POST", "/verify"));
        expect(account.user.id).toBe(accounts.first.id);
        for (const [method, path] of [
          ["GET", "/scopes"],
          ["GET", "/credentials"],
          ["POST", "/verify"],
          ["GET", "/change-log"],
        ] as const)
          expect([path, (await room.stranger.send(method, path)).status]).toEqual([path, 401]);
        const wrong = await asToken(instance(), "not-a-token").send("GET", "/credentials");
        expect([wrong.status, wrong.body.fields]).toEqual([401, []]);
        const profile = await ok(room.ann.send("GET", `/users/${room.ann.userId}/linked/identity`));
        expect(profile).toMatchObject({ name: "Ann Example", email: "ann@example.org" });
        expect((await room.bob.send("GET", `/users/${room.ann.userId}/linked/identity`)).status).toBe(404);
        expect((await room.ann.send("GET", `/users/${room.ann.userId}/linked/account`)).status).toBe(404);
      });
    });

    describe("assignments", () => {
      it("are made, changed, found and deleted", async () => {
        const made = await assign({ name: "Überschwemmung in München", description: "Zeigt uns den Fluss." });
        expect(made).toMatchObject({
          urlWords: "uberschwemmung-in-munchen",
          open: true,
          ownedBy: room.ann.userId,
        });
        const again = await assign({ name: "Überschwemmung in München" });
        expect(again.urlWords).toBe("uberschwemmung-in-munchen-2");
        expect((await assign({ name: "洪水" })).urlWords).toMatch(/^[a-z]+/);
        const taken = await room.ann.send("POST", "/assignments", { name: "x", urlWords: again.urlWords });
        expect([taken.status, taken.body.fields[0].name]).toEqual([400, "urlWords"]);
        const changed = await ok(
          room.ann.send("POST", "/assignments", { id: made.id, moderator: room.cleo.userId }),
        );
        expect(changed).toMatchObject({ name: made.name, moderator: room.cleo.userId });
        expect((await room.bob.send("POST", "/assignments", { id: made.id, name: "mine" })).status).toBe(403);
        expect((await room.ann.send("POST", "/assignments", {})).status).toBe(400);
        const listed = async (query: string) => {
          const answered = await room.bob.send("GET", `/assignments?${query}`);
          expect(answered.status, answered.text).toBe(200);
          return [answered.body.map(({ id }: { id: string }) => id), answered.headers.get("x-total-count")];
        };
        expect(await listed("q=munch")).toEqual([[again.id, made.id], "2"]);
        expect(await listed("q=fluss%20mun")).toEqual([[made.id], "1"]);
        expect(await listed(`urlWords=${made.urlWords}`)).toEqual([[made.id], "1"]);
        expect(await listed("name=%C3%9Cberschwemmung%20in%20M%C3%BCnchen&page=2&pageSize=1")).toEqual([
          [made.id],
          "2",
        ]);
        expect(await listed("q=!!!")).toEqual([[], "0"]);
        expect((await room.bob.send("DELETE", `/assignments/${made.id}`)).status).toBe(403);
        expect((await room.ann.send("DELETE", `/assignments/${made.id}`)).status).toBe(200);
        expect((await room.ann.send("GET", `/assignments/${made.id}`)).status).toBe(404);
      });

      it("open and close on the clock, and are seen after their embargo", async () => {
        const at = (minutes: number) => new Date(instance().clock.nowMs() + minutes * 60_000).toISOString();
        const later = await assign({ name: "Later", starts: at(10), ends: at(20), embargo: at(15) });
        expect(later.open).toBe(false);
        expect(await statuses(`/assignments/${later.id}`)).toEqual({
          account: 200,
          ann: 200,
          bob: 404,
          cleo: 404,
          stranger: 401,
        });
        const early = await room.ann.send("POST", "/contributions", {
          assignment: { id: later.id },
          headline: "x",
        });
        expect(early.status).toBe(409);
        await instance().clock.advance("12m");
        await contribute(later.id, {}, room.ann);
        const hidden = await room.bob.send("GET", `/contributions?assignment=${later.id}`);
        expect([hidden.body, hidden.headers.get("x-total-count")]).toEqual([[], "0"]);
        await instance().clock.advance("5m");
        expect(await statuses(`/assignments/${later.id}`)).toMatchObject({ bob: 200, stranger: 200 });
        expect((await room.stranger.send("GET", `/contributions?assignment=${later.id}`)).body).toHaveLength(
          1,
        );
        await instance().clock.advance("5m");
        expect((await ok(room.bob.send("GET", `/assignments/${later.id}`))).open).toBe(false);
        const ids = async (query: string) =>
          (await ok(room.ann.send("GET", `/assignments?${query}&pageSize=100`))).map(
            ({ id }: { id: string }) => id,
          );
        expect(await ids("open=false")).toContain(later.id);
        expect(await ids("open=true")).not.toContain(later.id);
        expect(await ids("alwaysOpen=false")).toContain(later.id);
        expect(
          (await room.ann.send("POST", "/assignments", { name: "x", starts: at(2), ends: at(1) })).status,
        ).toBe(400);
      });
    });

    it("keeps tags, tag sets and forms, and checks what is filled in", async () => {
      const set = await ok(room.ann.send("POST", "/tagsets", { name: "Subjects", urlWords: "subjects" }));
      const tag = await ok(
        room.ann.send("POST", "/tags", { name: "Floods", tagSet: set, colour: "#1f6feb" }),
      );
      expect(tag).toMatchObject({ urlWords: "floods", tagSet: { id: set.id, name: "Subjects" } });
      expect(await ok(room.bob.send("GET", `/tags/${tag.id}`))).toEqual(tag);
      expect(await ok(room.stranger.send("GET", `/tagsets/${set.id}`))).toEqual(set);
      expect(
        await ok(room.bob.send("GET", `/tags?ownedBy=${room.ann.userId}&tagSet=${set.id}&urlWords=floods`)),
      ).toEqual([tag]);
      expect(await ok(room.bob.send("GET", `/tagsets?urlWords=subjects`))).toEqual([set]);
      for (const path of [
        "/tags/none",
        "/tagsets/none",
        "/forms/none",
        "/form-responses/none",
        "/users/none",
      ])
        expect([path, (await room.ann.send("GET", path)).status]).toEqual([path, 404]);
      expect((await room.bob.send("POST", "/tags", { name: "x", tagSet: set })).status).toBe(400);
      const fields = [
        { name: "phone", type: "telephone", required: true },
        { name: "when", type: "select", options: ["Morning", "Evening"] },
        { name: "agree", type: "checkbox", required: true },
      ];
      const form = await ok(
        room.ann.send("POST", "/forms", { name: "Contact", fields, tags: [{ id: tag.id }] }),
      );
      expect(form).toMatchObject({ ownedBy: room.ann.userId, fields, tags: [tag] });
      expect(
        (await room.ann.send("POST", "/forms", { name: "x", fields: [{ name: "a", type: "select" }] }))
          .status,
      ).toBe(400);
      expect(await ok(room.stranger.send("GET", `/forms?ownedBy=${room.ann.userId}`))).toEqual([form]);
      expect(await ok(room.bob.send("GET", `/forms/${form.id}`))).toEqual(form);
      const fill = (responses: object) =>
        room.bob.send("POST", "/form-responses", { form: form.id, responses });
      const wrong = await fill({ phone: "call me", when: "Noon", agree: "false", more: "x" });
      expect([wrong.status, wrong.body.fields.map(({ name }: { name: string }) => name).sort()]).toEqual([
        400,
        ["agree", "more", "phone", "when"],
      ]);
      const filled = await ok(fill({ phone: "+44 20 7946 0000", when: "Morning", agree: "true" }));
      expect(filled).toMatchObject({ form: form.id, user: room.bob.userId });
      expect(await statuses(`/form-responses/${filled.id}`)).toEqual({
        account: 200,
        ann: 200,
        bob: 200,
        cleo: 404,
        stranger: 401,
      });
      const seen = async (name: "ann" | "bob" | "cleo") =>
        (await room[name].send("GET", `/form-responses?form=${form.id}`)).headers.get("x-total-count");
      expect([await seen("ann"), await seen("bob"), await seen("cleo")]).toEqual(["1", "1", "0"]);
      const assignment = await assign({ form: form.id, tags: [{ id: tag.id }] });
      const refused = await room.bob.send("POST", "/contributions", {
        assignment: { id: assignment.id },
        headline: "x",
      });
      expect([refused.status, refused.body.fields.length]).toEqual([400, 2]);
      const sent = await contribute(assignment.id, {
        responses: { phone: "+44 20", agree: "true" },
        tags: [{ id: tag.id }],
      });
      expect(sent.formResponse).toEqual(expect.any(String));
      expect((await ok(room.cleo.send("GET", `/contributions/${sent.id}`))).formResponse).toBeUndefined();
      expect(
        (await ok(room.bob.send("GET", `/contributions?tags=${tag.id}`))).map(({ id }: { id: string }) => id),
      ).toEqual([sent.id]);
      expect((await room.bob.send("DELETE", `/forms/${form.id}`)).status).toBe(403);
      expect((await room.ann.send("DELETE", `/forms/${form.id}`)).status).toBe(200);
      await eventually(
        async () => (await room.bob.send("GET", `/form-responses/${filled.id}`)).status === 404,
      );
      expect((await ok(room.ann.send("GET", `/assignments/${assignment.id}`))).form).toBeUndefined();
    });

    it("waits for a moderator where the assignment says so, and tells nobody before", async () => {
      const { id } = await assign({
        moderation: "before",
        moderator: room.cleo.userId,
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
      const stranger = await room.stranger.send("GET", `/contributions?assignment=${id}`);
      expect([stranger.body, stranger.headers.get("x-total-count")]).toEqual([[], "0"]);
      for (const query of ["q=heron", "country=FR", "geohash=u05k", "latLong=45.76,4.84&radius=50"]) {
        const counted = await ok(
          room.stranger.send("GET", `/contribution-refinements?assignment=${id}&${query}`),
        );
        expect(Object.values(counted).flat()).toEqual([]);
      }
      expect(
        (await room.stranger.send("GET", `/contributions?assignment=${id}&format=rss`)).text,
      ).not.toContain("heron");
      const moderate = (by: keyof Newsroom & ("ann" | "bob" | "cleo" | "stranger"), action: string) =>
        room[by].send("POST", `${path}/moderate`, { action: { id: action }, notes: "seen" });
      expect((await moderate("bob", "approve")).status).toBe(403);
      expect((await moderate("stranger", "approve")).status).toBe(401);
      expect((await moderate("cleo", "praise")).status).toBe(400);
      const approved = await moderate("cleo", "approve");
      expect([approved.status, approved.body]).toEqual([200, "approved"]);
      const shown = await ok(room.stranger.send("GET", path));
      expect(shown.place.geohash).toHaveLength(4);
      expect(shown.place.latLong).not.toEqual(LYON.latLong);
      expect(shown).not.toHaveProperty("via");
      expect(JSON.stringify(shown)).not.toContain("Quai");
      const full = await ok(room.cleo.send("GET", path));
      expect(full.place).toMatchObject({ ...LYON, name: "Quai 7, Lyon", country: "FR" });
      expect(full.moderationHistory).toMatchObject([
        { action: { id: "approve" }, notes: "seen", user: room.cleo.userId },
      ]);
      expect(full.via.authority.client.name).toBe("Newsroom");
      for (const action of ["hold", "reject", "flag", "approve"])
        expect((await moderate("ann", action)).status).toBe(200);
      const titles = (await ok(room.cleo.send("GET", `/change-log?assignment=${id}`))).map(
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
        (await ok(room.bob.send("GET", `/change-log?assignment=${id}`))).map(
          ({ type }: { type: string }) => type,
        ),
      ).toEqual(["contribution.created"]);
    });

    it("counts each like once, also of many at once", async () => {
      const { id } = await assign();
      const sent = await contribute(id);
      const likers = [room.account, room.ann, room.bob, room.cleo];
      const counts = await Promise.all(
        [...likers, ...likers, ...likers].map(async (by) =>
          ok(by.send("POST", `/contributions/${sent.id}/like`)),
        ),
      );
      expect(Math.max(...counts)).toBe(4);
      expect((await ok(room.bob.send("GET", `/contributions/${sent.id}`))).likes).toBe(4);
      expect((await ok(room.stranger.send("GET", `/contributions/${sent.id}/likes`))).sort()).toEqual(
        likers.map(({ userId }) => userId).sort(),
      );
      expect((await room.stranger.send("POST", `/contributions/${sent.id}/like`)).status).toBe(401);
    });

    it("hides what enough people flag, until a moderator approves it", async () => {
      const { id } = await assign({ flagsHide: 3 });
      const sent = await contribute(id);
      const flag = (by: Newsroom["ann"], type = "privacy") =>
        by.send("POST", `/contributions/${sent.id}/flag`, { type, notes: "a face" });
      const first = await flag(room.cleo);
      expect([first.status, first.body.type]).toEqual([200, "privacy"]);
      expect((await flag(room.cleo, "spam")).body).toEqual(first.body);
      expect((await flag(room.stranger)).status).toBe(200);
      expect((await flag(room.stranger)).status).toBe(200);
      expect((await flag(room.ann, "dull")).status).toBe(400);
      expect(await statuses(`/contributions/${sent.id}`)).toMatchObject({ stranger: 200 });
      expect((await flag(room.bob)).status).toBe(200);
      expect(await statuses(`/contributions/${sent.id}`)).toMatchObject({
        ann: 200,
        bob: 200,
        cleo: 404,
        stranger: 401,
      });
      const seen = await ok(room.ann.send("GET", `/contributions/${sent.id}`));
      expect([seen.moderationState.id, seen.flags]).toEqual(["flagged", 3]);
      await ok(room.ann.send("POST", `/contributions/${sent.id}/moderate`, { action: { id: "approve" } }));
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
          (await room.bob.send("POST", "/contributions", { assignment: { id }, headline: "x", place }))
            .status,
        ).toBe(400);
      expect((await room.bob.send("POST", "/contributions", { assignment: { id } })).status).toBe(400);
      expect(
        (await room.bob.send("POST", "/contributions", { assignment: { id: "none" }, headline: "x" })).status,
      ).toBe(404);
      const media = await assign({ mediaRequired: true });
      expect(
        (await room.bob.send("POST", "/contributions", { assignment: { id: media.id }, headline: "x" }))
          .status,
      ).toBe(400);
    });

    it("pages by number and by a link that nothing new shifts, and feeds", async () => {
      const { id } = await assign({ name: "Pages & <feeds>" });
      const sent: string[] = [];
      for (let number = 0; number < 7; number += 1)
        sent.unshift((await contribute(id, { headline: `Number ${number} & more` })).id);
      const page = async (query: string) =>
        room.stranger.send("GET", `/contributions?assignment=${id}&${query}`);
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
    });

    it("deletes at once for everybody, and in the background what belongs to it", async () => {
      const { id } = await assign();
      const sent = await contribute(id);
      const path = `/contributions/${sent.id}`;
      expect((await room.cleo.send("DELETE", path)).status).toBe(403);
      expect((await room.stranger.send("DELETE", path)).status).toBe(401);
      expect((await room.bob.send("DELETE", path)).body.id).toBe(sent.id);
      expect(await statuses(path)).toEqual({ account: 404, ann: 404, bob: 404, cleo: 404, stranger: 401 });
      expect((await room.bob.send("DELETE", path)).status).toBe(404);
      for (let number = 0; number < 3; number += 1) await contribute(id);
      await ok(room.ann.send("DELETE", `/assignments/${id}`));
      const left = await room.account.send("GET", `/contributions?assignment=${id}`);
      expect([left.body, left.headers.get("x-total-count")]).toEqual([[], "0"]);
    });

    it("lists people by what the caller may see of them", async () => {
      const open = await assign({ name: "Users" });
      const closed = await assign({ name: "Users, hidden", moderation: "before" });
      await contribute(open.id, { place: LYON }, room.bob);
      await contribute(open.id, {}, room.bob);
      await contribute(closed.id, {}, room.cleo);
      const names = async (by: Newsroom["ann"], query: string) => {
        const answered = await by.send("GET", `/users?${query}`);
        return [
          answered.body.map(({ username }: { username: string }) => username),
          answered.headers.get("x-total-count"),
        ];
      };
      expect(await names(room.stranger, `assignment=${open.id}`)).toEqual([["bob"], "1"]);
      expect(await names(room.bob, `assignment=${closed.id}&minimumContributions=1`)).toEqual([[], "0"]);
      expect(await names(room.ann, `assignment=${closed.id}&minimumContributions=1`)).toEqual([
        ["cleo"],
        "1",
      ]);
      expect(await names(room.ann, `assignment=${open.id}&minimumContributions=3`)).toEqual([[], "0"]);
      expect(await names(room.ann, `assignment=${open.id}&country=fr&minimumContributions=1`)).toEqual([
        ["bob"],
        "1",
      ]);
      expect(await names(room.account, "username=Cleo&linkedProfile=identity")).toEqual([["cleo"], "1"]);
      expect((await room.stranger.send("GET", `/users/${room.bob.userId}`)).body.displayName).toBe(
        "Bob Example",
      );
    });

    it("refines by counts under the same filters", async () => {
      const { id } = await assign({ name: "Refined" });
      await contribute(id, { place: LYON });
      await contribute(id, { place: { name: "Japan" } });
      await contribute(id, { place: { name: "Japan" } }, room.cleo);
      await contribute(id);
      const types = await ok(room.stranger.send("GET", "/contribution-refinement-types"));
      const all = await ok(room.stranger.send("GET", `/contribution-refinements?assignment=${id}`));
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
        room.stranger.send(
          "GET",
          `/contribution-refinements?assignment=${id}&country=JP&refinements=user,createdMonth&refinementSize=1`,
        ),
      );
      expect(some).toEqual({
        user: [{ value: expect.any(String), count: 1 }],
        createdMonth: [{ value: new Date(instance().clock.nowMs()).toISOString().slice(0, 7), count: 2 }],
      });
      for (const query of ["refinements=colour", "refinementSize=0", "radius=5", "latLong=1", "geohash=ai"])
        expect([query, (await room.ann.send("GET", `/contribution-refinements?${query}`)).status]).toEqual([
          query,
          400,
        ]);
    });
  },
  { services: ["identity", "contributions"] },
);
