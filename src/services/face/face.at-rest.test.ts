/** What the service costs before its first picture: nothing. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { GROUP_PICTURE } from "../../../tests/support/face-pictures.ts";

const script = join(import.meta.dirname, "../../../tests/support/face-at-rest.mjs");

it("has no thread, no timer, no network and no library until the first picture comes", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, GROUP_PICTURE]);
  const { before, atRest, status, atWork } = JSON.parse(stdout);
  expect(atRest).toEqual(before);
  expect(status).toBe(200);
  expect(atWork.threads).toBe(1);
  expect(atWork.packages).toContain("piscina");
});
