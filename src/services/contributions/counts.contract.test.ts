/** How much people and accounts may have at once: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BASE, type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { filmOf } from "../../../tests/support/films.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { isFirstPart } from "../../../tests/support/test-part.ts";

const data = mkdtempSync(join(tmpdir(), "medley-newsroom-"));
let instance: Instance;
let room: Newsroom;
beforeAll(async () => {
  instance = await startInstance({ services: ["contributions", "identity"], data });
  room = await openNewsroom(instance);
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("two thousand subscriptions of an account", async () => {
  const subscribe = async () => {
    const body = { types: ["contribution.approved"], includeBody: false, email: "a@example.org" };
    return (await room.ann.send("POST", "/subscriptions", body)).status;
  };
  expect(await subscribe()).toBe(200);
  const changed = { id: "copied.id || n", user_id: "'somebody'" };
  copyRow(data, { table: "contributions_subscription", count: 1998, changed });
  expect(await subscribe()).toBe(200);
  expect(await subscribe()).toBe(409);
});

it("five exports of a person under way", async () => {
  const begin = async () => (await room.ann.send("POST", "/export")).status;
  expect(await begin()).toBe(202);
  const leave = (count: number): void => {
    changeRows(data, (database) => database.exec("update contributions_export set finished_at = 1"));
    const changed = { id: `copied.id || '-${count}-' || n`, finished_at: "null" };
    copyRow(data, { table: "contributions_export", count, changed });
  };
  leave(4);
  expect(await begin()).toBe(202);
  leave(5);
  expect(await begin()).toBe(409);
});

it("ten files of a visitor, and so many letters of what they write", async () => {
  const { body } = await room.ann.send("POST", "/assignments", {
    name: "For all",
    alwaysOpen: true,
    allowsAnonymousContributions: true,
  });
  const contribute = (files: number, length: number) => {
    const form = new FormData();
    form.set("consent", "yes");
    for (const [name, most] of [
      ["headline", 200],
      ["body", 10_000],
      ["attribution", 200],
      ["place", 200],
    ] as const)
      form.set(name, "x".repeat(most + length));
    for (let file = 0; file < files; file += 1)
      form.append("pictures", new Blob([new Uint8Array(filmOf({ seconds: file + 1 }))]), `film-${file}.mp4`);
    return instance.send("POST", `${BASE}/pages/${body.id}/contributions`, { body: form });
  };
  const refused = await contribute(11, 0);
  expect([refused.status, refused.text.includes("At most 10 pictures and films at once.")]).toEqual([
    400,
    true,
  ]);
  const taken = await contribute(10, 1);
  expect(taken.status).toBe(303);
  const { body: found } = await room.ann.send("GET", `/contributions?assignment=${body.id}`);
  const [{ headline, body: text, attribution, place, mediaUsages }] = found;
  const lengths = [headline, text, attribution, place.name, mediaUsages].map(({ length }) => length);
  expect(lengths).toEqual([200, 10_000, 200, 200, 10]);
});

it.skipIf(isFirstPart())("64 MiB of a picture that is shown", async () => {
  const background = { r: 30, g: 90, b: 160 };
  const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const { body: assignment } = await room.ann.send("POST", "/assignments", {
    name: "Large",
    alwaysOpen: true,
  });
  const stateOf = async (size: number) => {
    const { body: media } = await room.bob.send("POST", "/media", Buffer.concat([picture], size));
    const given = { assignment: { id: assignment.id }, headline: "The bridge", mediaUsages: [{ media }] };
    const { body: contribution } = await room.bob.send("POST", "/contributions", given);
    return eventually(async () => {
      const { body } = await room.bob.send("GET", `/contributions/${contribution.id}`);
      const { state } = body.mediaUsages[0].media;
      return state !== "stored" && state;
    }, "artifacts");
  };
  expect([await stateOf(67_108_864), await stateOf(67_108_865)]).toEqual(["ready", "failed"]);
});

it("ten thousand assignments, forms and tags of an account", async () => {
  for (const [path, table, body] of [
    ["/assignments", "contributions_assignment", { alwaysOpen: true }],
    ["/forms", "contributions_form", { fields: [{ name: "phone", type: "text", label: "Your number" }] }],
    ["/tags", "contributions_tag", {}],
  ] as const) {
    const create = async (name: string) => (await room.ann.send("POST", path, { ...body, name })).status;
    expect([path, await create("first")]).toEqual([path, 200]);
    const sql = `select count(*) as count from ${table}`;
    const { count } = changeRows(data, (database) => database.prepare(sql).get()) as { count: number };
    copyRow(data, { table, count: 9999 - count, changed: { id: "copied.id || n", ...changedOf(table) } });
    expect([path, await create("last"), await create("beyond")]).toEqual([path, 200, 409]);
  }
});
const changedOf = (table: string): Record<string, string> =>
  table !== "contributions_form" ? { url_words: "copied.url_words || n" } : {};
