/** Passwords that are as long as they may be, and longer. */
import { expect, it } from "vitest";
import { findByPassword, hashPassword } from "./passwords.ts";

it("a password has 256 characters; what comes after them is not ignored", async () => {
  const password = "p".repeat(256);
  const person = { password_hash: await hashPassword(password) };
  expect(await findByPassword([person], password)).toEqual([person]);
  expect(await findByPassword([person], `${password}p`)).toEqual([]);
  const longer = { password_hash: await hashPassword(`${password}p`) };
  expect(await findByPassword([longer], `${password}p`)).toEqual([]);
});
