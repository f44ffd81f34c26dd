/** Which vaults, recovery points and other resources the names in requests lead to. */
import { expect, it } from "vitest";
import { findPointIn, findTaggable, findVaultIn } from "./arns.ts";
import { findVaultNameIn } from "./plan.ts";

const ACCOUNT = "111111111111";
const REGION = "us-east-1";
const named = (partition: string, resource: string) =>
  `arn:${partition}:backup:${REGION}:${ACCOUNT}:${resource}`;

it.each([
  ["vendor", true],
  ["aws", true],
  // Permissions name a resource by its own partition, so no other may lead to it.
  ["vendor-cn", false],
  ["other", false],
])("names in the partition %s lead to something: %s", (partition, isFound) => {
  const vault = named(partition, "backup-vault:own");
  const found = [
    findVaultIn(vault)?.name,
    findVaultNameIn(vault, ACCOUNT, REGION),
    findTaggable(vault, ACCOUNT, REGION)?.name,
    findPointIn(named(partition, "recovery-point:own"))?.name,
  ];
  expect(found).toEqual(Array.from({ length: 4 }, () => (isFound ? "own" : undefined)));
});
