/** The hosts of a certificate: as many as there may be, and one more. */
import { expect, it } from "vitest";
import { subjectNamesOf } from "./subject-names.ts";

it("a certificate names five hundred hosts besides our own", () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.example`);
  expect(subjectNamesOf(hosts(500))).toHaveLength(504);
  expect(() => subjectNamesOf(hosts(501))).toThrow("more than 500 hosts");
});

it("a name has 250 characters", () => {
  const name = (length: number) => `${"a".repeat(60)}.`.repeat(4).padEnd(length, "b");
  expect(subjectNamesOf([name(250)]).at(-1)?.value).toHaveLength(250);
  expect(() => subjectNamesOf([name(251)])).toThrow();
});
