import { expect, it } from "vitest";
import { BundledEngine } from "./bundled-engine.ts";
import { Substitutes } from "./substitutes.ts";

/** As many as are kept. */
const CHARACTERS_KEPT_MAX = 20_000;
const FIRST_IDEOGRAPH = 0x4e00;

it("a text keeps its substitutes while others fill the cache", async () => {
  const substitutes = new Substitutes(new BundledEngine(), "en-us-g1.ctb");
  const text = ["\u{1f600}"];
  const alone = await substitutes.apply(text);
  expect(alone).not.toEqual(text);
  const many = String.fromCodePoint(
    ...Array.from({ length: CHARACTERS_KEPT_MAX }, (_, at) => FIRST_IDEOGRAPH + at),
  );
  const together = substitutes.apply([`${text}\u{1f601}`]);
  await substitutes.apply([many]);
  expect((await together)[0]).toMatch(new RegExp(`^${alone[0]}`));
  expect(await substitutes.apply(text)).toEqual(alone);
});
