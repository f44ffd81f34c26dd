/** `npm run fuzz -- --requests 20000 --seed 1`: random requests to every operation, on both databases; red on a failure of ours. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { requests: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];
if (!(requests >= 1) || !Number.isInteger(seed)) {
  console.error("--requests takes a number from 1 on, --seed a whole number");
  process.exit(2);
}
const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", "tests/fuzz/fuzz.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, MEDLEY_FUZZ_REQUESTS: String(requests), MEDLEY_FUZZ_SEED: String(seed) },
});
child.once("exit", (code) => process.exit(code ?? 1));
