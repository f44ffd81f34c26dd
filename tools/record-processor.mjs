/**
 * Records anew what a processor makes of the instructions in tests/support: `node tools/record-processor.mjs [long]`.
 * Without a word, those of 32-bit mode, for which it needs an x86 machine and gcc with 32-bit code. With `long`, those of
 * 64-bit mode: other machines need gcc for x86-64 and qemu-x86_64, whose results are the same but for flags that manuals
 * leave open. The tests need none of these.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";

const isLong = process.argv[2] === "long";
const isForeign = isLong && arch() !== "x64";
const folder = mkdtempSync(join(tmpdir(), "processor-"));
const harness = join(folder, "harness");
const name = isLong ? "long-harness.c" : "harness.c";
const source = new URL(`processor/${name}`, import.meta.url).pathname;
const options = ["-O1", "-nostdlib", "-static", "-fno-stack-protector", "-fno-pic", "-no-pie"];
const test = isLong ? "emulator/long/processor.test.ts" : "emulator/processor.test.ts";
try {
  const compiler = isForeign ? "x86_64-linux-gnu-gcc" : "gcc";
  execFileSync(compiler, [...(isLong ? [] : ["-m32"]), ...options, "-o", harness, source], {
    stdio: "inherit",
  });
  const command = isForeign ? `qemu-x86_64 -cpu max ${harness}` : harness;
  execFileSync("npx", ["vitest", "run", `src/services/unpack/${test}`], {
    stdio: "inherit",
    env: { ...process.env, [isLong ? "LONG_PROCESSOR_HARNESS" : "PROCESSOR_HARNESS"]: command },
  });
} finally {
  rmSync(folder, { recursive: true });
}
