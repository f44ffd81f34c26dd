/** Once per test run: a PostgreSQL of our own, from an npm package, in a throw-away folder. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePort, loadPostgres } from "./postgres-package.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the one that is declared there.
  interface ProvidedContext {
    postgresUrl: string;
  }
}

type Postgres = InstanceType<Awaited<ReturnType<typeof loadPostgres>>>;
const STARTS_MAX = 5;
/** Between finding a free port and taking it, somebody else may take it: then the next is tried. */
async function startPostgres(databaseDir: string): Promise<{ postgres: Postgres; port: number }> {
  const EmbeddedPostgres = await loadPostgres();
  for (let start = 1; ; start += 1) {
    const port = await freePort();
    const postgres = new EmbeddedPostgres({
      databaseDir,
      user: "medley",
      password: "medley",
      port,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--locale=C", "--encoding=UTF8"],
      postgresFlags: ["-c", "fsync=off", "-c", "max_connections=200", "-c", "unix_socket_directories="],
      onLog: () => {},
      onError: () => {},
    });
    if (start === 1) await postgres.initialise();
    try {
      await postgres.start();
      return { postgres, port };
    } catch (error) {
      if (start === STARTS_MAX) throw error;
    }
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "medley-postgres-"));
  // Run by root, the server takes another user, who must get to the folder.
  chmodSync(folder, 0o755);
  const { postgres, port } = await startPostgres(join(folder, "data"));
  project.provide("postgresUrl", `postgres://medley:medley@127.0.0.1:${port}`);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
