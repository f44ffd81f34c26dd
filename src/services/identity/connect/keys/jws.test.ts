/** How long a token may be that strangers show. */
import { expect, it } from "vitest";
import { readJws } from "./jws.ts";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const HEAD = `${part({ alg: "ES256" })}.${part({ sub: "ann" })}.`;

it("reads a token of 8192 letters, and none of more", () => {
  const tokenOf = (length: number) => HEAD.padEnd(length, "A");
  expect(readJws(tokenOf(8192))?.payload).toEqual({ sub: "ann" });
  expect(readJws(tokenOf(8193))).toBeUndefined();
});
