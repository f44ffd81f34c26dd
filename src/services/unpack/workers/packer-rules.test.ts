/** The marks of packers are rules that the real engine reads, and it finds what our own matcher finds. */
import { afterAll, expect, it } from "vitest";
import { readPe } from "../pe/file.ts";
import { Writer, writeExecutable } from "../seed/executable.ts";
import { PACKER_RULES } from "../unpacking/packer-rules.ts";
import { findPacker } from "../unpacking/packers.ts";
import { createLaboratory } from "./index.ts";

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

const laboratory = createLaboratory();
afterAll(() => laboratory.close());

it("compiles, and each mark is found by both", async () => {
  expect(sections.length + entries.length).toBeGreaterThan(20);
  const marked = [
    ...sections.map((name) => executableWith(name, [])),
    ...entries.map((bytes) => executableWith(".text", bytes)),
  ];
  const apply = async (content: Buffer) =>
    (await laboratory.applyRules({ name: "ann", isKnown: false }, { content, rules: [PACKER_RULES] }))?.rules;
  expect(await apply(executableWith(".text", [0x55]))).toEqual([{ errors: [], warnings: [], matches: [] }]);
  for (const content of marked) {
    const found = (await apply(content))?.flatMap(({ matches }) => matches.flatMap(({ meta }) => meta));
    expect(found?.map(({ value }) => value)).toContain(findPacker(readPe(content))?.name);
  }
});
