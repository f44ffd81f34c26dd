/** Folders that functions make so that they are neither measured nor removed. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { measureFolder } from "./folder-limit.ts";
import { removeFolder } from "./removal.ts";

it.each([
  // Deeper than the longest path that the system takes.
  ["very deep", "name=$(printf %0200d 0); for n in $(seq 40); do mkdir $name && cd -P $name || exit; done"],
  ["without permissions", "mkdir -p shut/in && touch shut/in/file && chmod 000 shut/in shut"],
])("a folder that is %s counts as full, and is removed", async (what, script) => {
  const folder = mkdtempSync(join(tmpdir(), "removal-"));
  execFileSync("/bin/sh", ["-c", script], { cwd: folder });
  // Nothing is shut against root.
  const isOpen = what !== "very deep" && process.getuid?.() === 0;
  expect((await measureFolder(folder)).isOverfull).toBe(!isOpen);
  await removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
});
