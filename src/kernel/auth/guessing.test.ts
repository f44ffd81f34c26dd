/** How many wrong credentials are too many, whose they are, and when they are forgotten. */
import { expect, it } from "vitest";
import { Guessing } from "./guessing.ts";

const NAME_SECRETS_MAX = 60;
const NETWORK_SECRETS_MAX = 300;

const from = (address: string, name?: string) => ({ address, name });
function guess(guessing: Guessing, count: number, who: ReturnType<typeof from>, prefix = "secret"): void {
  for (let index = 0; index < count; index += 1) guessing.note(who, `${prefix}-${index}`);
}

it("refuses a network that has tried many secrets, for the rest of a minute, and no other", () => {
  let nowMs = 1000;
  const guessing = new Guessing(() => nowMs);
  const who = from("192.0.2.1");
  guess(guessing, 299, who);
  expect(guessing.findWaitMs(who)).toBeUndefined();
  nowMs += 20_000;
  guessing.note(who, "one more");
  expect(guessing.findWaitMs(who)).toBe(40_000);
  expect(guessing.findWaitMs(from("192.0.2.1", "ann"))).toBe(40_000);
  expect(guessing.findWaitMs(from("192.0.2.2"))).toBeUndefined();
  nowMs += 40_000;
  expect(guessing.findWaitMs(who)).toBeUndefined();
  guess(guessing, NETWORK_SECRETS_MAX, who);
  expect(guessing.findWaitMs(who)).toBe(60_000);
});

it("refuses a name for which sixty secrets were tried, and no other name", () => {
  const guessing = new Guessing(() => 0);
  guess(guessing, 59, from("192.0.2.1", "ann"));
  expect(guessing.findWaitMs(from("192.0.2.1", "ann"))).toBeUndefined();
  guessing.note(from("192.0.2.1", "ann"), "one more");
  expect(guessing.findWaitMs(from("192.0.2.1", "ann"))).toBe(60_000);
  expect(guessing.findWaitMs(from("192.0.2.1", "bob"))).toBeUndefined();
  expect(guessing.findWaitMs(from("192.0.2.1"))).toBeUndefined();
  expect(guessing.findWaitMs(from("192.0.2.2", "ann"))).toBeUndefined();
});

it("takes the same wrong secret for a mistake, however often it comes", () => {
  const guessing = new Guessing(() => 0);
  for (let time = 0; time < 10 * NETWORK_SECRETS_MAX; time += 1) guessing.note(from("192.0.2.1"), "stale");
  expect(guessing.findWaitMs(from("192.0.2.1"))).toBeUndefined();
});

it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])(
  "refuses names alone to the machine itself, %s",
  (address) => {
    const guessing = new Guessing(() => 0);
    guess(guessing, 2 * NETWORK_SECRETS_MAX, from(address));
    guess(guessing, NAME_SECRETS_MAX, from(address, "ann"));
    expect(guessing.findWaitMs(from(address))).toBeUndefined();
    expect(guessing.findWaitMs(from(address, "bob"))).toBeUndefined();
    expect(guessing.findWaitMs(from(address, "ann"))).toBe(60_000);
  },
);

it.each([
  ["2001:db8:0:1::5", "2001:db8:0:1:ffff::6", true],
  ["2001:DB8::5", "2001:db8:0:0:1::", true],
  ["2001:db8:0:1::5", "2001:db8:0:2::5", false],
  ["::ffff:192.0.2.1", "192.0.2.1", true],
  ["192.0.2.1", "192.0.2.2", false],
])("counts %s and %s together: %s", (one, another, isSame) => {
  const guessing = new Guessing(() => 0);
  guess(guessing, NETWORK_SECRETS_MAX, from(one));
  expect(guessing.findWaitMs(from(another)) !== undefined).toBe(isSame);
});

it("knows what was right lately from the same network, for the same name, and for a while", () => {
  let nowMs = 0;
  const guessing = new Guessing(() => nowMs);
  guessing.noteGood(from("192.0.2.1", "ann"), "right");
  expect(guessing.wasGood(from("192.0.2.1", "ann"), "right")).toBe(true);
  expect(guessing.wasGood(from("192.0.2.1", "ann"), "wrong")).toBe(false);
  expect(guessing.wasGood(from("192.0.2.1", "bob"), "right")).toBe(false);
  expect(guessing.wasGood(from("192.0.2.2", "ann"), "right")).toBe(false);
  expect(guessing.isQuiet).toBe(true);
  nowMs = 3_600_000;
  expect(guessing.wasGood(from("192.0.2.1", "ann"), "right")).toBe(false);
});

it("forgets what is past, and the oldest of very many", () => {
  let nowMs = 0;
  const guessing = new Guessing(() => nowMs);
  guess(guessing, NETWORK_SECRETS_MAX, from("192.0.2.1"));
  const noteOthers = (begin: number, end: number) => {
    for (let index = begin; index < end; index += 1)
      guessing.note(from(`10.0.${index >> 8}.${index & 255}`), "secret");
  };
  noteOthers(0, 999);
  expect(guessing.findWaitMs(from("192.0.2.1"))).toBe(60_000);
  noteOthers(999, 1000);
  expect(guessing.findWaitMs(from("192.0.2.1"))).toBeUndefined();
  guessing.forgetPast();
  expect(guessing.isQuiet).toBe(false);
  nowMs = 60_000;
  guessing.forgetPast();
  expect(guessing.isQuiet).toBe(true);
});
