import { expect, test } from "vitest";
import { UnderWay } from "./under-way.ts";

const membersOf = (names: string) => [...names].map((name) => ({ name, place: 0 }));
const namesIn = (underWay: UnderWay<{ name: string; place: number }>) =>
  [...underWay]
    .map(({ name }) => name)
    .sort()
    .join("");

test("members leave in any order, each once", () => {
  for (const order of ["abc", "acb", "bac", "bca", "cab", "cba"]) {
    const underWay = new UnderWay<{ name: string; place: number }>();
    const members = membersOf("abc");
    for (const member of members) underWay.add(member);
    let left = "abc";
    for (const name of order) {
      const member = members.find((one) => one.name === name);
      if (member) underWay.remove(member);
      left = left.replace(name, "");
      expect(namesIn(underWay)).toBe(left);
      expect(underWay.size).toBe(left.length);
    }
  }
});
