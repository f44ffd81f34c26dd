/** What a condition may call: nothing whose time or memory its text does not bound, however it is written. */
import { expect, it } from "vitest";
import { holding, problemsOf } from "./conditions.ts";

const SLOW = "('^(a+)+$')";
const MANY_A = `'${"a".repeat(40)}!'`;
/** Each name is twice the one before. */
const doubled = (times: number, first: string) => {
  let text = `size(v${times}) > 0`;
  for (let at = times; at > 0; at -= 1)
    text = `cel.bind(v${at}, ${at === 1 ? first : `v${at - 1} + v${at - 1}`}, ${text})`;
  return text;
};

it.each([
  ["matches", `${MANY_A}.matches${SLOW}`],
  ["matches", `${MANY_A}.matches${" ".repeat(11)}${SLOW}`],
  ["matches", `${MANY_A}.matches // (\n${SLOW}`],
  ["matches", `{'a': [true ? ${MANY_A}.matches${SLOW} : false]}['a'][0]`],
  ["all", `[1].all${"\n".repeat(20)}(x, x > 0)`],
  ["exists_one", "[1].exists_one (x, x > 0)"],
  ["filter", "[1].filter // all of them\n(x, x > 0).size() > 0"],
  ["bind", doubled(40, "[1]")],
  ["bind", doubled(40, "'a'")],
  ["join", "['a'].join('b') == 'a'"],
  ["split", "'aa'.split('').size() > 1"],
  ["hex", "bytes(bytes('a').hex()).hex() == ''"],
])("refuses %s, written in way %#", async (name, expression) => {
  expect(await problemsOf([expression])).toEqual(
    new Map([[expression, `${name}() is not possible in a condition`]]),
  );
  const isHeld = await holding([{ expression }] as never, { nowMs: 0, resourceName: "f" });
  expect(isHeld({ expression } as never)).toBe(false);
});

it.each([
  "resource.name.startsWith('f') && resource.service.endsWith('.com') && request.path.contains('/')",
  "request.time.getFullYear() == 1970 && request.time.getHours('Europe/Berlin') == 1",
  "request.time < timestamp('2030-01-01T00:00:00Z') + duration('60s')",
  "has(request.host) && size(request.host) == 0 && !('matches(' in ['all (', 'b'])",
  "int('1') + int(double('2')) == 3 && request.path.lowerAscii().indexOf('/') == 0",
])("takes %s", async (expression) => {
  expect(await problemsOf([expression])).toEqual(new Map());
  const isHeld = await holding([{ expression }] as never, { nowMs: 0, resourceName: "f" });
  expect(isHeld({ expression } as never)).toBe(true);
});
