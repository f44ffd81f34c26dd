/** Turns, limits and the engine's memory: nobody waits without end, and no rule takes more than its share. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { initSync } from "@virustotal/yara-x";
import { afterAll, describe, expect, it } from "vitest";
import { FairQueue } from "#kernel/workers";
import { makePackedExecutable } from "../../../../tests/support/executables.ts";
import { withMemoryLimit } from "./bounded-wasm.ts";
import { createLaboratory } from "./index.ts";

const stranger = (name: string) => ({ name, isKnown: false });
const known = (name: string) => ({ name, isKnown: true });

describe("the fair queue", () => {
  const limits = { placesMax: 1, waitingPerCallerMax: 2, waitingMax: 3 };
  it("go round among callers, and refuse who has too many waiting", async () => {
    const queue = new FairQueue(limits);
    const order: string[] = [];
    let release = (): void => {};
    const first = queue.run("ann", () => new Promise<void>((resolve) => (release = resolve)));
    const then = (caller: string, name: string) => queue.run(caller, async () => order.push(name));
    const waiting = [then("ann", "ann 1"), then("ann", "ann 2"), then("ben", "ben 1")];
    expect(await then("ann", "ann 3")).toBeUndefined();
    expect(await then("cleo", "cleo 1")).toBeUndefined();
    release();
    await Promise.all([first, ...waiting]);
    expect(order).toEqual(["ben 1", "ann 1", "ann 2"]);
    expect(await then("cleo", "cleo 2")).toBe(4);
  });
  it("give their place back when the work fails", async () => {
    const queue = new FairQueue(limits);
    await expect(queue.run("ann", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await queue.run("ann", async () => "yes")).toBe("yes");
  });
});

describe("the laboratory", () => {
  const laboratory = createLaboratory({ scanSecondsMax: 5 });
  afterAll(() => laboratory.close());
  const content = Buffer.alloc(64, 0x41);
  const expectGoingOn = async (by = laboratory) => {
    const rules = ['rule quick { strings: $a = "AAAA" condition: $a }'];
    const applied = await by.applyRules(stranger("ann"), { content, rules });
    expect(applied?.rules[0]?.matches).toHaveLength(1);
  };
  it("counts every match, and tells the first hundred of each string", async () => {
    const many = Buffer.from("needle ".repeat(150));
    const rules = ['rule many { strings: $a = "needle" condition: #a > 149 and #a < 151 }'];
    const applied = await laboratory.applyRules(stranger("ann"), { content: many, rules });
    expect(applied?.rules[0]?.matches[0]?.strings).toHaveLength(100);
  });
  it("tells five thousand matches of all strings", async () => {
    const needles = Array.from({ length: 51 }, (_, index) => `needle ${index}.`);
    const rule = `rule many { strings: ${needles.map((text, index) => `$s${index} = "${text}"`).join(" ")} condition: any of them }`;
    const many = Buffer.from(needles.map((text) => text.repeat(99)).join(""));
    const applied = await laboratory.applyRules(stranger("ann"), { content: many, rules: [rule] });
    expect(applied?.rules[0]?.matches[0]?.strings).toHaveLength(5000);
  });
  it("ends a rule that takes too long, and goes on", async () => {
    const endless =
      "rule endless { condition: for all i in (0..4000000000) : (uint8(i % 8) == 0x41 or i >= 0) }";
    const hasty = createLaboratory({ scanSecondsMax: 1, threadsMax: 1 });
    expect(await hasty.applyRules(stranger("ann"), { content, rules: [endless] })).toBeUndefined();
    await expectGoingOn(hasty);
    await hasty.close();
  });
  it("goes on after rules that break the engine", async () => {
    const deep = `rule deep { condition: ${"(".repeat(50_000)}true${")".repeat(50_000)} }`;
    expect(await laboratory.applyRules(stranger("ann"), { content, rules: [deep] })).toBeUndefined();
    await expectGoingOn();
  });
  it("emulates what comes at the same time under one key once", async () => {
    const packed = makePackedExecutable();
    const [one, other] = [
      laboratory.emulate(stranger("ann"), "key", packed),
      laboratory.emulate(stranger("ben"), "key", packed),
    ];
    expect(one).toBe(other);
    expect((await one).verdict).toBe("unpacked");
  });
});

it("an emulation that takes too long is told as a machine that is too slow, and the next one goes on", async () => {
  const laboratory = createLaboratory({ emulationSecondsMax: 1, threadsMax: 1 });
  const endless = makePackedExecutable({ prologue: [0xeb, 0xfe] });
  const error = await laboratory
    .emulate(stranger("ann"), "endless", endless)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: { status: 503 }, extras: { headers: { "retry-after": "60" } } });
  const { verdict } = await laboratory.emulate(stranger("ann"), "quick", makePackedExecutable());
  expect(verdict).toBe("unpacked");
  await laboratory.close();
});

describe("with one thread", () => {
  const laboratory = createLaboratory({ threadsMax: 1 });
  afterAll(() => laboratory.close());
  const ended: string[] = [];
  const packed = makePackedExecutable();
  /** By what they ended in, in that order. */
  const emulate = (asker: ReturnType<typeof known>, name: string, key = name) =>
    laboratory.emulate(asker, key, packed).then(
      () => ended.push(name),
      ({ kind }) => ended.push(`${name}: ${kind.status}`),
    );
  it("somebody who is known is served before all strangers, other addresses before more of one, and nobody takes another's room", async () => {
    const many = Array.from({ length: 10 }, (_, index) => emulate(stranger("10.0.0.1"), `many ${index}`));
    const others = [
      emulate(stranger("10.0.0.2"), "other 0"),
      emulate(stranger("10.0.0.2"), "other 1"),
      emulate(known("111"), "known 0"),
      // What strangers wait for is emulated for somebody known at once.
      emulate(known("111"), "known 1", "many 8"),
      emulate(known("222"), "known 2"),
    ];
    await Promise.all([...many, ...others]);
    expect(ended).toEqual([
      "many 9: 503",
      "many 0",
      "known 0",
      "known 2",
      "known 1",
      "other 0",
      "many 1",
      "other 1",
      ...[2, 3, 4, 5, 6, 7, 8].map((index) => `many ${index}`),
    ]);
  });
  it("strangers who fill the room keep nobody out who is known, and of those one too many is refused as well", async () => {
    ended.length = 0;
    const strangers = Array.from({ length: 34 }, (_, index) =>
      emulate(stranger(`10.0.1.${index % 8}`), `stranger ${index}`),
    );
    const ours = Array.from({ length: 9 }, (_, index) => emulate(known("333"), `known ${index}`));
    await Promise.all([...strangers, ...ours]);
    expect(ended.slice(0, 2)).toEqual(["stranger 33: 503", "known 8: 503"]);
    expect(ended.slice(2, 11)).toEqual([
      "stranger 0",
      ...Array.from({ length: 8 }, (_, index) => `known ${index}`),
    ]);
    expect(ended).toHaveLength(43);
  });
});

it("the engine's memory cannot grow beyond its limit", () => {
  const folder = dirname(createRequire(import.meta.url).resolve("@virustotal/yara-x"));
  const limited = withMemoryLimit(readFileSync(join(folder, "yara_x_js_bg.wasm")), 32 * 1024 * 1024);
  const { memory } = initSync({ module: Buffer.from(limited) });
  const pages = memory.buffer.byteLength / 65_536;
  memory.grow(512 - pages);
  expect(memory.buffer.byteLength).toBe(32 * 1024 * 1024);
  expect(() => memory.grow(1)).toThrow();
});
