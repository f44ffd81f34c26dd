/** The marks of packers are rules that the real engine reads, and it finds what our own matcher finds. */
import { Compiler } from "@virustotal/yara-x";
import { expect, it } from "vitest";
import { readPe } from "../pe/file.ts";
import { Writer, writeExecutable } from "../seed/executable.ts";
import { PACKER_RULES } from "../unpacking/packer-rules.ts";
import { findPacker } from "../unpacking/packers.ts";
import { applyRules } from "./yara.ts";

/** One section of this name, which begins with these bytes. */
function executableWith(name: string, bytes: readonly number[]): Buffer {
  const code = new Writer(0x1000);
  code.put(...bytes, 0xc3);
  return writeExecutable({ sections: [{ name, address: 0x1000, bytes: code.bytes }], entryPoint: 0x1000 });
}
const sections = [...PACKER_RULES.matchAll(/part\.name == "([^"]+)"/g)].map(([, name = ""]) => name);
const entries = [...PACKER_RULES.matchAll(/\{((?: [0-9A-F?]{2})+) \}/g)].map(([, bytes = ""]) =>
  bytes
    .trim()
    .split(" ")
    .map((byte) => (byte === "??" ? 0x90 : Number.parseInt(byte, 16))),
);

it("compiles, and each mark is found by both", () => {
  expect(sections.length + entries.length).toBeGreaterThan(20);
  const marked = [
    ...sections.map((name) => executableWith(name, [])),
    ...entries.map((bytes) => executableWith(".text", bytes)),
  ];
  // The engine is made ready by its first use.
  expect(applyRules(executableWith(".text", [0x55]), [PACKER_RULES]).rules).toEqual([
    { errors: [], warnings: [], matches: [] },
  ]);
  const compiler = new Compiler();
  compiler.addSource(PACKER_RULES);
  const scanner = compiler.build().scanner();
  for (const content of marked) {
    const { matches } = scanner.scan(content) as { matches: { metadata: { value: string }[] }[] };
    const found = matches.flatMap(({ metadata }) => metadata.map(({ value }) => value));
    expect(found).toContain(findPacker(readPe(content))?.name);
  }
});
