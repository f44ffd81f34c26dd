/** Accept headers as clients and browsers send them. */
import { expect, it } from "vitest";
import { preferredOf } from "./negotiation.ts";

const offers = ["application/json", "application/xml", "image/png", "image/svg+xml"] as const;

it.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["", "application/json"],
  ["application/xml", "application/xml"],
  ["Image/PNG", "image/png"],
  ["image/*", "image/png"],
  ["image/png;q=0.2, image/svg+xml;q=0.9", "image/svg+xml"],
  ["image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8", "image/svg+xml"],
  ["image/png, */*", "image/png"],
  ["application/json;q=0, */*;q=0.5", "application/xml"],
  ["text/plain", "application/json"],
  ["image/png;q=nonsense", "application/json"],
  [",;,q=", "application/json"],
])("%j gets %s", (accept, wanted) => {
  expect(preferredOf(accept, offers)).toBe(wanted);
});
