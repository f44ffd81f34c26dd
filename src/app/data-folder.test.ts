/** Whose data folder it is: a lock must not outlive the process that took it. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../../tests/support/eventually.ts";
import { findRunningServer, takeLock } from "./data-folder.ts";

function folderWith(lock: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "medley-lock-"));
  writeFileSync(join(folder, "server.json"), JSON.stringify(lock));
  return folder;
}
const url = "http://127.0.0.1:4020";

it("is held by a living process", () => {
  const folder = folderWith({ pid: process.pid, url });
  expect(findRunningServer(folder)).toMatchObject({ pid: process.pid });
  rmSync(folder, { recursive: true });
});

it.runIf(process.platform === "linux")(
  "is free when its process was killed but nobody has reaped it",
  async () => {
    // The shell becomes `sleep`, which never asks after the child it inherits; the child ends when it is told to.
    const shell = spawn("sh", ["-c", "exec 3<&0; cat <&3 & echo $!; exec sleep 600 <&- 3<&-"]);
    const pid = await new Promise<number>((resolve) =>
      shell.stdout.once("data", (text) => resolve(Number(text))),
    );
    await eventually(
      () => readFileSync(`/proc/${shell.pid}/comm`, "utf8") === "sleep\n",
      "the shell's change",
    );
    shell.stdin.end();
    await eventually(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")), "the child's end");
    expect(() => process.kill(pid, 0)).not.toThrow();
    const folder = folderWith({ pid, url });
    expect(findRunningServer(folder)).toBeUndefined();
    rmSync(folder, { recursive: true });
    shell.kill();
  },
);

it.runIf(process.platform === "linux")("is free when another process has got the number since", () => {
  const folder = folderWith({ pid: process.pid, url, startTicks: "1" });
  expect(findRunningServer(folder)).toBeUndefined();
  rmSync(folder, { recursive: true });
});

it("replaces the lock of a dead process, and leaves nothing else", () => {
  const folder = folderWith({ pid: 2 ** 30, url });
  takeLock(folder);
  expect(findRunningServer(folder)).toMatchObject({ pid: process.pid });
  expect(readdirSync(folder)).toEqual(["server.json"]);
  rmSync(folder, { recursive: true });
});

it("leaves the lock of a process that started at the same time", () => {
  const folder = folderWith({ pid: process.ppid, url });
  expect(() => takeLock(folder)).toThrow("was taken by another process just now");
  expect(findRunningServer(folder)).toMatchObject({ pid: process.ppid });
  expect(readdirSync(folder)).toEqual(["server.json"]);
  rmSync(folder, { recursive: true });
});
