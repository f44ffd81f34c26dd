/** Access, assignments, tags, forms and people over HTTP, on both databases. */
import { describe, expect, it } from "vitest";
import { asToken, BASE, deskOf, type Newsroom, ok } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { TestBrowser } from "../../../tests/support/identity-browser.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const LYON = { latLong: { latitude: 45.76, longitude: 4.84 } };

onBothDatabases(
  "assignments of contributions",
  (instance) => {
    const desk = deskOf(instance);
    const { assign, contribute, statuses } = desk;

    describe("access", () => {
      it("gives a token for a name and password to a registered client", async () => {
        const form = {
          grant_type: "password",
          username: "ann",
          password: "ann-password-1",
          client_id: desk.room.client.id,
          client_secret: desk.room.client.secret,
        };
        const ask = async (change: object, headers: Record<string, string> = {}) => {
          const given = Object.entries({ ...form, ...change }).filter(([, value]) => value !== undefined);
          const body = new URLSearchParams(given as [string, string][]);
          const answered = await instance().send("POST", `${BASE}/token`, { body, headers });
          return [answered.status, answered.body.error ?? answered.body.scope];
        };
        const basic = Buffer.from(`${desk.room.client.id}:${desk.room.client.secret}`).toString("base64");
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
        const types = await ok(desk.room.stranger.send("GET", "/event-types"));
        expect(types.length).toBeGreaterThan(5);
        for (const type of types)
          expect(type).toMatchObject({ id: expect.any(String), name: expect.any(String) });
      });

      it("tells the truth about the caller", async () => {
        expect(await ok(desk.room.ann.send("GET", "/scopes"))).toEqual(["full"]);
        const verified = await ok(desk.room.ann.send("POST", "/verify"));
        expect(verified).toMatchObject({
          client: { id: desk.room.client.id, name: "Newsroom" },
          user: { username: "ann", displayName: "Ann Example" },
        });
        const credentials = await ok(desk.room.ann.send("GET", "/credentials"));
        expect(credentials[0]).toEqual({
          type: "token",
          user: desk.room.ann.userId,
          scopes: ["full"],
          value: desk.room.client.id,
        });
        const account = await ok(desk.room.account.send("POST", "/verify"));
        expect(account.user.id).toBe(accounts.first.id);
        for (const [method, path] of [
          ["GET", "/scopes"],
          ["GET", "/credentials"],
          ["POST", "/verify"],
          ["GET", "/change-log"],
        ] as const)
          expect([path, (await desk.room.stranger.send(method, path)).status]).toEqual([path, 401]);
        const wrong = await asToken(instance(), "not-a-token").send("GET", "/credentials");
        expect([wrong.status, wrong.body.fields]).toEqual([401, []]);
        const profile = await ok(desk.room.ann.send("GET", `/users/${desk.room.ann.userId}/linked/identity`));
        expect(profile).toMatchObject({ name: "Ann Example", email: "ann@example.org" });
        expect(
          (await desk.room.bob.send("GET", `/users/${desk.room.ann.userId}/linked/identity`)).status,
        ).toBe(404);
        expect(
          (await desk.room.ann.send("GET", `/users/${desk.room.ann.userId}/linked/account`)).status,
        ).toBe(404);
      });
    });

    describe("assignments", () => {
      it("are made, changed, found and deleted", async () => {
        const made = await assign({ name: "Überschwemmung in München", description: "Zeigt uns den Fluss." });
        expect(made).toMatchObject({
          urlWords: "uberschwemmung-in-munchen",
          open: true,
          ownedBy: desk.room.ann.userId,
        });
        const again = await assign({ name: "Überschwemmung in München" });
        expect(again.urlWords).toBe("uberschwemmung-in-munchen-2");
        expect((await assign({ name: "洪水" })).urlWords).toMatch(/^[a-z]+/);
        const others = await ok(desk.room.bob.send("POST", "/assignments", { name: made.name }));
        expect(others.urlWords).toBe(made.urlWords);
        await ok(desk.room.bob.send("DELETE", `/assignments/${others.id}`));
        const taken = await desk.room.ann.send("POST", "/assignments", {
          name: "x",
          urlWords: again.urlWords,
        });
        expect([taken.status, taken.body.fields[0].name]).toEqual([400, "urlWords"]);
        const changed = await ok(
          desk.room.ann.send("POST", "/assignments", { id: made.id, moderator: desk.room.cleo.userId }),
        );
        expect(changed).toMatchObject({ name: made.name, moderator: desk.room.cleo.userId });
        expect((await desk.room.bob.send("POST", "/assignments", { id: made.id, name: "mine" })).status).toBe(
          403,
        );
        expect((await desk.room.ann.send("POST", "/assignments", {})).status).toBe(400);
        const listed = async (query: string) => {
          const answered = await desk.room.bob.send("GET", `/assignments?${query}`);
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
        expect((await desk.room.bob.send("DELETE", `/assignments/${made.id}`)).status).toBe(403);
        expect((await desk.room.ann.send("DELETE", `/assignments/${made.id}`)).status).toBe(200);
        expect((await desk.room.ann.send("GET", `/assignments/${made.id}`)).status).toBe(404);
      });

      it("ask with a form of their owner, and with no other", async () => {
        const { room } = desk;
        const form = { name: "Contact", fields: [{ name: "phone", type: "telephone" }] };
        const [own, others] = [
          await ok(room.ann.send("POST", "/forms", form)),
          await ok(room.bob.send("POST", "/forms", form)),
        ];
        const refused = await room.ann.send("POST", "/assignments", { name: "Form", form: others.id });
        expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("no form")]);
        await ok(room.ann.send("POST", "/assignments", { name: "Form", form: own.id }));
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
        const early = await desk.room.ann.send("POST", "/contributions", {
          assignment: { id: later.id },
          headline: "x",
        });
        expect(early.status).toBe(409);
        await instance().clock.advance("12m");
        await contribute(later.id, {}, desk.room.ann);
        const hidden = await desk.room.bob.send("GET", `/contributions?assignment=${later.id}`);
        expect([hidden.body, hidden.headers.get("x-total-count")]).toEqual([[], "0"]);
        await instance().clock.advance("5m");
        expect(await statuses(`/assignments/${later.id}`)).toMatchObject({ bob: 200, stranger: 200 });
        expect(
          (await desk.room.stranger.send("GET", `/contributions?assignment=${later.id}`)).body,
        ).toHaveLength(1);
        await instance().clock.advance("5m");
        expect((await ok(desk.room.bob.send("GET", `/assignments/${later.id}`))).open).toBe(false);
        const ids = async (query: string) =>
          (await ok(desk.room.ann.send("GET", `/assignments?${query}&pageSize=100`))).map(
            ({ id }: { id: string }) => id,
          );
        expect(await ids("open=false")).toContain(later.id);
        expect(await ids("open=true")).not.toContain(later.id);
        expect(await ids("alwaysOpen=false")).toContain(later.id);
        expect(
          (await desk.room.ann.send("POST", "/assignments", { name: "x", starts: at(2), ends: at(1) }))
            .status,
        ).toBe(400);
      });
    });

    it("keeps tags, tag sets and forms, and checks what is filled in", async () => {
      const set = await ok(
        desk.room.ann.send("POST", "/tagsets", { name: "Subjects", urlWords: "subjects" }),
      );
      const tag = await ok(
        desk.room.ann.send("POST", "/tags", { name: "Floods", tagSet: set, colour: "#1f6feb" }),
      );
      expect(tag).toMatchObject({ urlWords: "floods", tagSet: { id: set.id, name: "Subjects" } });
      expect(await ok(desk.room.bob.send("GET", `/tags/${tag.id}`))).toEqual(tag);
      expect(await ok(desk.room.stranger.send("GET", `/tagsets/${set.id}`))).toEqual(set);
      expect(
        await ok(
          desk.room.bob.send("GET", `/tags?ownedBy=${desk.room.ann.userId}&tagSet=${set.id}&urlWords=floods`),
        ),
      ).toEqual([tag]);
      expect(await ok(desk.room.bob.send("GET", `/tagsets?urlWords=subjects`))).toEqual([set]);
      for (const path of [
        "/tags/none",
        "/tagsets/none",
        "/forms/none",
        "/form-responses/none",
        "/users/none",
      ])
        expect([path, (await desk.room.ann.send("GET", path)).status]).toEqual([path, 404]);
      expect((await desk.room.bob.send("POST", "/tags", { name: "x", tagSet: set })).status).toBe(400);
      const fields = [
        { name: "phone", type: "telephone", required: true },
        { name: "when", type: "select", options: ["Morning", "Evening"] },
        { name: "agree", type: "checkbox", required: true },
      ];
      const form = await ok(
        desk.room.ann.send("POST", "/forms", { name: "Contact", fields, tags: [{ id: tag.id }] }),
      );
      expect(form).toMatchObject({ ownedBy: desk.room.ann.userId, fields, tags: [tag] });
      expect(
        (await desk.room.ann.send("POST", "/forms", { name: "x", fields: [{ name: "a", type: "select" }] }))
          .status,
      ).toBe(400);
      const listed = await ok(desk.room.stranger.send("GET", `/forms?ownedBy=${desk.room.ann.userId}`));
      expect(listed.filter(({ tags }: { tags: unknown[] }) => tags.length > 0)).toEqual([form]);
      expect(new Set(listed.map(({ ownedBy }: { ownedBy: string }) => ownedBy))).toEqual(
        new Set([form.ownedBy]),
      );
      expect(await ok(desk.room.bob.send("GET", `/forms/${form.id}`))).toEqual(form);
      const fill = (responses: object) =>
        desk.room.bob.send("POST", "/form-responses", { form: form.id, responses });
      const wrong = await fill({ phone: "call me", when: "Noon", agree: "false", more: "x" });
      expect([wrong.status, wrong.body.fields.map(({ name }: { name: string }) => name).sort()]).toEqual([
        400,
        ["agree", "more", "phone", "when"],
      ]);
      const filled = await ok(fill({ phone: "+44 20 7946 0000", when: "Morning", agree: "true" }));
      expect(filled).toMatchObject({ form: form.id, user: desk.room.bob.userId });
      expect(await statuses(`/form-responses/${filled.id}`)).toEqual({
        account: 200,
        ann: 200,
        bob: 200,
        cleo: 404,
        stranger: 401,
      });
      const seen = async (name: "ann" | "bob" | "cleo") =>
        (await desk.room[name].send("GET", `/form-responses?form=${form.id}`)).headers.get("x-total-count");
      expect([await seen("ann"), await seen("bob"), await seen("cleo")]).toEqual(["1", "1", "0"]);
      const assignment = await assign({ form: form.id, tags: [{ id: tag.id }] });
      const refused = await desk.room.bob.send("POST", "/contributions", {
        assignment: { id: assignment.id },
        headline: "x",
      });
      expect([refused.status, refused.body.fields.length]).toEqual([400, 2]);
      const sent = await contribute(assignment.id, {
        responses: { phone: "+44 20", agree: "true" },
        tags: [{ id: tag.id }],
      });
      expect(sent.formResponse).toEqual(expect.any(String));
      expect(
        (await ok(desk.room.cleo.send("GET", `/contributions/${sent.id}`))).formResponse,
      ).toBeUndefined();
      expect(
        (await ok(desk.room.bob.send("GET", `/contributions?tags=${tag.id}`))).map(
          ({ id }: { id: string }) => id,
        ),
      ).toEqual([sent.id]);
      expect((await desk.room.bob.send("DELETE", `/forms/${form.id}`)).status).toBe(403);
      expect((await desk.room.ann.send("DELETE", `/forms/${form.id}`)).status).toBe(200);
      await eventually(
        async () => (await desk.room.bob.send("GET", `/form-responses/${filled.id}`)).status === 404,
      );
      expect((await ok(desk.room.ann.send("GET", `/assignments/${assignment.id}`))).form).toBeUndefined();
    });

    it("knows people by the names that they have now", async () => {
      const browser = new TestBrowser(instance());
      const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);
      const person = { username: "cleo", password: "cleo-password-1" };
      await browser.submit(await browser.open("/identity/sign-in"), ending("/sign-in"), person);
      const profile = await browser.open("/identity/account");
      await browser.submit(profile, ending("/account/profile"), { name: "Cleo Renamed" });
      const { user } = await ok(desk.room.cleo.send("POST", "/verify"));
      expect(user.displayName).toBe("Cleo Renamed");
      expect(await ok(desk.room.account.send("GET", `/users/${user.id}`))).toEqual(user);
    });

    it("lists people by what the caller may see of them", async () => {
      const open = await assign({ name: "Users" });
      const closed = await assign({ name: "Users, hidden", moderation: "before" });
      await contribute(open.id, { place: LYON }, desk.room.bob);
      await contribute(open.id, {}, desk.room.bob);
      await contribute(closed.id, {}, desk.room.cleo);
      const names = async (by: Newsroom["ann"], query: string) => {
        const answered = await by.send("GET", `/users?${query}`);
        return [
          answered.body.map(({ username }: { username: string }) => username),
          answered.headers.get("x-total-count"),
        ];
      };
      expect(await names(desk.room.stranger, `assignment=${open.id}`)).toEqual([["bob"], "1"]);
      expect(await names(desk.room.bob, `assignment=${closed.id}&minimumContributions=1`)).toEqual([[], "0"]);
      expect(await names(desk.room.ann, `assignment=${closed.id}&minimumContributions=1`)).toEqual([
        ["cleo"],
        "1",
      ]);
      expect(await names(desk.room.ann, `assignment=${open.id}&minimumContributions=3`)).toEqual([[], "0"]);
      expect(await names(desk.room.ann, `assignment=${open.id}&country=fr&minimumContributions=1`)).toEqual([
        ["bob"],
        "1",
      ]);
      expect(await names(desk.room.account, "username=Cleo&linkedProfile=identity")).toEqual([["cleo"], "1"]);
      expect((await desk.room.stranger.send("GET", `/users/${desk.room.bob.userId}`)).body.displayName).toBe(
        "Bob Example",
      );
    });
  },
  { services: ["identity", "contributions"] },
);
