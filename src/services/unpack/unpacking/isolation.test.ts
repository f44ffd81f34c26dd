/** The emulator reaches nothing of the machine: neither by what it is made of nor by what programs ask of it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, expect, it } from "vitest";
import { BASE, Writer, writeExecutable, writeImports } from "../seed/executable.ts";
import { makePackedExecutable } from "../seed/packed-sample.ts";
import { DEFAULT_BUDGET } from "./outcome.ts";
import { unpackExecutable } from "./unpack.ts";

const folder = mkdtempSync(join(tmpdir(), "medley-isolation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One script of all that an entry needs. It fails where any of that needs a module of Node's or of anybody else's. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    platform: "neutral",
    format: "iife",
    globalName: "engine",
    logLevel: "silent",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

it("unpacks where there is nothing but the language: no module, no process, no network, no timer", async () => {
  const script = await bundled('export { unpackExecutable } from "./unpack.ts";');
  expect(script).not.toMatch(/node:|import\(|require\(|\bfetch\(|process\.env\b/);
  const content = makePackedExecutable();
  const budget = { instructionsMax: 200_000, memoryBytesMax: 96 * 1024 * 1024 };
  const around = { Buffer, content, budget, TextDecoder };
  const outcome = runInNewContext(`${script}; engine.unpackExecutable(content, budget)`, around);
  expect(outcome.verdict).toBe("unpacked");
  expect(
    runInNewContext("[typeof require, typeof process, typeof fetch, typeof setTimeout]", around),
  ).toEqual(Array(4).fill("undefined"));
});
it.each(["node:fs", "node:net", "node:child_process"])(
  "could not be put together with %s in it",
  async (name) => {
    const contents = `import * as other from "${name}"; export { unpackExecutable } from "./unpack.ts"; export { other };`;
    await expect(bundled(contents)).rejects.toThrow(`Could not resolve "${name}"`);
  },
);

const long = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
/** Calls one function after the other. Arguments are numbers, or texts that are put beside the code. */
function makeCaller(calls: readonly (readonly [name: string, ...given: (number | string)[]])[]): Buffer {
  const [text, data] = [0x1000, 0x2000];
  const writer = new Writer(data);
  const { table, slots } = writeImports(
    writer,
    "KERNEL32.dll",
    calls.map(([name]) => name),
  );
  const addressOf = (given: number | string): number =>
    typeof given === "number" ? given : BASE + writer.text(given);
  const code = calls.flatMap(([name, ...given]) => [
    ...given
      .map(addressOf)
      .toReversed()
      .flatMap((value) => [0x68, ...long(value)]),
    ...[0xff, 0x15, ...long(BASE + (slots.get(name) ?? 0))],
  ]);
  return writeExecutable({
    sections: [
      { name: ".text", address: text, bytes: Uint8Array.from(code) },
      { name: ".data", address: data, bytes: writer.bytes, isWritable: true },
    ],
    entryPoint: text,
    imports: table,
  });
}
it("lets programs write, delete and start what is not there", () => {
  const [kept, written, started] = ["kept.txt", "written.txt", "started.txt"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(kept, "as it was");
  const GENERIC_WRITE = 0x4000_0000;
  const CREATE_ALWAYS = 2;
  const program = makeCaller([
    ["DeleteFileA", kept],
    ["CreateFileA", written, GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0],
    ["WinExec", `touch ${started}`, 0],
  ]);
  const { report } = unpackExecutable(program, DEFAULT_BUDGET);
  expect(report.calls.map(({ name }) => name)).toEqual(["DeleteFileA", "CreateFileA", "WinExec"]);
  expect(report.calls[1]?.given[0]).toBe(`"${written}"`);
  expect(readFileSync(kept, "utf8")).toBe("as it was");
  expect([existsSync(written), existsSync(started)]).toEqual([false, false]);
});

it("keeps 16 MiB of what programs hash, in all hashes together", () => {
  const mebibytes = 1024 * 1024;
  const hashing = (hash: number, length: number) => ["CryptHashData", hash, 0, length, 0] as const;
  const program = makeCaller([
    ["CryptCreateHash", 0, 0, 0, 0, BASE + 0x2f00],
    ["CryptCreateHash", 0, 0, 0, 0, BASE + 0x2f00],
    hashing(1, 10 * mebibytes),
    hashing(2, 6 * mebibytes),
    hashing(2, 1),
    hashing(1, 0xffff_ffff),
    hashing(2, 0),
    ["CryptDeriveKey", 0, 0, 2, 0, BASE + 0x2f00],
  ]);
  const { report } = unpackExecutable(program, DEFAULT_BUDGET);
  expect(report.calls.map(({ result }) => result)).toEqual([
    "0x1",
    "0x1",
    "0x1",
    "0x1",
    "0x0",
    "0x0",
    "0x1",
    "0x1",
  ]);
});
