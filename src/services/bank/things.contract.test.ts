/** Notes and pictures on twenty kinds of records, two hundred operations, and no access for other users. */

import { afterAll, beforeAll, expect, it } from "vitest";
import { type BankPerson, newHolder } from "../../../tests/support/bank-people.ts";
import {
  filledIn,
  makeFurtherThings,
  makeThings,
  PICTURE,
  readablePaths,
} from "../../../tests/support/bank-things.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { noteOperations } from "./access/index.ts";

let running: Instance | undefined;
let ann: BankPerson;
let bob: BankPerson;
let things: Record<string, number | string>;
const instance = () => running!;
beforeAll(async () => {
  running = await startInstance({ services: ["bank"], bankRateLimit: 0 });
  [ann, bob] = await Promise.all([newHolder(instance), newHolder(instance)]);
  const uploaded = await instance().send("POST", `/bank/v1${ann.ledger}/attachment`, {
    body: PICTURE,
    headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": ann.session },
  });
  expect(uploaded.status).toBe(200);
  things = {
    ...(await makeThings(instance(), ann, bob)),
    userID: ann.userId,
    monetaryAccountID: ann.ledgerId,
    attachmentID: uploaded.body.id,
  };
});
afterAll(() => running?.stop());
const filled = (path: string): string => filledIn(path, things);

it("puts notes and pictures on everything, changes and deletes them", async () => {
  const collections = noteOperations.filter(({ method }) => method === "POST");
  expect([collections.length, noteOperations.length]).toEqual([40, 200]);
  for (const { path } of collections) {
    const there = filled(path);
    const isText = path.endsWith("note-text");
    const given = isText ? { content: "Good" } : { description: "Good", attachment_id: things.attachmentID };
    const changed = isText ? { content: "Better" } : { description: "Better" };
    const one = `${there}/${await ann.made(there, given)}`;
    expect(await ann.done("GET", one)).toMatchObject(isText ? given : { description: "Good" });
    await ann.done("PUT", one, changed);
    expect(await ann.done("GET", there)).toMatchObject([changed]);
    expect((await bob.send("GET", one)).status).toBe(404);
    await ann.done("DELETE", one);
    await ann.refused("GET", one, undefined, 404);
  }
});

it("tells users of nothing that is another's, at any of its addresses", async () => {
  Object.assign(things, await makeFurtherThings(instance(), ann, bob));
  const wrong: string[] = [];
  for (const path of await readablePaths(ann, things)) {
    const theirs = path.replace(ann.user, bob.user);
    const [own, seen, asOwn] = [
      await ann.send("GET", path),
      await bob.send("GET", path),
      await bob.send("GET", theirs),
    ];
    if (own.status !== 200 || seen.status !== 404) wrong.push(`${path}: ${own.status}, ${seen.status}`);
    const isPlaceOfAnn = /\d/.test(theirs.replace(bob.user, "")) && !theirs.includes("announcement");
    if (isPlaceOfAnn && asOwn.status !== 404) wrong.push(`${theirs}: ${asOwn.status}`);
  }
  expect(wrong).toEqual([]);
});
