/** Hidden, featured, blurred and counted contributions behave as the README says. */
import { beforeAll, expect, it } from "vitest";
import { type Newsroom, ok, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "promises of contributions",
  (instance) => {
    let room: Newsroom;
    beforeAll(async () => {
      room = await openNewsroom(instance());
    });
    const assign = async (more: object = {}): Promise<string> =>
      (await ok(room.ann.send("POST", "/assignments", { name: "The flood", moderation: "after", ...more })))
        .id;

    it("hide what was filled in with its form, and subscriptions with their assignment, at once", async () => {
      const fields = [{ name: "phone", type: "text" }];
      const form = await ok(room.ann.send("POST", "/forms", { name: "Contact", fields }));
      const responses = [];
      for (let count = 0; count < 3; count += 1)
        responses.push(
          await ok(
            room.bob.send("POST", "/form-responses", { form: form.id, responses: { phone: `${count}` } }),
          ),
        );
      expect(await ok(room.ann.send("GET", `/form-responses?form=${form.id}`))).toHaveLength(3);
      await ok(room.ann.send("DELETE", `/forms/${form.id}`));
      expect(await ok(room.ann.send("GET", `/form-responses?form=${form.id}`))).toEqual([]);
      expect(await ok(room.bob.send("GET", "/form-responses"))).toEqual([]);
      expect((await room.bob.send("GET", `/form-responses/${responses[0].id}`)).status).toBe(404);

      const id = await assign();
      const wish = {
        types: ["contribution.approved"],
        includeBody: true,
        assignment: id,
        email: "ann@example.org",
      };
      const made = await room.ann.send("POST", "/subscriptions", wish);
      expect(made.status, made.text).toBeLessThan(300);
      await ok(room.ann.send("DELETE", `/assignments/${id}`));
      const left = await ok(room.ann.send("GET", "/subscriptions"));
      expect(JSON.stringify(left)).not.toContain(id);
    });
    it("list featured assignments first, or alone", async () => {
      const tag = `Bridges ${Math.random()}`;
      const [featured, plain] = [await assign({ name: tag, featured: true }), await assign({ name: tag })];
      const list = async (query: string) =>
        (await ok(room.ann.send("GET", `/assignments?name=${encodeURIComponent(tag)}${query}`))).map(
          (one: { id: string }) => one.id,
        );
      expect(await list("")).toEqual([featured, plain]);
      expect([await list("&featured=true"), await list("&featured=false")]).toEqual([[featured], [plain]]);
    });
    it("link featured assignments on the pages of others, while everybody may see and answer them", async () => {
      const later = new Date(instance().clock.nowMs() + 3_600_000).toISOString();
      const earlier = new Date(instance().clock.nowMs() - 3_600_000).toISOString();
      const [first, plain, second, embargoed, closed] = [
        await assign({ name: "One <b>", featured: true }),
        await assign({ name: "Plain" }),
        await assign({ name: "Two", featured: true }),
        await assign({ name: "Secret", featured: true, embargo: later }),
        await assign({ name: "Over", featured: true, ends: earlier }),
      ];
      const linkedFrom = async (id: string) => {
        const { webUrl } = await ok(room.ann.send("GET", `/assignments/${id}`));
        const { text } = await instance().send("GET", webUrl, { as: null });
        const [, section = ""] = text.split('aria-labelledby="featured"');
        return [first, plain, second, embargoed, closed].filter((one) => section.includes(`/pages/${one}"`));
      };
      expect(await linkedFrom(plain as string)).toEqual([first, second]);
      expect(await linkedFrom(first as string)).toEqual([second]);
      for (const id of [first, second])
        await ok(room.ann.send("POST", "/assignments", { id, featured: false }));
      expect(await linkedFrom(plain as string)).toEqual([]);
    });
    it("show twenty-four contributions on a page, and link six featured assignments", async () => {
      const plain = await assign({ name: "Plain", allowsAnonymousContributions: true });
      const { webUrl } = await ok(room.ann.send("GET", `/assignments/${plain}`));
      const contribute = async (count: number) => {
        for (let made = 0; made < count; made += 1)
          await ok(room.bob.send("POST", "/contributions", { assignment: { id: plain }, headline: "Rain" }));
      };
      const page = async () => (await instance().send("GET", webUrl, { as: null })).text;
      const shown = async () => {
        const text = await page();
        return [text.match(/>Rain</g)?.length, text.includes("?before=")];
      };
      await contribute(24);
      expect(await shown()).toEqual([24, false]);
      await contribute(1);
      expect(await shown()).toEqual([24, true]);
      const linked = async () =>
        (await page()).split('aria-labelledby="featured"')[1]?.match(/\/pages\//g)?.length;
      const featured: string[] = [];
      for (let at = 0; at < 6; at += 1)
        featured.push(await assign({ name: `Featured ${at}`, featured: true }));
      expect(await linked()).toBe(6);
      featured.push(await assign({ name: "One more", featured: true }));
      expect(await linked()).toBe(6);
      for (const id of featured) await ok(room.ann.send("POST", "/assignments", { id, featured: false }));
    });
    it("show no country where no place is shown, and show it again where one is", async () => {
      const assignment = await assign({ locationPrecision: 0 });
      const { id } = await ok(
        room.bob.send("POST", "/contributions", {
          assignment: { id: assignment },
          headline: "Water",
          place: { latLong: { latitude: 52.09, longitude: 5.12 } },
        }),
      );
      const placeFor = async (who: "ann" | "stranger") =>
        (await ok(room[who].send("GET", `/contributions/${id}`))).place;
      expect(await placeFor("stranger")).toBeUndefined();
      expect(await placeFor("ann")).toMatchObject({ country: "NL" });
      const found = async () =>
        (await ok(room.stranger.send("GET", `/contributions?assignment=${assignment}&country=NL`))).length;
      expect(await found()).toBe(0);
      await ok(room.ann.send("POST", "/assignments", { id: assignment, locationPrecision: 3 }));
      await eventually(async () => (await placeFor("stranger"))?.country === "NL", "the country");
      expect(await found()).toBe(1);
      await ok(room.ann.send("POST", "/assignments", { id: assignment, locationPrecision: 0 }));
      await eventually(async () => (await placeFor("stranger")) === undefined, "no country");
      const summary = (format: string) =>
        room.ann.send("POST", `/export-summary?assignment=${assignment}&format=${format}`);
      expect((await summary("none")).body).toMatchObject({ contributions: 1, media: 0, totalMediaSize: 0 });
      expect((await summary("poster")).status).toBe(400);
    });
  },
  { services: ["contributions", "identity"] },
);
