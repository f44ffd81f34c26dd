/** Conditions, key-values, snapshots, connections and identities: the rules without a server. */
import { describe, expect, it } from "vitest";
import { isUnchanged, requireConditions } from "./conditions.ts";
import { actionsRequiredOf, CONNECTION_STATUSES, requireTransition } from "./connections.ts";
import { completeIdentity, mergeIdentity } from "./identity.ts";
import {
  isSameContent,
  labelOf,
  readSelect,
  requireContent,
  requireKey,
  selected,
  sizeOf,
} from "./key-values.ts";
import { networkOf } from "./network.ts";
import { nextStatus, parseStatusFilter, requireSnapshotRequest } from "./snapshots.ts";
import { findTier, tiers } from "./tiers.ts";

const content = { value: "v", contentType: null, tags: {} };

describe("conditions", () => {
  it.each([
    [{ ifMatch: '"a"' }, "a", true],
    [{ ifMatch: "a" }, "a", true],
    [{ ifMatch: "'a'" }, "a", true],
    [{ ifMatch: 'W/"a"' }, "a", true],
    [{ ifMatch: '"b", "a"' }, "a", true],
    [{ ifMatch: '"b"' }, "a", false],
    [{ ifMatch: "*" }, "a", true],
    [{ ifMatch: '"*"' }, undefined, false],
    [{ ifNoneMatch: "*" }, undefined, true],
    [{ ifNoneMatch: "*" }, "a", false],
    [{ ifNoneMatch: '"a"' }, "a", false],
    [{ ifNoneMatch: '"b"' }, "a", true],
    [{}, undefined, true],
  ])("%j on %s is %s", (conditions, etag, holds) => {
    const check = () => requireConditions(conditions, etag);
    if (holds) expect(check).not.toThrow();
    else expect(check).toThrow();
  });
  it("tell a reader that nothing changed", () => {
    expect(isUnchanged({ ifNoneMatch: '"a"' }, "a")).toBe(true);
    expect(isUnchanged({ ifNoneMatch: '"b"' }, "a")).toBe(false);
    expect(() => isUnchanged({ ifMatch: '"b"' }, "a")).toThrow();
  });
});

describe("key-values", () => {
  it.each(["", ".", "..", "a%b", "a\nb", "\0"])("cannot have the key %j", (key) => {
    expect(() => requireKey(key)).toThrow();
  });
  it.each(["a", "a/b:c", ".appconfig.featureflag/x", "ключ 🔑", "*,\\"])("can have the key %s", (key) => {
    expect(() => requireKey(key)).not.toThrow();
  });
  it("are limited in size as a whole, in bytes", () => {
    expect(requireContent("k", "l", content)).toBe(3);
    expect(requireContent("ü", "", { value: "ü", contentType: "t", tags: { a: "b", c: null } })).toBe(8);
    expect(() => requireContent("k", "", { ...content, value: "x".repeat(10_240) })).toThrow(/10241/);
    expect(requireContent("k", "", { ...content, value: "x".repeat(10_239) })).toBe(10_240);
    expect(sizeOf("", "", { value: null, contentType: null, tags: {} })).toBe(0);
  });
  it("are the same whatever the order of their tags", () => {
    const a = { ...content, tags: { x: "1", y: null } };
    expect(isSameContent(a, { ...content, tags: { y: null, x: "1" } })).toBe(true);
    expect(isSameContent(a, { ...content, tags: { x: "1", y: "" } })).toBe(false);
  });
  it("have no label by default", () => {
    expect([labelOf(undefined), labelOf("\0"), labelOf(""), labelOf("a*,b")]).toEqual(["", "", "", "a*,b"]);
    expect(() => labelOf("a\0b")).toThrow();
  });
  it("show the members that were asked for", () => {
    const known = new Set(["key", "value"]);
    expect(selected({ key: "k", value: "v" }, readSelect("value", known))).toEqual({ value: "v" });
    expect(readSelect("*", known)).toBeUndefined();
    expect(() => readSelect("other", known)).toThrow();
  });
});

describe("snapshots", () => {
  const request = {
    filters: [{ key: "*" }],
    composition: "key" as const,
    retentionSeconds: undefined,
    tags: {},
  };
  it("stay as long as the tier says, or as asked", () => {
    expect(requireSnapshotRequest(request, tiers.free)).toBe(604_800);
    expect(requireSnapshotRequest({ ...request, retentionSeconds: 7_776_000 }, tiers.standard)).toBe(
      7_776_000,
    );
    expect(() => requireSnapshotRequest({ ...request, retentionSeconds: 604_801 }, tiers.free)).toThrow();
  });
  it("are archived and recovered, unless they never were ready", () => {
    expect(nextStatus("ready", "archived")).toBe("archived");
    expect(nextStatus("archived", "archived")).toBeUndefined();
    expect(nextStatus("archived", "ready")).toBe("ready");
    expect(() => nextStatus("provisioning", "archived")).toThrow();
    expect(() => nextStatus("failed", "ready")).toThrow();
  });
  it("are found by status", () => {
    expect(parseStatusFilter("ready,archived")).toEqual(["ready", "archived"]);
    expect(parseStatusFilter("*")).toBeUndefined();
    expect(() => parseStatusFilter("gone")).toThrow();
  });
});

describe("stores", () => {
  it("know two tiers in any casing", () => {
    expect(findTier("Standard")).toBe(tiers.standard);
    expect(findTier("FREE")).toBe(tiers.free);
    expect(findTier("constructor")).toBeUndefined();
  });
  it("let connections move on, and keep cut ones cut", () => {
    const allowed = CONNECTION_STATUSES.map((from) =>
      CONNECTION_STATUSES.filter((to) => {
        try {
          requireTransition(from, to);
          return true;
        } catch {
          return false;
        }
      }),
    );
    expect(allowed).toEqual([
      ["Pending", "Approved", "Rejected", "Disconnected"],
      ["Approved", "Rejected", "Disconnected"],
      ["Approved", "Rejected", "Disconnected"],
      ["Disconnected"],
    ]);
    expect(actionsRequiredOf("Disconnected")).toBe("Recreate");
  });
  it("get ids for identities, and keep those they have", () => {
    let count = 0;
    const fresh = () => {
      count += 1;
      return `id-${count}`;
    };
    const user = "/subscriptions/s/resourceGroups/g/providers/p/t/u";
    const first = completeIdentity(
      { type: "SystemAssigned, UserAssigned", userAssignedIdentities: { [user]: {} } },
      undefined,
      () => "tenant",
      fresh,
    );
    expect(first).toEqual({
      type: "SystemAssigned, UserAssigned",
      principalId: "id-1",
      tenantId: "tenant",
      userAssignedIdentities: { [user]: { clientId: "id-2", principalId: "id-3" } },
    });
    expect(completeIdentity(first ?? {}, first, () => "tenant", fresh)).toEqual(first);
    expect(completeIdentity({ type: "None" }, first, () => "tenant", fresh)).toBeUndefined();
    expect(completeIdentity({}, undefined, () => "tenant", fresh)).toBeUndefined();
  });
});

it.each([
  ["Enabled", true, "open"],
  ["Enabled", false, "open"],
  ["Disabled", true, "private"],
  ["Disabled", false, "closed"],
  [undefined, true, "private"],
  [undefined, false, "open"],
] as const)("a store with access %s and an approved endpoint (%s) is %s", (access, hasEndpoint, network) =>
  expect(networkOf(access, hasEndpoint)).toBe(network),
);

it("selects all members by nothing, an empty text or an asterisk", () => {
  const known = new Set(["key", "label"]);
  for (const text of [undefined, "", "*"]) expect(readSelect(text, known)).toBeUndefined();
  expect(readSelect("key, label", known)).toEqual(known);
  expect(() => readSelect("colour", known)).toThrow("colour");
});

it("takes identities away that a patch sets to null, and keeps the others", () => {
  const identities = (...ids: string[]) =>
    Object.fromEntries(ids.map((id) => [id, { clientId: id, principalId: id }]));
  const existing = { type: "UserAssigned", userAssignedIdentities: identities("/a", "/b") };
  const merged = mergeIdentity({ userAssignedIdentities: { "/A": null, "/c": {} } }, existing);
  expect(merged.userAssignedIdentities).toEqual({ ...identities("/b"), "/c": {} });
  expect(mergeIdentity({ type: "SystemAssigned" }, existing).userAssignedIdentities).toEqual({});
});

it("composes a snapshot by key from filters of one label", () => {
  const check = (label: string | undefined, composition: "key" | "key_label") => () =>
    requireSnapshotRequest(
      {
        filters: [{ key: "*", label, tags: undefined } as never],
        composition,
        retentionSeconds: undefined,
        tags: {},
      },
      tiers.free,
    );
  for (const label of [undefined, "one"]) expect(check(label, "key")).not.toThrow();
  for (const label of ["one,two", "o*", "*"]) {
    expect(check(label, "key")).toThrow("several labels");
    expect(check(label, "key_label")).not.toThrow();
  }
});
