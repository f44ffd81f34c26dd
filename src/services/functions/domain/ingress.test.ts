/** Which callers are on this machine. */
import { expect, it } from "vitest";
import { isInternalAddress } from "./ingress.ts";

it.each(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])("%s is internal", (address) =>
  expect(isInternalAddress(address)).toBe(true),
);
it.each(["10.0.0.1", "::2", "2001:db8::1", "::ffff:10.0.0.1", "1127.0.0.1", "1.127.0.0", ""])(
  "%s is not internal",
  (address) => expect(isInternalAddress(address)).toBe(false),
);
