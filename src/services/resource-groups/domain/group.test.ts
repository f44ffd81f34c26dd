/** Which group the name in a request leads to. */
import { expect, it } from "vitest";
import { findNameIn } from "./group.ts";

it.each([
  ["arn:vendor:resource-groups:us-east-1:111111111111:group/shop", "shop"],
  ["arn:aws:resource-groups:us-east-1:111111111111:group/shop", "shop"],
  // Permissions name the group by its own partition, so no other may lead to it.
  ["arn:vendor-cn:resource-groups:us-east-1:111111111111:group/shop", undefined],
  ["arn:vendor:resource-groups:us-east-1:222222222222:group/shop", undefined],
  ["arn:vendor:resource-groups:us-west-1:111111111111:group/shop", undefined],
  ["arn:vendor:backup:us-east-1:111111111111:group/shop", undefined],
  ["arn:vendor:resource-groups:us-east-1:111111111111:shop", undefined],
])("%s leads to %s", (arn, name) => {
  expect(findNameIn(arn, "111111111111", "us-east-1")).toBe(name);
});
