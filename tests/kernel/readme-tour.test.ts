/** The newcomer's tour: the commands of the README's "Two minutes" as they stand there, run by a shell. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "medley-tour-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [, tour = ""] = /## Two minutes\n+```sh\n([\s\S]*?)```/.exec(readFileSync("README.md", "utf8")) ?? [];

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Stand in for npm and npx, which would look for a project around them; and a reader who types waits for the server. */
function writeStandIns(main: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const medley = `"${process.execPath}" "${main}"`;
  const isThere = `${medley} clock show >/dev/null 2>&1`;
  const scripts = {
    npm: `[ "$*" = start ] || exit 64; exec ${medley} serve`,
    npx: `[ "$1" = medley ] || exit 64; shift; until ${isThere}; do sleep 0.2; done; exec ${medley} "$@"`,
    curl: `exec /usr/bin/curl --fail-with-body "$@"`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

it("does what it says, from the first line to the last", async () => {
  expect(tour.split("\n").length).toBeGreaterThan(15);
  const bin = writeStandIns(join(import.meta.dirname, "../../dist/main.js"));
  const script = `set -e\ntrap 'kill %1; wait' EXIT\n${tour}\necho "the tour has ended"\n`;
  const environment = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    MEDLEY_PORT: String(await freePort()),
    MEDLEY_DATA: join(folder, "data"),
  };
  const { output, errors } = await new Promise<{ output: string; errors: string }>((resolve) => {
    execFile("bash", ["-c", script], { cwd: folder, env: environment }, (_error, output, errors) =>
      resolve({ output, errors }),
    );
  });
  expect(output, errors).toContain("the tour has ended");
  expect(output).toContain('"translated":["⠀","⠀","⠠","⠓"');
  expect(output).toMatch(/\(frozen\)/);
  expect(output).toMatch(/imported \d+ rows/);
});
