/** Consequences over time, on both databases: cleared values, new blurring, closing by the clock, cascaded deletion. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { type As, deskOf, ok } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const PARIS = { latitude: 48.858333, longitude: 2.350833 };
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();

onBothDatabases(
  "the life of assignments and contributions",
  (instance) => {
    const desk = deskOf(instance);
    const at = (minutes: number) => new Date(instance().clock.nowMs() + minutes * 60_000).toISOString();
    const change = (id: string, body: object) => desk.room.ann.send("POST", "/assignments", { id, ...body });
    const countOf = async (by: As, query: string) => {
      const answered = await by.send("GET", `/contributions?${query}`);
      expect(answered.status, answered.text).toBe(200);
      return answered.headers.get("x-total-count");
    };
    const mailsTo = async (target: string): Promise<any[]> =>
      (await instance().bearer("GET", `/_medley/outbox?${new URLSearchParams({ target })}`)).body.messages;

    it("takes back what an assignment was given, where null says so", async () => {
      const { ann, cleo } = desk.room;
      const cover = await ok(ann.send("POST", "/media", await picture()));
      const form = await ok(ann.send("POST", "/forms", { name: "Contact", fields: [] }));
      const given = {
        starts: at(-5),
        ends: at(60),
        embargo: at(-1),
        moderator: cleo.userId,
        locationPrecision: 4,
        form: form.id,
        cover: { media: { id: cover.id } },
      };
      const made = await desk.assign(given);
      expect(Object.keys(made)).toEqual(expect.arrayContaining(Object.keys(given)));
      const nothing = Object.fromEntries(Object.keys(given).map((name) => [name, null]));
      const changed = await ok(change(made.id, nothing));
      for (const name of Object.keys(given)) expect(changed).not.toHaveProperty(name);
      const always = await ok(ann.send("GET", "/assignments?alwaysOpen=true&pageSize=100"));
      expect(always.map(({ id }: { id: string }) => id)).toContain(made.id);
      expect((await desk.room.ann.send("POST", "/assignments", { ...nothing, name: "New" })).status).toBe(
        200,
      );
    });

    it("lets senders change their words until somebody decides, and keeps what they said before", async () => {
      const { ann, bob, cleo, stranger } = desk.room;
      const { id: assignment } = await desk.assign();
      const sent = await ok(
        bob.send("POST", "/contributions", {
          assignment: { id: assignment },
          headline: "The old brigde",
          body: "Wet.",
        }),
      );
      const path = `/contributions/${sent.id}`;
      const found = async (q: string) => countOf(ann, `assignment=${assignment}&q=${q}`);
      const once = await ok(bob.send("PATCH", path, { headline: "The old bridge" }));
      expect(once).toMatchObject({ headline: "The old bridge", body: "Wet.", urlWords: sent.urlWords });
      expect([await found("brigde"), await found("bridge")]).toEqual(["0", "1"]);
      await ok(bob.send("PATCH", path, { body: "Very wet.", attribution: "Bob" }));
      // A PATCH with the same text changes nothing.
      await ok(bob.send("PATCH", path, { body: "Very wet." }));
      const edits = await ok(bob.send("GET", `${path}/edits`));
      expect(edits.map(({ headline, body }: any) => [headline, body])).toEqual([
        ["The old bridge", "Wet."],
        ["The old brigde", "Wet."],
      ]);
      expect(await ok(ann.send("GET", `${path}/edits`))).toEqual(edits);
      expect((await ok(ann.send("GET", path))).created).toBe(sent.created);
      expect((await ann.send("PATCH", path, { headline: "Mine" })).status).toBe(403);
      expect((await cleo.send("PATCH", path, { headline: "Mine" })).status).toBe(403);
      expect((await stranger.send("PATCH", path, { headline: "Mine" })).status).toBe(401);
      expect((await bob.send("PATCH", path, { headline: " ", body: "" })).status).toBe(400);
      await ok(ann.send("POST", `${path}/moderate`, { action: { id: "flag" } }));
      const flagged = await bob.send("PATCH", path, { headline: "Too late" });
      expect([flagged.status, flagged.text]).toEqual([
        409,
        expect.stringContaining("until a moderator decides"),
      ]);
      await ok(ann.send("POST", `${path}/moderate`, { action: { id: "approve" } }));
      const late = await bob.send("PATCH", path, { headline: "Too late" });
      expect([late.status, late.text]).toEqual([409, expect.stringContaining("decided on")]);
      expect((await cleo.send("GET", `${path}/edits`)).status).toBe(403);
      await ok(bob.send("DELETE", path));
    });
    it("changes a contribution a hundred times at the most", async () => {
      const { bob } = desk.room;
      const { id: assignment } = await desk.assign();
      const sent = await ok(
        bob.send("POST", "/contributions", { assignment: { id: assignment }, headline: "0" }),
      );
      for (let count = 1; count <= 100; count += 1)
        await ok(bob.send("PATCH", `/contributions/${sent.id}`, { headline: String(count) }));
      expect((await bob.send("PATCH", `/contributions/${sent.id}`, { headline: "101" })).status).toBe(409);
    });

    it("names as a moderator only somebody who is there", async () => {
      const { id } = await desk.assign();
      const refused = await change(id, { moderator: "usr_nobody" });
      expect([refused.status, refused.body.fields?.[0]?.name]).toEqual([400, "moderator"]);
    });

    it("blurs what is there already when an assignment begins to blur, and shows it again when it ends", async () => {
      const { stranger, bob } = desk.room;
      const { id } = await desk.assign();
      const sent = await desk.contribute(id, { place: { latLong: PARIS, name: "Rue de Rivoli" } });
      await ok(bob.send("POST", `/contributions/${sent.id}/like`));
      const within = `assignment=${id}&latLong=${PARIS.latitude},${PARIS.longitude}&radius=1`;
      expect([await countOf(stranger, within), await countOf(stranger, `${within}&q=bridge`)]).toEqual([
        "1",
        "1",
      ]);
      const seenBy = async (by: As) => (await ok(by.send("GET", `/contributions/${sent.id}`))).place;
      const settles = (precision: number | null, geohash: string | undefined) => async () => {
        await ok(change(id, { locationPrecision: precision }));
        await eventually(async () => (await seenBy(stranger))?.geohash === geohash, `a geohash ${geohash}`);
      };
      await settles(3, "u09")();
      expect((await seenBy(stranger)).name).toBeUndefined();
      expect(await seenBy(bob)).toMatchObject({ latLong: PARIS, name: "Rue de Rivoli" });
      for (const query of [within, `${within}&q=bridge`, `assignment=${id}&geohash=u09tvqr&q=bridge`])
        expect(await countOf(stranger, query), query).toBe("0");
      expect(await countOf(stranger, `assignment=${id}&geohash=u09&q=bridge`)).toBe("1");
      const { geohash } = await ok(
        stranger.send("GET", `/contribution-refinements?assignment=${id}&refinements=geohash`),
      );
      expect(geohash).toEqual([{ value: "u09", count: 1 }]);
      await settles(0, undefined)();
      expect(await countOf(stranger, `assignment=${id}&hasLocation=true`)).toBe("0");
      await settles(null, "u09tvqru6m")();
      expect([await countOf(stranger, within), await countOf(stranger, `${within}&q=bridge`)]).toEqual([
        "1",
        "1",
      ]);
      expect(await ok(bob.send("GET", `/contributions/${sent.id}/likes`))).toEqual([bob.userId]);
    });

    it("tells those who decide what people flagged it for, and nobody else", async () => {
      const { ann, bob, cleo } = desk.room;
      const { id } = await desk.contribute((await desk.assign()).id);
      await ok(
        cleo.send("POST", `/contributions/${id}/flag`, {
          type: "privacy",
          notes: "A face.",
          email: "c@x.org",
        }),
      );
      expect(await ok(ann.send("GET", `/contributions/${id}`))).toMatchObject({
        flags: 1,
        flagReasons: [{ type: "privacy", notes: "A face.", email: "c@x.org" }],
      });
      for (const by of [bob, cleo])
        expect(await ok(by.send("GET", `/contributions/${id}`))).not.toHaveProperty("flagReasons");
    });

    it("shows everybody what a form's public fields were filled in with, and nothing of the others", async () => {
      const { ann, stranger } = desk.room;
      const fields = [
        { name: "street", label: "Which street?", type: "text", public: true },
        { name: "phone", type: "telephone" },
        { name: "flooded", type: "checkbox", public: true },
      ];
      const form = await ok(ann.send("POST", "/forms", { name: "Street", fields }));
      const { id, webUrl } = await desk.assign({ form: form.id });
      const responses = { street: "Quai <b>", phone: "+33 4 72", flooded: "true" };
      const sent = await desk.contribute(id, { responses });
      const seen = await stranger.send("GET", `/contributions/${sent.id}`);
      expect(seen.body.publicAnswers).toEqual([
        { name: "street", label: "Which street?", type: "text", value: "Quai <b>" },
        { name: "flooded", label: "flooded", type: "checkbox", value: "true" },
      ]);
      const page = await instance().send("GET", webUrl);
      expect([page.text.includes("Quai &lt;b&gt;"), page.text.includes("+33 4 72")]).toEqual([true, false]);
      expect(seen.text).not.toContain("+33 4 72");
      await desk.contribute(id, {}, ann);
    });

    it("forgets with a form what people filled in, also where contributions name it", async () => {
      const { ann, bob } = desk.room;
      const form = await ok(
        ann.send("POST", "/forms", { name: "Contact", fields: [{ name: "phone", type: "telephone" }] }),
      );
      const { id } = await desk.assign({ form: form.id });
      const sent = await desk.contribute(id, { responses: { phone: "+44 20" } });
      await ok(ann.send("DELETE", `/forms/${form.id}`));
      await eventually(
        async () => !("formResponse" in (await ok(bob.send("GET", `/contributions/${sent.id}`)))),
        "a contribution without a response",
      );
    });

    it("ends with an assignment its cover and what people wanted to hear of it", async () => {
      const { ann, cleo } = desk.room;
      const cover = await ok(ann.send("POST", "/media", await picture()));
      const { id } = await desk.assign({ cover: { media: { id: cover.id } } });
      const hearing = { types: ["contribution.created"], includeBody: false, email: "cleo@example.org" };
      const mine = await ok(cleo.send("POST", "/subscriptions", { ...hearing, assignment: id }));
      const other = await ok(cleo.send("POST", "/subscriptions", hearing));
      await ok(ann.send("DELETE", `/assignments/${id}`));
      await eventually(
        async () => (await ann.send("GET", `/media/${cover.id}/original`)).status === 404,
        "the end of the cover",
      );
      await eventually(async () => {
        const left = (await ok(cleo.send("GET", "/subscriptions"))).map((one: { id: string }) => one.id);
        return left.includes(other.id) && !left.includes(mine.id);
      }, "the end of the subscription");
    });

    it("notes that an assignment opened and closed when its time had come, and as it is now", async () => {
      const { ann, account } = desk.room;
      const types = ["assignment.opened", "assignment.closed"];
      await ok(
        account.send("POST", "/subscriptions", { types, includeBody: false, email: "clock@example.org" }),
      );
      const { id } = await desk.assign({ starts: at(10), ends: at(20) });
      const moved = await desk.assign({ ends: at(20) });
      await ok(change(moved.id, { ends: at(40) }));
      const gone = await desk.assign({ ends: at(20) });
      await ok(ann.send("DELETE", `/assignments/${gone.id}`));
      const heard = async (assignment: string) =>
        (await ok(account.send("GET", `/change-log?assignment=${assignment}`)))
          .map(({ type }: { type: string }) => type)
          .filter((type: string) => types.includes(type))
          .reverse();
      await instance().clock.advance("15m");
      expect(await heard(id)).toEqual(["assignment.opened"]);
      await instance().clock.advance("10m");
      expect([await heard(id), await heard(moved.id), await heard(gone.id)]).toEqual([types, [], []]);
      await instance().clock.advance("20m");
      expect(await heard(moved.id)).toEqual(["assignment.closed"]);
      await eventually(async () => (await mailsTo("clock@example.org")).length === 3, "mails");
      const [mail] = await mailsTo("clock@example.org");
      expect([mail.subject, mail.body.text.match(/The flood/g).length]).toEqual([
        "The assignment “The flood” takes no more contributions",
        1,
      ]);
    });

    it("tells everything that happens in its order: in the log, and to whoever wants to hear of it all", async () => {
      const { ann, bob, cleo, account } = desk.room;
      const all: string[] = (await ok(account.send("GET", "/subscription-types"))).map(
        ({ id }: { id: string }) => id,
      );
      expect(await ok(account.send("GET", "/event-types"))).toEqual(
        await ok(account.send("GET", "/subscription-types")),
      );
      const before = Number((await account.send("GET", "/change-log")).headers.get("x-total-count"));
      await ok(
        account.send("POST", "/subscriptions", { types: all, includeBody: false, email: "all@example.org" }),
      );
      await ok(ann.send("POST", "/tagsets", { name: "Order", urlWords: "order" }));
      await ok(ann.send("POST", "/tags", { name: "Order" }));
      const form = await ok(
        ann.send("POST", "/forms", { name: "Order", fields: [{ name: "a", type: "text" }] }),
      );
      const { id } = await desk.assign({ form: form.id, flagsHide: 1 });
      const sent = await desk.contribute(id, {
        responses: { a: "x" },
        attribution: "B. Example",
        externalIds: { newsroom: "2030-17" },
      });
      expect(sent).toMatchObject({ attribution: "B. Example", externalIds: { newsroom: "2030-17" } });
      await ok(bob.send("PATCH", `/contributions/${sent.id}`, { body: "More of it." }));
      await ok(bob.send("POST", `/contributions/${sent.id}/like`));
      await ok(cleo.send("POST", `/contributions/${sent.id}/flag`, { type: "spam" }));
      for (const action of ["approve", "hold", "reject"])
        await ok(ann.send("POST", `/contributions/${sent.id}/moderate`, { action: { id: action } }));
      await ok(change(id, { ends: at(-1) }));
      await ok(change(id, { ends: null }));
      await ok(bob.send("DELETE", `/contributions/${sent.id}`));
      await ok(ann.send("DELETE", `/forms/${form.id}`));
      await ok(ann.send("DELETE", `/assignments/${id}`));
      const happened = [
        "tagset.created",
        "tag.created",
        "form.created",
        "assignment.created",
        "form-response.created",
        "contribution.created",
        "contribution.changed",
        "contribution.liked",
        "contribution.flagged",
        "contribution.hidden",
        "contribution.approved",
        "contribution.held",
        "contribution.rejected",
        "assignment.changed",
        "assignment.closed",
        "assignment.changed",
        "assignment.opened",
        "contribution.deleted",
        "form.deleted",
        "assignment.deleted",
      ];
      expect([...new Set(happened)].sort()).toEqual([...all].sort());
      const log = await account.send("GET", "/change-log?pageSize=100");
      expect(Number(log.headers.get("x-total-count"))).toBe(before + happened.length);
      const noted = log.body.slice(0, happened.length).reverse();
      expect(noted.map(({ type }: { type: string }) => type)).toEqual(happened);
      expect(noted.map(({ date }: { date: string }) => date)).toEqual(
        noted.map(({ date }: { date: string }) => date).sort(),
      );
      await eventually(
        async () => (await mailsTo("all@example.org")).length === happened.length,
        "all mails",
      );
    });

    it("tells of a picture that came a moment ago, and not the name of a place that is blurred", async () => {
      const { ann, bob, cleo } = desk.room;
      const { id } = await desk.assign({ locationPrecision: 3 });
      const hearing = {
        types: ["contribution.created"],
        includeBody: true,
        includeThumbnail: true,
        assignment: id,
      };
      await ok(cleo.send("POST", "/subscriptions", { ...hearing, email: "reader@example.org" }));
      await ok(ann.send("POST", "/subscriptions", { ...hearing, email: "editor@example.org" }));
      const media = await ok(bob.send("POST", "/media", await picture()));
      const place = { latLong: PARIS, name: "12 Rue Secrète" };
      await desk.contribute(id, { place, mediaUsages: [{ media: { id: media.id } }] });
      const [reader, editor] = await eventually(async () => {
        const [[toReader], [toEditor]] = [
          await mailsTo("reader@example.org"),
          await mailsTo("editor@example.org"),
        ];
        return toReader && toEditor && [JSON.stringify(toReader), JSON.stringify(toEditor)];
      }, "both mails");
      expect([reader!.includes("Rue Secrète"), editor!.includes("Rue Secrète")]).toEqual([false, true]);
      for (const mail of [reader, editor]) expect(mail).toContain(`/media/${media.id}/thumbnail`);
    });
  },
  { services: ["identity", "contributions"] },
);
