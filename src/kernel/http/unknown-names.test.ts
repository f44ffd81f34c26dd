/** What is said of names that an operation does not know. */
import { expect, it } from "vitest";
import { refuseUnknown, unknownWarning } from "./unknown-names.ts";

it("a hundred characters of a name, and a thousand of all of them", () => {
  expect(unknownWarning(["n".repeat(100)])).toBe(
    `299 medley "${"n".repeat(100)} is not known here and was ignored"`,
  );
  expect(unknownWarning(["n".repeat(101)])).toBe(unknownWarning(["n".repeat(100)]));
  const names = (last: number) => [...Array.from({ length: 9 }, () => "n".repeat(98)), "l".repeat(last)];
  expect(unknownWarning(names(100))).toContain(`, ${"l".repeat(100)} are not known`);
  const twelve = [...names(98), "m".repeat(98)];
  expect(unknownWarning(twelve)).toBe(
    `299 medley "${twelve.join(", ").slice(0, 1000)} are not known here and were ignored"`,
  );
});

it("what is no plain text in a header is a question mark", () => {
  expect(() => refuseUnknown(['a"\\\né'], new Set())).toThrow('There is no field "a????" here.');
});
