/** Sketchbook over HTTP, on both databases. */
import { expect, it } from "vitest";
import { onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";
import service from "./index.ts";

const DAY_MS = 86_400_000;

onBothDatabases(
  "sketchbook",
  (instance) => {
    const send = (method: string, below: string, options: SendOptions = {}) =>
      instance().apiKey("X-Vendor-Api-Key", method, `/sketchbook/notes${below}`, options);
    const write = async (body: object, as: SendOptions["as"] = "first") => {
      const made = await send("POST", "", { body, as });
      expect(made.status, made.text).toBe(201);
      return made.body;
    };
    const inDays = (days: number) => new Date(instance().clock.nowMs() + days * DAY_MS).toISOString();
    const reminders = async (): Promise<string[]> => {
      const { body } = await instance().bearer("GET", "/_medley/outbox?service=sketchbook&kind=mail");
      return body.messages.map(({ subject }: { subject: string }) => subject);
    };

    it("writes, reads, changes and throws away", async () => {
      const made = await write({ title: "Bread", text: "Two rye, one wheat." });
      expect(made).toEqual({
        id: expect.any(String),
        title: "Bread",
        text: "Two rye, one wheat.",
        colour: "yellow",
        words: 4,
        createdAt: expect.any(String),
        updatedAt: made.createdAt,
      });
      expect((await send("GET", `/${made.id}`)).body).toEqual(made);
      const changed = await send("PATCH", `/${made.id}`, { body: { colour: "blue" } });
      expect([changed.status, changed.body.colour, changed.body.text]).toEqual([200, "blue", made.text]);
      expect((await send("DELETE", `/${made.id}`)).status).toBe(204);
      for (const method of ["GET", "DELETE"]) {
        const gone = await send(method, `/${made.id}`);
        expect([gone.status, gone.body.error.code]).toEqual([404, "NoteNotFound"]);
      }
      expect((await send("PATCH", `/${made.id}`, { body: {} })).status).toBe(404);
    });

    it("lists in pages that inserts do not shift, by colour", async () => {
      for (const title of ["1", "2", "3", "4", "5"]) await write({ title, colour: "green" });
      await write({ title: "other", colour: "blue" });
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const more: string = next === undefined ? "" : `&next=${encodeURIComponent(next)}`;
        const { status, body } = await send("GET", `?colour=green&size=2${more}`);
        expect(status).toBe(200);
        seen.push(...body.notes.map(({ title }: { title: string }) => title));
        if (next === undefined) await write({ title: "6", colour: "green" });
        next = body.next;
      } while (next !== undefined);
      expect(seen).toEqual(["1", "2", "3", "4", "5", "6"]);
      const { body } = await send("GET", "?colour=green&size=1");
      for (const [query, as] of [
        [`?colour=blue&size=1&next=${encodeURIComponent(body.next)}`, "first"],
        [`?colour=green&size=1&next=${encodeURIComponent(body.next)}`, "second"],
        ["?next=made-up", "first"],
        ["?size=0", "first"],
        ["?size=101", "first"],
        ["?colour=red", "first"],
      ] as const)
        expect([query, (await send("GET", query, { as })).status]).toEqual([query, 400]);
    });

    it("reminds when the time has come, once, and not of what was thrown away", async () => {
      await instance().clock.freeze();
      const kept = await write({ title: "kept", remindAt: inDays(1) });
      const moved = await write({ title: "moved", remindAt: inDays(1) });
      const dropped = await write({ title: "dropped", remindAt: inDays(1) });
      const thrown = await write({ title: "thrown", remindAt: inDays(1) });
      await send("PATCH", `/${moved.id}`, { body: { remindAt: inDays(3) } });
      await send("PATCH", `/${dropped.id}`, { body: { remindAt: null } });
      await send("DELETE", `/${thrown.id}`);
      await instance().clock.advance("36h");
      expect(await reminders()).toEqual(["kept"]);
      expect((await send("PATCH", `/${kept.id}`, { body: { colour: "blue" } })).status).toBe(200);
      await instance().clock.advance("72h");
      expect((await reminders()).sort()).toEqual(["kept", "moved"]);
      const late = await send("POST", "", { body: { title: "late", remindAt: inDays(-1) } });
      expect([late.status, late.body.error.code]).toEqual([400, "ReminderInThePast"]);
    });

    it("refuses what is no note, and keeps accounts apart", async () => {
      for (const body of [
        {},
        { title: "" },
        { title: "a".repeat(201) },
        { title: 7 },
        { title: "a", remindAt: "soon" },
      ])
        expect([body, (await send("POST", "", { body })).status]).toEqual([body, 400]);
      expect(
        (await send("POST", "", { body: "{", headers: { "content-type": "application/json" } })).status,
      ).toBe(400);
      const { id } = await write({ title: "mine" });
      for (const method of ["GET", "PATCH", "DELETE"])
        expect(
          (await send(method, `/${id}`, { as: "second", body: method === "PATCH" ? {} : undefined })).status,
        ).toBe(404);
      expect((await send("GET", "", { as: null })).status).toBe(401);
    });

    it("answers in the maker's words when it is asked in them", async () => {
      const made = await instance().apiKey("X-Maker-Api-Key", "POST", "/sketchbook/notes", {
        body: { title: "theirs", color: "green" },
      });
      expect([made.status, made.body.color, made.body.colour]).toEqual([201, "green", undefined]);
    });
  },
  { services: [], extraServices: [service] },
);
