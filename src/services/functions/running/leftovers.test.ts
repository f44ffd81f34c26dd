/** Cleans up after a killed server, and leaves alone what belongs to others. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { clearLeftovers, makeRootFolder } from "./leftovers.ts";

it("folders and processes of servers that are gone are cleared", async () => {
  const own = await makeRootFolder();
  const [, , tag] = basename(own).split("-");
  const gone = join(dirname(own), `mdly-${(2 ** 22 + 1).toString(36)}-${tag}-aaaaaa`);
  const reused = join(dirname(own), `mdly-${process.pid.toString(36)}-${tag?.slice(0, 3)}zzzz-aaaaaa`);
  const elsewhere = join(dirname(own), `mdly-${(2 ** 22 + 1).toString(36)}-zzz${tag?.slice(3)}-aaaaaa`);
  for (const folder of [gone, reused, elsewhere]) mkdirSync(join(folder, "1"), { recursive: true });
  const survivor = spawn("sleep", ["600"], { cwd: join(gone, "1"), stdio: "ignore" });
  const ended = new Promise((resolve) => survivor.once("exit", (_status, signal) => resolve(signal)));
  await new Promise((resolve) => survivor.once("spawn", resolve));
  await clearLeftovers();
  if (process.platform === "linux") expect(await ended).toBe("SIGKILL");
  survivor.kill();
  expect([own, gone, reused, elsewhere].map((folder) => existsSync(folder))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  for (const folder of [own, elsewhere]) rmSync(folder, { recursive: true });
});
