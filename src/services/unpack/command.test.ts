/** `medley unpack`, as somebody types it: offline, with a file to write and without. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { medley } from "../../../tests/support/command-line.ts";
import {
  makeFailingExecutable,
  makePackedExecutable,
  makePlainExecutable,
} from "../../../tests/support/executables.ts";

const folder = mkdtempSync(join(tmpdir(), "medley-unpack-command-"));
const place = (name: string) => join(folder, name);
const written = (name: string, content: Uint8Array): string => {
  writeFileSync(place(name), content);
  return place(name);
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("writes what was packed, and tells what it is", async () => {
  const { code, output, errors } = await medley(
    "unpack",
    written("keeper.exe", makePackedExecutable()),
    "-o",
    place("out.exe"),
  );
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toMatch(/keeper\.exe: unpacked\n/);
  expect(output).toMatch(/ {2}begins at 0x401000\n/);
  expect(output).toMatch(/GREEN0 +entropy 0\.00 \.{16} -> /);
  expect(readFileSync(place("out.exe")).includes("tomatoes")).toBe(true);
});
it("writes what is not packed as it is, and says the report in JSON", async () => {
  const plain = makePlainExecutable();
  const { code, output } = await medley(
    "unpack",
    written("plain.exe", plain),
    "-o",
    place("same.exe"),
    "--json",
  );
  expect([code, JSON.parse(output).verdict]).toEqual([0, "plain"]);
  expect(readFileSync(place("same.exe")).equals(plain)).toBe(true);
});
it("fails in words", async () => {
  const failing = written("failing.exe", makeFailingExecutable());
  const stopped = await medley("unpack", failing, "-o", place("never.exe"));
  expect([stopped.code, stopped.output]).toEqual([1, expect.stringContaining("could not be unpacked")]);
  expect(() => readFileSync(place("never.exe"))).toThrow();
  const broken = await medley("unpack", written("letter.txt", Buffer.from("a letter")));
  expect([broken.code, broken.errors]).toEqual([1, expect.stringContaining("does not begin with MZ")]);
  expect((await medley("unpack", place("nowhere.exe"))).errors).toContain("cannot be read");
  expect((await medley("unpack")).code).toBe(2);
});
