/** What is remembered of credentials and policies never outlives a change, not even one that comes in mid-look-up. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../config/index.ts";
import type { Kernel } from "../runtime/index.ts";
import * as store from "./accounts-store.ts";
import { hashNamedPassword, verifyPassword } from "./secrets.ts";

const id = "123456789012";
const account = {
  id,
  apiKeys: ["some-api-key"],
  accessKeys: [{ id: "AKIDSOME", secret: "some-access-secret" }],
  tokens: ["some-token"],
  basic: [{ username: "some", password: "some-password" }],
  policies: [{ effect: "Allow" as const, actions: ["*"], resources: ["*"] }],
};
const HOUR_MS = 3_600_000;
const nobody = { account: id, name: "some", credentialKind: "token", admin: false };

let kernel: Kernel;
beforeAll(async () => {
  ({ kernel } = await openKernel({ ...defaultConfig, memory: true, logLevel: "silent" }, []));
});
afterAll(() => kernel.database.close());

it.each<[string, () => unknown]>([
  ["an API key", () => kernel.accounts.byApiKey("some-api-key")],
  ["a token", () => kernel.accounts.byToken("some-token")],
  ["an access key", () => kernel.accounts.findAccessKey("AKIDSOME")],
  ["a password", () => kernel.accounts.byPassword("some", "some-password")],
  ["a policy", async () => (await kernel.accounts.isAllowed(nobody, "some:Thing", "*")) || undefined],
])("%s that is looked up while it is taken away is not remembered", async (_name, lookUp) => {
  await kernel.accounts.load([account]);
  expect(await lookUp()).toBeDefined();
  kernel.accounts.forget();
  const underWay = lookUp();
  kernel.accounts.forget();
  expect(await underWay).toBeDefined();
  await kernel.database.transact((db) => store.deleteAccount(db, id));
  expect(await lookUp()).toBeUndefined();
});

it.each<[string, "apiKey" | "token" | "basic", (made: Record<string, string>) => unknown]>([
  ["an API key", "apiKey", (made) => kernel.accounts.byApiKey(made.apiKey ?? "")],
  ["a token", "token", (made) => kernel.accounts.byToken(made.token ?? "")],
  ["a password", "basic", (made) => kernel.accounts.byPassword(made.username ?? "", made.password ?? "")],
])("%s is good until just before the instant at which it expires", async (_name, kind, lookUp) => {
  await kernel.accounts.load([account]);
  kernel.clock.freeze();
  const expiresAtMs = kernel.clock.nowMs() + HOUR_MS;
  const made = await kernel.accounts.create(id, { kind, expiresAtMs });
  kernel.clock.standAt(expiresAtMs - 1);
  expect(await lookUp(made)).toBeDefined();
  kernel.clock.standAt(expiresAtMs);
  expect(await lookUp(made)).toBeUndefined();
  kernel.accounts.forget();
  expect(await lookUp(made)).toBeUndefined();
  kernel.clock.resume();
});

it("hashes a password of a credentials file once in a process for each name, and shares no hash between names", async () => {
  const [first, again, otherName, otherPassword] = await Promise.all([
    hashNamedPassword("ann", "one-password"),
    hashNamedPassword("ann", "one-password"),
    hashNamedPassword("bob", "one-password"),
    hashNamedPassword("ann", "other-password"),
  ]);
  expect(again).toBe(first);
  expect(new Set([first, otherName, otherPassword]).size).toBe(3);
  expect(await verifyPassword(first, "one-password")).toBe(true);
  expect(await verifyPassword(first, "other-password")).toBe(false);
});

it("a permission is checked inside a transaction, whose end it does not wait for", async () => {
  const stranger = { ...nobody, account: "999999999999" };
  const { accounts, database } = kernel;
  const allowed = database.transact(async (db) => accounts.isAllowed(stranger, "some:Thing", "*", db));
  expect(await allowed).toBe(false);
});
