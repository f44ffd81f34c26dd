/** What a program may ask of the system without end has an end. */
import { describe, expect, it } from "vitest";
import { makePlainExecutable } from "../../../../tests/support/executables.ts";
import { Memory } from "../emulator/memory.ts";
import { readPe } from "../pe/file.ts";
import { WindowsSystem } from "./system.ts";

const MANY = 200_000;
const { process } = new WindowsSystem(readPe(makePlainExecutable()), new Memory(96 * 1024 * 1024));
const kernel = process.findModule("kernel32.dll") ?? 0;
const user = process.findModule("user32.dll") ?? 0;

describe("a program that asks without end", () => {
  it("for functions finds none at some time, and no library grows into the next", () => {
    const header = process.readLong(user);
    const found = Array.from({ length: MANY }, (_, index) => process.functionAddress(kernel, `Made${index}`));
    expect(found[0]).toBeGreaterThan(0);
    expect(found.at(-1)).toBe(0);
    expect(Math.max(...found.map((address) => address >>> 0).slice(0, 40_000))).toBeLessThan(user);
    expect(process.readLong(user)).toBe(header);
    expect(process.functionAddress(kernel, "Made0")).toBe(found[0]);
  });
  it("for memory of the heap gets none at some time", () => {
    let count = 0;
    while (count < MANY && process.allocateOnHeap(1) !== 0) count += 1;
    expect(count).toBeLessThan(MANY);
  });
  it("to keep values for threads, or for threads, keeps so many", () => {
    for (let slot = 0; slot < MANY; slot += 1) process.keepForThread(slot, slot);
    expect(process.keptForThread(1)).toBe(1);
    expect(process.keptForThread(MANY - 1)).toBe(0);
    let threads = 0;
    while (threads < MANY && process.callLater(process.base, [])) threads += 1;
    expect(threads).toBeLessThan(1000);
  });
});
