/**
 * Records anew what the processor of this machine makes of the instructions in tests/support/processor-cases.ts:
 * `node tools/record-processor.mjs`. It needs an x86 machine and gcc with 32-bit code; the test itself needs neither.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "processor-"));
const harness = join(folder, "harness");
const source = new URL("processor/harness.c", import.meta.url).pathname;
const options = ["-m32", "-O1", "-nostdlib", "-static", "-fno-stack-protector", "-fno-pic", "-no-pie"];
try {
  execFileSync("gcc", [...options, "-o", harness, source], { stdio: "inherit" });
  execFileSync("npx", ["vitest", "run", "src/services/unpack/emulator/processor.test.ts"], {
    stdio: "inherit",
    env: { ...process.env, PROCESSOR_HARNESS: harness },
  });
} finally {
  rmSync(folder, { recursive: true });
}
