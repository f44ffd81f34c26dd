/** Who may read the files of a data folder that was there before, and that others may look into. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startMedley } from "../../src/app/start.ts";
import { medley } from "../support/command-line.ts";
import { samples } from "../support/sample.ts";

const options = { services: [], extraServices: [samples.bearer] };
const modeOf = (path: string): number => statSync(path).mode & 0o777;

let data = "";
let umask = 0;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "medley-modes-"));
  chmodSync(data, 0o755);
  umask = process.umask(0o022);
});
afterEach(() => {
  process.umask(umask);
  rmSync(data, { recursive: true, force: true });
});

const EMBEDDED = ["credentials.json", "medley.db", "medley.db-shm", "medley.db-wal", "server.json"];
const readableByOthers = () =>
  (
    readdirSync(data, { recursive: true, withFileTypes: true }) as {
      name: string;
      parentPath: string;
      isFile(): boolean;
    }[]
  )
    .filter((entry) => entry.isFile() && entry.name !== "authority.pem")
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (modeOf(path) & 0o077) !== 0);

it("only the owner, from the first start", async () => {
  const instance = await startMedley({ ...options, data, tls: true });
  expect(readdirSync(data)).toEqual(expect.arrayContaining(EMBEDDED));
  expect(readableByOthers()).toEqual([]);
  await instance.stop();
  expect(readableByOthers()).toEqual([]);
});

it("only the owner, where an earlier start had left them open", async () => {
  await (await startMedley({ ...options, data })).stop();
  writeFileSync(join(data, "of-somebody-else.txt"), "", { mode: 0o644 });
  for (const name of ["credentials.json", "medley.db"]) chmodSync(join(data, name), 0o644);
  const instance = await startMedley({ ...options, data });
  expect(readableByOthers()).toEqual([join(data, "of-somebody-else.txt")]);
  await instance.stop();
});

it("and the doctor says that others may look into the folder", async () => {
  const open = await medley("doctor", "--data", data, "--port", "0");
  expect([open.code, open.output]).toEqual([
    0,
    expect.stringMatching(/WARN {2}data folder[^\n]*others[^\n]*\n[^\n]*chmod 700/),
  ]);
  chmodSync(data, 0o700);
  expect((await medley("doctor", "--data", data, "--port", "0")).output).toContain(
    `ok    data folder ${data}\n`,
  );
});
