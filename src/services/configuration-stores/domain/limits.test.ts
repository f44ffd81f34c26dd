/** Tags, filters, snapshots and identities: the last that fits, and the first that does not. */
import { expect, it } from "vitest";
import { parseTagFilters } from "./filters.ts";
import { completeIdentity } from "./identity.ts";
import { requireTags } from "./key-values.ts";
import { requireSnapshotName, requireSnapshotRequest } from "./snapshots.ts";
import { tiers } from "./tiers.ts";

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const snapshot = (filterCount: number, retentionSeconds: number) =>
  requireSnapshotRequest(
    {
      filters: Array.from({ length: filterCount }, () => ({ key: "*" })),
      composition: "key",
      retentionSeconds,
      tags: {},
    },
    tiers.standard,
  );
const identityOf = (count: number) =>
  completeIdentity(
    {
      type: "UserAssigned",
      userAssignedIdentities: Object.fromEntries(
        many(count).map((name) => [`/subscriptions/s/resourceGroups/g/providers/p/identities/${name}`, {}]),
      ),
    },
    undefined,
    () => "tenant",
    () => "fresh",
  );

it.each<readonly [string, string, (size: number) => unknown, number]>([
  [
    "tags",
    "At most 50 tags",
    (n) => requireTags("tags", Object.fromEntries(many(n).map((one) => [one, "v"]))),
    50,
  ],
  [
    "characters of a tag's name",
    "over 256 characters",
    (n) => requireTags("tags", { ["t".repeat(n)]: "v" }),
    256,
  ],
  [
    "characters of a tag's value",
    "over 256 characters",
    (n) => requireTags("tags", { t: "v".repeat(n) }),
    256,
  ],
  [
    "tag filters",
    "At most 5 tag filters",
    (n) =>
      parseTagFilters(
        "tags",
        many(n).map((one) => `${one}=v`),
      ),
    5,
  ],
  ["filters of a snapshot", "1 to 3 filters", (n) => snapshot(n, 3600), 3],
  ["characters of a snapshot's name", "1 to 256 characters", (n) => requireSnapshotName("s".repeat(n)), 256],
  ["identities of a store", "at most 20 identities", identityOf, 20],
])("%s: one more is refused with '%s'", (_what, message, take, most) => {
  expect(() => take(most)).not.toThrow();
  expect(() => take(most + 1)).toThrow(message);
});

it("a snapshot is kept for at least an hour", () => {
  expect(snapshot(1, 3600)).toBe(3600);
  expect(() => snapshot(1, 3599)).toThrow("3600 to");
});
