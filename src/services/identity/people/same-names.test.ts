/** How many people with one name or address are looked at, where no account is known. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, openSqlite } from "#kernel/db";
import { migrations } from "./migrations.ts";
import { listNamedUsers, putNamedUser } from "./store/named-users.ts";
import { insertUser } from "./store/users.ts";
import type { NamedUserRow, UserRow } from "./tables.ts";
import { listMailCandidates, listSignInCandidates } from "./users.ts";

const database = openSqlite(undefined);
beforeAll(() => migrate(database, [{ owner: "identity", migrations }], 0));
afterAll(() => database.close());

const person = (at: number, more: Partial<UserRow>): UserRow => ({
  id: `${more.username ?? "one"}${at}`,
  account: `account${at}`,
  username: `one${at}`,
  username_key: more.username ?? `one${at}`,
  email: "one@example.org",
  email_key: null,
  proven_email_key: null,
  password_hash: "",
  profile: "{}",
  home_url: null,
  created_at: at,
  updated_at: at,
  ...more,
});
const add = (count: number, more: Partial<UserRow>) =>
  database.transact(async (db) => {
    for (let at = 1; at <= count; at += 1) await insertUser(db as never, person(at, more));
  });

it("of one name in many accounts the first five, of an address that nobody proved the newest three", async () => {
  await add(6, { username: "ann" });
  await add(6, { username: "bob", proven_email_key: "bob@example.org" });
  await add(4, { username: "cleo", email_key: "cleo@example.org" });
  const db = database.read as never;
  const idsOf = (rows: readonly UserRow[]) => rows.map(({ id }) => id);
  const first = [1, 2, 3, 4, 5];
  expect(idsOf(await listSignInCandidates(db, undefined, "Ann"))).toEqual(first.map((at) => `ann${at}`));
  expect(idsOf(await listSignInCandidates(db, undefined, "bob@example.org"))).toEqual(
    first.map((at) => `bob${at}`),
  );
  expect(idsOf(await listMailCandidates(db, undefined, "cleo@example.org"))).toEqual([
    "cleo4",
    "cleo3",
    "cleo2",
  ]);
  expect(idsOf(await listSignInCandidates(db, "account6", "ann"))).toEqual(["ann6"]);
});

it("of one name in the credentials file five", async () => {
  const named = (at: number): NamedUserRow => ({
    account: `account${at}`,
    username_key: "dora",
    email_key: null,
    user_id: `dora${at}`,
    username: "dora",
    email: null,
    name: null,
    password_hash: "",
  });
  await database.transact(async (db) => {
    for (let at = 1; at <= 6; at += 1) await putNamedUser(db as never, named(at));
  });
  const db = database.read as never;
  expect(await listNamedUsers(db, undefined, "dora")).toHaveLength(5);
  expect(await listNamedUsers(db, "account6", "dora")).toHaveLength(1);
});
